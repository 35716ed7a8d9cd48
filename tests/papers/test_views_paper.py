import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from institutions.models import Institution
from papers.models import Affiliation, Authorship, Paper, PaperIdentifier, PaperVersion
from papers.services.citation_counts import record_citation_counts
from tests.factories import CategoryFactory, PaperFactory, SourceRecordFactory, affiliate
from tests.html import get

pytestmark = pytest.mark.django_db


@pytest.fixture
def paper():
    return PaperFactory(title="On looms", arxiv_id="2101.54321", doi="10.1234/loom.1", versions_made=3)


class TestAddresses:
    @pytest.mark.parametrize(
        "address",
        ["2101.54321", "2101.54321-", "2101.54321-off-looms", "{number}", "{number}-on-looms", "doi/10.1234/loom.1",
         "doi/10.1234/LOOM.1", "doi/https://doi.org/10.1234/loom.1"],
    )  # fmt: skip
    def test_every_other_name_leads_to_the_page_in_one_hop(self, client, paper, address):
        response = client.get(f"/papers/{address.format(number=paper.pk)}")
        assert (response.status_code, response.headers["location"]) == (301, "/papers/2101.54321-on-looms")
        assert response.headers["Cache-Control"] == "max-age=3600"

    def test_the_page_is_at_its_canonical_address(self, client, paper):
        page = get(client, "/papers/2101.54321-on-looms")
        assert page.value("//link[@rel='canonical']/@href") == "http://localhost:8000/papers/2101.54321-on-looms"
        assert page.one("//h1") == "On looms"

    def test_old_ids(self, client):
        PaperFactory(title="On looms", arxiv_id="astro-ph/9901001")
        get(client, "/papers/astro-ph/9901001-on-looms")
        for address in ("astro-ph/9901001", "astro-ph.GA/9901001-on-looms", "ASTRO-PH/9901001"):
            response = client.get(f"/papers/{address}")
            assert (response.status_code, response.headers["location"]) == (301, "/papers/astro-ph/9901001-on-looms")

    def test_a_paper_without_arxiv_id_is_at_its_number(self, client):
        paper = PaperFactory(title="On looms", arxiv_id="", doi="10.1234/loom.2")
        page = get(client, f"/papers/{paper.pk}-on-looms")
        assert page.one("//header/p[@class='eyebrow']") == "doi:10.1234/loom.2"
        assert client.get(f"/papers/{paper.pk}").headers["location"] == f"/papers/{paper.pk}-on-looms"

    def test_a_title_without_letters_has_no_slug(self, client):
        PaperFactory(title="图论", arxiv_id="2101.00077")
        assert get(client, "/papers/2101.00077").one("//h1") == "图论"
        assert client.get("/papers/2101.00077-x").headers["location"] == "/papers/2101.00077"

    def test_a_chain_of_merges_is_one_hop(self, client, paper):
        middle = PaperFactory(redirect_to=paper)
        first = PaperFactory(redirect_to=middle)
        for merged in (middle, first):
            for address in (merged.get_absolute_url(), f"/papers/{merged.pk}", f"/papers/{merged.arxiv_id}v1"):
                response = client.get(address)
                assert (response.status_code, response.headers["location"]) == (301, "/papers/2101.54321-on-looms")

    @pytest.mark.parametrize(
        ("address", "sentence"),
        [
            ("9912.99999", "No paper here has this number."),
            ("123456", "No paper here has this number."),
            ("999999999999999999", "No paper here has this number."),
            ("on-looms", "A paper’s address begins with its arXiv id"),
            ("doi/10.9999/none", "No paper here has this DOI."),
            ("doi/nonsense", "No paper here has this DOI."),
            ("2101.54321v4", "There is no version 4 of this paper; it has 3 versions."),
            ("2101.54321v9999-on-looms", "There is no version 9999 of this paper; it has 3 versions."),
        ],
    )
    def test_what_is_not_here_says_what_to_try(self, client, paper, address, sentence):
        page = get(client, f"/papers/{address}", status=404)
        assert page.one("//p[@class='lede']").startswith(sentence)


