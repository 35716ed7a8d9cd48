"""The documents are what an upstream server sends: well formed, escaped, in two formats that agree."""

from __future__ import annotations

import datetime as dt
import json
from functools import cache

import pytest
from lxml import etree

from wovepaper.demo.documents import author_line, oai_page, snapshot_line
from wovepaper.demo.fields import FIELDS, set_spec
from wovepaper.demo.papers import DemoPaper, generate
from wovepaper.demo.people import Person, in_style
from wovepaper.demo.tex import accents_to_tex

UNTIL = dt.date(2026, 3, 16)
OAI = "{http://www.openarchives.org/OAI/2.0/}"
ARXIV = "{http://arxiv.org/OAI/arXiv/}"
RAW = "{http://arxiv.org/OAI/arXivRaw/}"


@cache
def papers() -> tuple[DemoPaper, ...]:
    return tuple(generate(700, seed=3, until=UNTIL))


def test_the_arxiv_page_says_what_the_papers_say() -> None:
    root = etree.fromstring(oai_page(papers(), form="arXiv", until=UNTIL))
    records = root.findall(f"{OAI}ListRecords/{OAI}record")
    assert len(records) == 700
    for paper, record in zip(papers(), records, strict=True):
        metadata = record.find(f"{OAI}metadata/{ARXIV}arXiv")
        assert record.findtext(f"{OAI}header/{OAI}identifier") == f"oai:arXiv.org:{paper.arxiv_id}"
        assert metadata.findtext(f"{ARXIV}title") == paper.title
        assert metadata.findtext(f"{ARXIV}abstract") == paper.abstract
        assert metadata.findtext(f"{ARXIV}categories") == " ".join(paper.categories)
        # As on the real server: the date of the current version.
        assert metadata.findtext(f"{ARXIV}created") == paper.versions[-1].submitted_at.date().isoformat()
        names = [
            tuple(author.findtext(f"{ARXIV}{part}") or "" for part in ("forenames", "keyname", "suffix"))
            for author in metadata.findall(f"{ARXIV}authors/{ARXIV}author")
        ]
        expected = [(a.printed.forenames, a.printed.keyname, a.printed.suffix) for a in paper.authors]
        assert names == ([(paper.collaboration, "Collaboration", "")] if paper.collaboration else []) + expected


def test_the_raw_page_has_every_version() -> None:
    root = etree.fromstring(oai_page(papers(), form="arXivRaw", until=UNTIL))
    for paper, metadata in zip(papers(), root.iter(f"{RAW}arXivRaw"), strict=True):
        versions = metadata.findall(f"{RAW}version")
        assert [version.get("version") for version in versions] == [f"v{v.number}" for v in paper.versions]
        assert [version.findtext(f"{RAW}size") for version in versions] == [f"{v.size}kb" for v in paper.versions]
        assert metadata.findtext(f"{RAW}authors") == author_line(paper)


def test_a_date_is_written_as_in_mail() -> None:
    page = oai_page(papers()[:1], form="arXivRaw", until=UNTIL).decode()
    moment = papers()[0].versions[0].submitted_at
    assert f"<date>{moment:%a, %d %b %Y %H:%M:%S} GMT</date>" in page


def test_a_line_of_the_snapshot() -> None:
    for paper in papers():
        line = snapshot_line(paper)
        assert line.endswith(b"}\n")
        assert line.count(b"\n") == 1
        values = json.loads(line)
        assert values["id"] == paper.arxiv_id
        assert [version["version"] for version in values["versions"]] == [f"v{v.number}" for v in paper.versions]
        assert len(values["authors_parsed"]) == len(paper.authors) + bool(paper.collaboration)
        assert values["doi"] == (paper.doi or None)
    rows = [row for paper in papers() for row in json.loads(snapshot_line(paper))["authors_parsed"]]
    assert {len(row) for row in rows} == {3, 4, 5}


@pytest.mark.parametrize(
    ("name", "tex"),
    [
        ("Edgar Roldán", r"Edgar Rold\'an"),
        ("Jörg Groß", r"J\"org Gro\ss{}"),
        ("Łukasz Wiśniewski", r"\L{}ukasz Wi\'sniewski"),
        ("Dvořák", r"Dvo\v{r}\'ak"),
        ("Çelik", r"\c{C}elik"),
        ("García", r"Garc\'{\i}a"),
        ("Trần", "Trần"),
        ("王伟", "王伟"),
        ("plain", "plain"),
    ],
)
def test_accents_become_tex(name: str, tex: str) -> None:
    assert accents_to_tex(name) == tex


def test_the_styles_of_a_name() -> None:
    someone = Person("x/1/1", "Jean-Luc Étienne", "Lefèvre", "Jr.", "full")
    assert in_style(someone, "full").text == "Jean-Luc Étienne Lefèvre Jr."
    assert in_style(someone, "initials").text == "J.-L. É. Lefèvre Jr."
    assert in_style(someone, "first").text == "Jean-Luc Lefèvre Jr."
    assert in_style(someone, "middle").text == "Jean-Luc É. Lefèvre Jr."
    assert in_style(someone, "plain").text == "Jean-Luc Etienne Lefevre Jr."


def test_the_author_line_in_its_three_forms() -> None:
    lines = [author_line(paper) for paper in papers() if len(paper.authors) in (2, 3)]
    assert any(" and " in line and "(" not in line for line in lines)
    assert any("(1)" in line and line.endswith(")") for line in lines)
    assert any("(" in line and "(1)" not in line for line in lines)


def test_sets_are_named_as_upstream_names_them() -> None:
    assert [set_spec(code) for code in ("cs.CL", "hep-th", "math-ph", "astro-ph.GA", "physics.optics", "q-bio.PE")] == [
        "cs:cs:CL",
        "physics:hep-th",
        "physics:math-ph",
        "physics:astro-ph:GA",
        "physics:physics:optics",
        "q-bio:q-bio:PE",
    ]


def test_the_weights_of_the_fields_are_positive_and_the_codes_differ() -> None:
    assert len({field.code for field in FIELDS}) == len(FIELDS) == 40
    assert all(field.weight > 0 for field in FIELDS)
