import json

import pytest

from tests.factories import PaperFactory
from tests.html import get

pytestmark = pytest.mark.django_db


@pytest.fixture
def paper():
    return PaperFactory(title="On looms", arxiv_id="2101.54321", doi="10.1234/loom.1")


class TestDownload:
    @pytest.mark.parametrize(
        ("extension", "content_type", "beginning"),
        [
            ("bib", "application/x-bibtex; charset=utf-8", "@misc{"),
            ("ris", "application/x-research-info-systems; charset=utf-8", "TY  - "),
            ("json", "application/vnd.citationstyles.csl+json", "["),
        ],
    )
    def test_a_reference_as_a_file(self, client, paper, extension, content_type, beginning):
        response = client.get(f"/papers/2101.54321.{extension}")
        assert response.status_code == 200
        assert response.headers["Content-Type"] == content_type
        assert response.headers["Content-Disposition"] == f'attachment; filename="2101.54321.{extension}"'
        text = response.content.decode()
        assert text.startswith(beginning)
        assert "On looms" in text

    def test_csl_json_is_json(self, client, paper):
        (reference,) = json.loads(client.get("/papers/2101.54321.json").content)
        assert reference["title"] == "On looms"

    def test_an_old_id_makes_a_safe_file_name(self, client):
        PaperFactory(arxiv_id="astro-ph/9901001")
        response = client.get("/papers/astro-ph/9901001.bib")
        assert response.headers["Content-Disposition"] == 'attachment; filename="astro-ph_9901001.bib"'

    def test_every_other_name_redirects(self, client, paper):
        merged = PaperFactory(redirect_to=paper)
        for reference in ("2101.54321-on-looms", "2101.54321v1", str(paper.pk), merged.arxiv_id):
            response = client.get(f"/papers/{reference}.ris")
            assert (response.status_code, response.headers["location"]) == (301, "/papers/2101.54321.ris")

    def test_unknown_papers_and_formats_are_not_here(self, client, paper):
        assert client.get("/papers/9912.99999.bib").status_code == 404
        assert client.get("/papers/nonsense.bib").status_code == 404
        assert client.get("/papers/2101.54321.exe").status_code == 404

    def test_an_unchanged_file_is_answered_with_304(self, client, paper):
        tag = client.get("/papers/2101.54321.bib").headers["ETag"]
        assert client.get("/papers/2101.54321.bib", headers={"if-none-match": tag}).status_code == 304


class TestCite:
    def test_an_invented_paper_is_not_to_be_cited(self, client, paper):
        assert get(client, "/papers/2101.54321/cite").all("//p[@class='notice']") == []
        PaperFactory(arxiv_id="2101.54322", is_demo=True)
        assert get(client, "/papers/2101.54322/cite").one("//p[@class='notice']").startswith("This paper is invented")

    def test_every_format_and_style(self, client, paper):
        page = get(client, "/papers/2101.54321/cite")
        assert page.texts("//*[@class='citation__title']") == [
            "BibTeX", "biblatex", "RIS", "CSL-JSON", "APA", "MLA", "Chicago", "IEEE", "Vancouver", "Harvard"
        ]  # fmt: skip
        assert all("looms" in text.lower() for text in page.texts("//pre"))
        assert page.texts("//a[@download]") == ["Download BibTeX", "Download RIS", "Download CSL-JSON"]
        assert page.value("//meta[@name='robots']/@content") == "noindex, follow"

    def test_every_other_name_redirects(self, client, paper):
        for reference in ("2101.54321-on-looms", "2101.54321v1", str(paper.pk)):
            response = client.get(f"/papers/{reference}/cite")
            assert (response.status_code, response.headers["location"]) == (301, "/papers/2101.54321/cite")

    def test_a_withdrawn_paper_is_not_cited_unawares(self, client, paper):
        paper.status = "withdrawn"
        paper.save()
        assert get(client, "/papers/2101.54321/cite").all("//div[contains(@class, 'notice--alarm')]")


@pytest.mark.parametrize("address", ["/papers/2101.54321/cite", "/papers/2101.54321.bib"])
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_other_methods_are_refused(client, paper, method, address):
    assert getattr(client, method)(address).status_code == 405


@pytest.mark.parametrize("address", ["/papers/{}/cite", "/papers/{}.bib"])
def test_queries_do_not_depend_on_the_number_of_authors(client, django_assert_num_queries, address):
    for count in (1, 24, 100):
        paper = PaperFactory(authors=[f"A. {number}" for number in range(count)])
        with django_assert_num_queries(3):
            client.get(address.format(paper.arxiv_id))