class TestVersions:
    def test_a_version_shows_its_own_state_and_leads_to_the_paper(self, client, paper):
        for address in ("/papers/2101.54321v2", "/papers/2101.54321v2-on-looms"):
            page = get(client, address)
            notice = page.one("//div[@class='notice']")
            assert notice.startswith("This is version 2 of 3, submitted 2 January 2021.")
            assert page.value("//div[@class='notice']//a/@href") == "/papers/2101.54321-on-looms"
            assert page.value("//link[@rel='canonical']/@href").endswith("/papers/2101.54321-on-looms")
            assert page.value("//meta[@name='robots']/@content") == "noindex, follow"
            assert page.value("//a[.='View at arXiv']/@href") == "https://arxiv.org/abs/2101.54321v2"

    def test_the_newest_version_is_called_so(self, client, paper):
        assert "2021, the newest." in get(client, "/papers/2101.54321v3").one("//div[@class='notice']")

    def test_a_wrong_slug_keeps_the_version(self, client, paper):
        response = client.get("/papers/2101.54321v2-off-looms")
        assert (response.status_code, response.headers["location"]) == (301, "/papers/2101.54321v2-on-looms")

    @pytest.mark.parametrize(
        ("typed", "leads_to"),
        [("2101.54321V2", "2101.54321v2-on-looms"), ("2101.54321V2-on-looms", "2101.54321v2-on-looms")],
    )
    def test_a_capital_v_leads_to_the_version(self, client, paper, typed, leads_to):
        response = client.get(f"/papers/{typed}")
        assert (response.status_code, response.headers["location"]) == (301, f"/papers/{leads_to}")

    def test_the_table_has_number_date_size_and_state(self, client, paper):
        PaperVersion.objects.filter(number=2).update(withdrawn=True, size=0)
        page = get(client, "/papers/2101.54321-on-looms")
        assert page.texts("//section[@aria-labelledby='versions']//tbody/tr") == [
            "v3 3 January 2021 3 kB Newest", "v2 2 January 2021 0 kB Withdrawn", "v1 1 January 2021 1 kB Older"
        ]  # fmt: skip
        assert page.all("//section[@aria-labelledby='versions']//th/a/@href")[1] == "/papers/2101.54321v2-on-looms"

    def test_the_dates_of_the_first_and_last_version_stand_under_the_title(self, client, paper):
        Paper.objects.update(announced_on=dt.date(2021, 1, 4))
        page = get(client, "/papers/2101.54321-on-looms")
        assert page.texts("//p[@class='dates']/span") == [
            "Submitted 1 January 2021", "Revised 3 January 2021", "Listed 4 January 2021"
        ]  # fmt: skip


class TestBanners:
    def alarm(self, client, address):
        return get(client, address).texts("//div[contains(@class, 'notice--alarm')]")

    def test_a_paper_in_force_has_none(self, client, paper):
        assert self.alarm(client, paper.get_absolute_url()) == []

    def test_withdrawn_with_the_authors_reason(self, client, paper):
        Paper.objects.update(status="withdrawn", comments="An error in Lemma 3")
        assert self.alarm(client, paper.get_absolute_url()) == [
            "This paper has been withdrawn. The authors’ comment: “An error in Lemma 3”"
        ]

    def test_a_version_from_before_the_withdrawal_says_both(self, client, paper):
        Paper.objects.update(status="withdrawn")
        PaperVersion.objects.filter(number=3).update(withdrawn=True)
        assert self.alarm(client, "/papers/2101.54321v1") == [
            "This paper has been withdrawn. You are looking at version 1, from before the withdrawal. "  # noqa: ISC004
            "No reason was given."
        ]

    def test_what_was_withdrawn_has_no_file_and_what_was_before_it_has(self, client, paper):
        Paper.objects.update(status="withdrawn")
        PaperVersion.objects.filter(number=3).update(withdrawn=True)
        assert get(client, paper.get_absolute_url()).all("//a[.='PDF']") == []
        before = get(client, f"/papers/{paper.arxiv_id}v1-{paper.slug}")
        assert before.value("//a[.='PDF']/@href") == f"https://arxiv.org/pdf/{paper.arxiv_id}v1"

    def test_a_withdrawn_version_of_a_paper_that_stands(self, client, paper):
        PaperVersion.objects.filter(number=2).update(withdrawn=True)
        assert self.alarm(client, "/papers/2101.54321v2") == [
            "Version 2 was withdrawn. A later version of this paper stands."
        ]
        assert self.alarm(client, "/papers/2101.54321v3") == []

    def test_retracted(self, client, paper):
        Paper.objects.update(status="retracted")
        assert self.alarm(client, paper.get_absolute_url())[0].startswith("This paper has been retracted.")

    def test_invented(self, client, paper):
        Paper.objects.update(is_demo=True)
        page = get(client, paper.get_absolute_url())
        assert page.one("//p[@class='notice']").startswith("This paper is invented")
        assert page.all("//a[contains(@href, 'arxiv.org/abs') or contains(@href, 'doi.org')]") == []


