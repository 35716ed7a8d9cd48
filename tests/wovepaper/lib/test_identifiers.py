"""arXiv ids, DOIs and ORCID iDs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wovepaper.lib import arxiv_id, doi, orcid
from wovepaper.lib.arxiv_id import ArxivId


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("0704.0001", ArxivId("0704.0001", 2007, 4)),
        ("1412.9999v12", ArxivId("1412.9999", 2014, 12, 12)),
        ("2501.00001", ArxivId("2501.00001", 2025, 1)),
        ("arXiv:2501.00001v2", ArxivId("2501.00001", 2025, 1, 2)),
        ("ARXIV: hep-th/9901001", ArxivId("hep-th/9901001", 1999, 1)),
        ("math.GT/0309136v1", ArxivId("math/0309136", 2003, 9, 1)),
        ("HEP-TH/9108001", ArxivId("hep-th/9108001", 1991, 8)),
        ("https://arxiv.org/abs/1207.1019", ArxivId("1207.1019", 2012, 7)),
        ("http://export.arxiv.org/pdf/2101.00001v3.pdf", ArxivId("2101.00001", 2021, 1, 3)),
        ("http://xxx.lanl.gov/abs/astro-ph/9501013", ArxivId("astro-ph/9501013", 1995, 1)),
        ("https://arxiv.org/abs/1207.1019?context=cs#top", ArxivId("1207.1019", 2012, 7)),
        ("oai:arXiv.org:cond-mat/9706061", ArxivId("cond-mat/9706061", 1997, 6)),
        ("https://doi.org/10.48550/arXiv.2101.00001", ArxivId("2101.00001", 2021, 1)),
        ("arXiv:1207.1019v1 [cs.LG]", ArxivId("1207.1019", 2012, 7, 1)),
    ],
)
def test_an_arxiv_id_is_read_in_every_form(written: str, meant: ArxivId) -> None:
    assert arxiv_id.normalise(written) == meant


@pytest.mark.parametrize(
    "written",
    [
        "",
        "0000.0000",
        "0713.0001",
        "0703.0001",
        "1501.0001",
        "1412.00001",
        "2501.00000",
        "hep-th/0704001",
        "hep-th/9913001",
        "nonsense/9901001",
        "hep-th/990100",
        "2501.00001v0",
        "oai:zenodo.org:1234567",
        "10.1000/1207.1019",
        "٠٧٠٤.٠٠٠١",
    ],
)
def test_what_is_no_arxiv_id_is_told(written: str) -> None:
    assert arxiv_id.normalise(written) is None


@given(st.text(max_size=60))
def test_reading_identifiers_never_raises(written: str) -> None:
    found = arxiv_id.normalise(written)
    assert found is None or arxiv_id.normalise(found.value) == ArxivId(found.value, found.year, found.month)
    name = doi.normalise(written)
    assert name is None or doi.normalise(name) == name
    person = orcid.normalise(written)
    assert person is None or orcid.normalise(person) == person


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("10.1103/PhysRevD.76.013009", "10.1103/physrevd.76.013009"),
        ("doi:10.1000/ABC", "10.1000/abc"),
        ("DOI: 10.1000/abc.", "10.1000/abc"),
        ("https://doi.org/10.1000/abc%2Fd", "10.1000/abc/d"),
        ("http://dx.doi.org/10.1000/abc)", "10.1000/abc"),
        ("10.1016/s0278-4319(01)00020-2", "10.1016/s0278-4319(01)00020-2"),
        ("10.1002/(sici)1097(1998)66:4<261::aid-q1>3.0.co;2-t", "10.1002/(sici)1097(1998)66:4<261::aid-q1>3.0.co;2-t"),
        ("(see) 10.1000/abc", None),
        ("10.1000/", None),
        ("10.1/abc", None),
        ("10.1000/a b", None),
        ("10.1000/" + "x" * 300, None),
        ("arXiv:2101.00001", None),
        ("", None),
    ],
)
def test_a_doi_is_read_in_every_form(written: str, meant: str | None) -> None:
    assert doi.normalise(written) == meant


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("10.1000/A.1 10.1000/A.2", ["10.1000/a.1", "10.1000/a.2"]),
        ("10.1000/a.1, 10.1000/a.2;10.1000/a.3", ["10.1000/a.1", "10.1000/a.2", "10.1000/a.3"]),
        ("10.1000/a.1 and doi:10.1000/a.1", ["10.1000/a.1"]),
        ("10.1000/a;2-t", ["10.1000/a;2-t"]),
        ("none, 10.1000/a.1", ["10.1000/a.1"]),
        ("to appear", []),
        ("", []),
    ],
)
def test_several_dois_in_one_field_are_all_kept(written: str, meant: list[str]) -> None:
    assert doi.normalise_all(written) == meant


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("0000-0002-1825-0097", "0000-0002-1825-0097"),
        ("https://orcid.org/0000-0002-1825-0097", "0000-0002-1825-0097"),
        ("http://www.orcid.org/0000-0002-1694-233x/", "0000-0002-1694-233X"),
        ("0000000218250097", "0000-0002-1825-0097"),
        ("ORCID: 0000-0002-1825-0097", "0000-0002-1825-0097"),
        ("0000-0002-1825-0098", None),
        ("0000-0000-0000-0000", None),
        ("0000-0002-1825", None),
        ("", None),
    ],
)
def test_an_orcid_is_read_and_checked(written: str, meant: str | None) -> None:
    assert orcid.normalise(written) == meant


@given(st.text(alphabet="0123456789", min_size=15, max_size=15).filter(lambda digits: digits != "0" * 15))
def test_exactly_one_check_character_is_right(digits: str) -> None:
    right = [last for last in "0123456789X" if orcid.normalise(digits + last)]

    assert right == [orcid.check_digit(digits)]


@pytest.mark.parametrize(
    ("given_out", "value"),
    [
        (True, "0000-0001-5000-0007"),
        (True, "0000-0002-1825-0097"),
        (True, "0009-0001-0000-0009"),
        (False, "0000-0001-4999-9995"),
        (False, "0000-0004-0000-0000"),
        (False, "0099-1234-5678-9012"),
    ],
)
def test_only_orcids_of_the_blocks_that_are_given_out_have_an_address(given_out: bool, value: str) -> None:
    assert orcid.address(value) == (f"https://orcid.org/{value}" if given_out else "")
