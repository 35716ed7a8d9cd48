import pytest

from papers.addresses import PaperAddress, find_identified, find_paper, find_pasted, parse_address, survivor
from papers.models import Paper, PaperIdentifier
from tests.factories import PaperFactory


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("2311.01234", PaperAddress("2311.01234")),
        ("2311.01234-on-looms", PaperAddress("2311.01234", slug="on-looms")),
        ("2311.01234v2", PaperAddress("2311.01234", 2)),
        ("2311.01234v2-on-looms", PaperAddress("2311.01234", 2, "on-looms")),
        ("0704.0001", PaperAddress("0704.0001")),
        ("astro-ph/9901001", PaperAddress("astro-ph/9901001")),
        ("astro-ph/9901001v3-a-b", PaperAddress("astro-ph/9901001", 3, "a-b")),
        ("math.GT/0309136", PaperAddress("math.GT/0309136")),
        ("17", PaperAddress("17")),
        ("17-on-looms", PaperAddress("17", slug="on-looms")),
        ("17-", PaperAddress("17", slug="")),
    ],
)
def test_an_address_is_taken_apart(text, address):
    assert parse_address(text) == address


@pytest.mark.parametrize(
    "text", ["", "x", "on-looms", "2311.012345", "231.01234", "2311.01234v0", "2311.01234x", "../x", "9" * 19, "1\x00"]
)
def test_what_is_no_address_is_none(text):
    assert parse_address(text) is None


@pytest.mark.django_db
class TestFinding:
    def test_by_number_by_arxiv_id_and_by_subject_class(self):
        paper = PaperFactory(arxiv_id="math/0309136")
        for reference in (str(paper.pk), "math/0309136", "math.GT/0309136"):
            assert find_paper(reference) == paper

    def test_nothing_is_none(self):
        assert find_paper("2311.01234") is None
        assert find_paper("999999999999999999") is None
        assert find_identified("doi", "10.1234/none") is None

    def test_a_chain_of_redirects_ends_at_the_survivor_whichever_name_is_used(self):
        last = PaperFactory()
        middle = PaperFactory(redirect_to=last)
        first = PaperFactory(redirect_to=middle)
        assert {find_paper(str(one.pk)) for one in (first, middle, last)} == {last}
        assert find_paper(first.arxiv_id) == last

    def test_redirects_in_a_circle_are_an_error_and_not_a_hang(self):
        one = PaperFactory()
        other = PaperFactory(redirect_to=one)
        Paper.objects.filter(pk=one.pk).update(redirect_to=other)
        with pytest.raises(RuntimeError, match="do not end"):
            survivor(other)

    @pytest.mark.parametrize(
        "pasted",
        ["2101.54321", "arXiv:2101.54321v2", "https://arxiv.org/abs/2101.54321", "https://arxiv.org/pdf/2101.54321v1",
         "10.1234/LOOM.1", "https://doi.org/10.1234/loom.1", "doi:10.1234/loom.1"],
    )  # fmt: skip
    def test_a_pasted_identifier_finds_its_paper(self, pasted):
        paper = PaperFactory(arxiv_id="2101.54321", doi="10.1234/loom.1")
        assert find_pasted(pasted) == paper

    @pytest.mark.parametrize("typed", ["looms", "2101.54321 looms", "10.1234", ""])
    def test_words_are_no_identifier(self, typed):
        PaperFactory(arxiv_id="2101.54321")
        assert find_pasted(typed) is None

    def test_another_identifier_of_a_paper_finds_it(self):
        paper = PaperFactory()
        PaperIdentifier.objects.create(paper=paper, scheme="arxiv", value="1901.00001")
        assert find_paper("1901.00001") == paper