class TestAuthors:
    def test_in_order_with_numbered_affiliations(self, client):
        paper = PaperFactory(authors=["Zoë Z", "Ada A", "Bo B"])
        affiliate(paper, 1, "Loom Institute", "Weft University")
        affiliate(paper, 3, "Weft University")
        page = get(client, paper.get_absolute_url())
        assert page.texts("//ol[@aria-label='Authors']/li") == ["Zoë Z1,2", "Ada A", "Bo B2"]
        assert page.texts("//ol[@aria-label='Affiliations']/li") == ["1Loom Institute", "2Weft University"]

    def test_affiliations_lead_to_the_institutions_they_name(self, client):
        institution = Institution.objects.create(
            ror_id="000000098", display_name="Weft University", kind="education", status="active", hash="0"
        )
        paper = PaperFactory(authors=["Zoë Z", "Ada A"])
        affiliate(paper, 1, "Loom Institute", "Weft Univ.")
        affiliate(paper, 2, "Weft Univ.")
        Affiliation.objects.filter(text="Weft Univ.").update(institution=institution)
        page = get(client, paper.get_absolute_url())
        assert page.texts("//ol[@aria-label='Affiliations']/li") == ["1Loom Institute", "2Weft Univ."]
        assert page.all("//ol[@aria-label='Affiliations']//a/@href") == [institution.get_absolute_url()]

    def test_after_20_the_rest_is_folded_and_readable_without_script(self, client):
        paper = PaperFactory(authors=[f"A. {number}" for number in range(1, 22)])
        page = get(client, paper.get_absolute_url())
        assert len(page.all("//ol[@aria-label='Authors']/li")) == 20
        assert page.one("//div[@class='authors']/details/summary") == "Show all 21 authors"
        assert page.texts("//div[@class='authors']/details//li") == ["A. 21"]

    def test_20_are_not_folded(self, client):
        page = get(client, PaperFactory(authors=[f"A. {number}" for number in range(20)]).get_absolute_url())
        assert page.all("//div[@class='authors']/details") == []

    def test_many_affiliations_are_folded(self, client):
        paper = PaperFactory(authors=[f"A. {number}" for number in range(1, 14)])
        for position in range(1, 14):
            affiliate(paper, position, f"Institute {position}")
        page = get(client, paper.get_absolute_url())
        assert page.one("//details[@class='affiliations-fold']/summary") == "Show all 13 affiliations"

    def test_none_says_so(self, client):
        page = get(client, PaperFactory(authors=[]).get_absolute_url())
        assert page.one("//p[@class='authors']") == "No source names the authors."

    def test_700_authors_weigh_little(self, client):
        paper = PaperFactory(authors=[])
        Authorship.objects.bulk_create(
            Authorship(paper=paper, position=number, name=f"Author {number} of the Collaboration")
            for number in range(1, 707)
        )
        response = client.get(paper.get_absolute_url(), headers={"accept-encoding": "gzip"})
        assert response.headers["Content-Encoding"] == "gzip"
        assert len(response.content) < 60_000


class TestFacts:
    def facts(self, client, **fields):
        page = get(client, PaperFactory(**fields).get_absolute_url())
        return dict(zip(page.texts("//dl[@class='facts']/dt"), page.texts("//dl[@class='facts']/dd"), strict=True))

    def test_what_the_sources_say(self, client):
        CategoryFactory(code="math.AG", name="Algebraic Geometry")
        facts = self.facts(
            client, arxiv_id="2101.54321", doi="10.1234/loom.1", categories=["cs.CL", "math.AG", "x.Y"],
            venue="Journal of Looms", volume="3", issue="2", pages="1–9", publisher="Shuttle Press",
            comments="12 pages", journal_reference="J. Looms 3 (2021) 1", report_number="LOOM-7",
            licence="http://creativecommons.org/licenses/by/4.0/",
        )  # fmt: skip
        assert facts == {
            "Categories": "Computation and Language (cs.CL), Algebraic Geometry (math.AG), x.Y",
            "Published in": "Journal of Looms, volume 3, issue 2, pages 1–9",
            "Publisher": "Shuttle Press",
            "Journal reference": "J. Looms 3 (2021) 1",
            "Report number": "LOOM-7",
            "Comments": "12 pages",
            "arXiv": "2101.54321",
            "DOI": "10.1234/loom.1",
            "Licence": "CC BY 4.0",
        }

    def test_how_often_each_source_says_it_is_cited(self, client):
        paper = PaperFactory()
        record_citation_counts(source="crossref", counts={paper.pk: 1208}, as_of=dt.date(2025, 3, 4))
        record_citation_counts(source="openalex", counts={paper.pk: 1300}, as_of=dt.date(2025, 5, 6))
        with CaptureQueriesContext(connection) as queries:
            page = get(client, paper.get_absolute_url())
        facts = dict(zip(page.texts("//dl[@class='facts']/dt"), page.texts("//dl[@class='facts']/dd"), strict=True))
        assert facts["Cited by"] == "1,300 (OpenAlex, as of 6 May 2025); 1,208 (Crossref, as of 4 March 2025)"
        assert len(queries) == 11
        card = get(client, "/papers").one("//p[@class='paper-card__meta']")
        assert card.endswith("cited by 1,300 (OpenAlex, 6 May 2025)")

    def test_nothing_is_made_up(self, client):
        assert set(self.facts(client)) == {"Categories", "arXiv"}

    def test_a_licence_that_is_no_address_is_no_link(self, client):
        page = get(client, PaperFactory(licence="javascript:alert(1)").get_absolute_url())
        assert page.all("//a[starts-with(@href, 'javascript')]") == []
        assert "javascript:alert(1)" in page.texts("//dl[@class='facts']/dd")

    def test_other_identifiers(self, client, paper):
        PaperIdentifier.objects.create(paper=paper, scheme="doi", value="10.9999/other")
        page = get(client, paper.get_absolute_url())
        assert "Also DOI" in page.texts("//dl[@class='facts']/dt")

    def test_a_publication_date_with_its_precision(self, client):
        paper = PaperFactory(
            kind="article", published_on=dt.date(2020, 5, 1), published_precision="month", versions_made=0
        )
        page = get(client, paper.get_absolute_url())
        assert page.texts("//p[@class='dates']/span") == ["Published May 2020", "Journal article"]


def test_mathematics_is_mathml_in_title_and_abstract(client):
    paper = PaperFactory(title="Knots of $k_4$", abstract="We show that $a < b$ & more.")
    page = get(client, paper.get_absolute_url())
    assert len(page.all("//h1//math")) == 1
    assert len(page.all("//div[@class='abstract']//math")) == 1
    assert page.value("//meta[@property='og:title']/@content") == "Knots of k₄"


def test_buttons_lead_out_and_citations_are_there_without_script(client, paper):
    page = get(client, paper.get_absolute_url())
    assert page.value("//a[.='View at arXiv']/@href") == "https://arxiv.org/abs/2101.54321"
    assert page.value("//a[.='PDF']/@href") == "https://arxiv.org/pdf/2101.54321"
    assert page.value("//a[.='Publisher (DOI)']/@href") == "https://doi.org/10.1234/loom.1"
    assert page.one("//pre[@id='citation-bibtex']").startswith("@")
    assert page.all("//details[summary='Cite']//a/@href") == [
        "/papers/2101.54321.bib", "/papers/2101.54321.ris", "/papers/2101.54321.json", "/papers/2101.54321/cite"
    ]  # fmt: skip
    assert page.value("//input[@id='share-link']/@value") == "http://localhost:8000/papers/2101.54321-on-looms"
    assert page.value("//a[.='Send by e-mail']/@href").startswith("mailto:?subject=On%20looms&body=http")
    for button in page.all("//button[@data-copy]"):
        assert button.get("hidden") is not None
        assert page.root.get_element_by_id(button.get("data-copy")) is not None


def test_where_this_comes_from(client, paper):
    SourceRecordFactory(paper=paper, external_id="oai:arXiv.org:2101.54321", stamp="2021-02-03")
    page = get(client, paper.get_absolute_url())
    assert page.texts("//section[@aria-labelledby='records']//tbody/tr/*") == [
        "arXiv (arXivRaw)", "oai:arXiv.org:2101.54321",
        "Title, abstract, authors as typed, every version with its date and size", "2021-02-03",
        "4 February 2021, 05:30 UTC",
    ]  # fmt: skip


def test_each_value_of_a_record_names_its_column_where_the_columns_do_not_fit(client, paper):
    SourceRecordFactory(paper=paper)
    page = get(client, paper.get_absolute_url())
    table = "//section[@aria-labelledby='records']//table"
    assert page.all(f"{table}//td/@data-label") == page.texts(f"{table}//thead//th")[1:]
    assert page.all(f"{table}//tbody//*[self::th or self::td]/@role") == ["rowheader", *["cell"] * 4]


def test_what_a_curator_fixed_is_said(client, paper):
    SourceRecordFactory(paper=paper)
    Paper.objects.update(pinned={"title": {"value": "On looms"}})
    assert "over what the sources say: title." in get(client, paper.get_absolute_url()).text


def test_machines_read_tags_json_ld_and_alternates(client, paper):
    page = get(client, paper.get_absolute_url())
    assert page.value("//meta[@name='citation_title']/@content") == "On looms"
    assert page.all("//meta[@name='citation_author']/@content") == ["Weaver, Ada", "Spindle, Bo"]
    site, *own = sorted(page.json_ld, key=lambda block: "@graph" not in block)
    assert {block["@type"] for block in site["@graph"]} == {"Organization", "WebSite"}
    assert [block["@type"] for block in own] == ["ScholarlyArticle", "BreadcrumbList"]
    assert own[0]["name"] == "On looms"
    assert page.all("//link[@rel='alternate']/@href") == [
        "/papers/2101.54321-on-looms.md", "/papers/2101.54321.bib", "/papers/2101.54321.ris", "/papers/2101.54321.json",
    ]  # fmt: skip
    assert page.value("//meta[@property='og:type']/@content") == "article"
    assert page.value("//meta[@name='description']/@content") == (
        "Ada Weaver, Bo Spindle. We tie a knot and look at it."
    )


def test_the_number_of_queries_does_not_depend_on_the_number_of_authors(client):
    counts = []
    for number in (1, 24, 100):
        paper = PaperFactory(authors=[f"A. {n}" for n in range(number)], versions_made=min(number, 9))
        for position in range(1, number + 1):
            affiliate(paper, position, f"Institute {position}")
        SourceRecordFactory(paper=paper)
        with CaptureQueriesContext(connection) as queries:
            get(client, paper.get_absolute_url())
        counts.append(len(queries))
    assert counts == [10, 10, 10]


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
@pytest.mark.parametrize("address", ["/papers/2101.54321-on-looms", "/papers/doi/10.1234/loom.1"])
def test_other_methods_are_refused(client, paper, method, address):
    assert getattr(client, method)(address).status_code == 405


def test_head_answers(client, paper):
    assert client.head(paper.get_absolute_url()).status_code == 200


def test_reading_changes_nothing(client, paper):
    with CaptureQueriesContext(connection) as queries:
        get(client, paper.get_absolute_url())
    assert [query["sql"] for query in queries if not query["sql"].startswith("SELECT")] == []
