"""What the page of a paper says of references, citing papers, dates, conference and notices, and the whole lists."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from papers.models import Paper
from papers.services.citation_counts import record_citation_counts
from papers.services.ingest import ingest_records
from papers.services.linking import link_references
from papers.sources.crossref import CrossrefSource
from papers.sources.openalex import OpenAlexSource
from tests.factories import PaperFactory
from tests.html import get
from tests.papers.sources import crossref_documents, openalex_documents
from wovepaper.harvest.contracts import RawRecord

pytestmark = pytest.mark.django_db


def bring(number: int = 1, **values: Any) -> Paper:
    """A work of Crossref, with its links."""
    doi = values.pop("DOI", f"10.5555/woven.{number}")
    said = crossref_documents.work(DOI=doi, **{"title": [f"The woven lattice number {number}"], **values})
    raw = RawRecord(doi, "work", "2025-03-04", json.dumps(said).encode())
    counts = ingest_records([(raw, CrossrefSource().parse(raw))])
    assert not counts.refused, counts.refused
    paper = Paper.objects.get(source_records__external_id=doi)
    link_references([paper.pk])
    return paper


def to(*numbers: int) -> list[dict[str, Any]]:
    return [{"key": f"r{number}", "DOI": f"10.5555/woven.{number}"} for number in numbers]


def dates(page: Any) -> list[str]:
    return page.texts("//p[@class='dates']/span")


def facts(page: Any) -> dict[str, str]:
    return dict(zip(page.texts("//dl[@class='facts']/dt"), page.texts("//dl[@class='facts']/dd"), strict=True))


REFERENCES = "//section[@aria-labelledby='references']"
CITED_BY = "//section[@aria-labelledby='cited-by']"


class TestReferences:
    def test_links_here_elsewhere_and_none(self, client):
        cited = bring(2)
        paper = bring(
            1,
            reference=[
                {"key": "a", "DOI": "10.5555/woven.2", "unstructured": "Vek, Z.: Number two (1998)."},
                {"key": "b", "DOI": "10.5555/woven.2"},
                {"key": "c", "DOI": "10.5555/far<away>", "unstructured": "Far <b>away</b> & long ago"},
                {"key": "d", "unstructured": "Only words, $x^2$"},
                {"key": "e", "unstructured": "A preprint, arXiv:2001.00001"},
                {"key": "f"},
            ],
        )
        page = get(client, paper.get_absolute_url())
        assert page.texts(f"{REFERENCES}//li") == [
            "Vek, Z.: Number two (1998). doi:10.5555/woven.2",
            "The woven lattice number 2 doi:10.5555/woven.2",
            "Far away & long ago doi:10.5555/far<away>",
            page.texts(f"{REFERENCES}//li")[3],
            "A preprint, arXiv:2001.00001 arXiv:2001.00001",
            "The source says nothing of this entry.",
        ]
        assert page.texts(f"{REFERENCES}//li")[3].startswith("Only words")
        assert page.all(f"{REFERENCES}//li/a/@href") == [cited.get_absolute_url()] * 2
        assert page.all(f"{REFERENCES}//li/small/a/@href") == [
            "https://doi.org/10.5555/woven.2",
            "https://doi.org/10.5555/woven.2",
            "https://doi.org/10.5555/far%3Caway%3E",
            "https://arxiv.org/abs/2001.00001",
        ]
        assert page.one(f"{REFERENCES}/p[1]") == "3 of 6 linked by DOI, 2 on this site."

    def test_a_line_with_a_name_that_is_not_to_be_shown_gives_way_to_the_title(self, client):
        cited = bring(2)
        paper = bring(1, reference=[{"key": "a", "DOI": "10.5555/woven.2", "unstructured": "Oldname, Z.: Number two."}])
        address = f"/papers/{paper.pk}/references"
        assert "Oldname" in get(client, address).text
        cited.authorships.filter(position=1).update(name="Zoë Newname", replaced_name="Zoë Oldname")
        for page in (get(client, address), get(client, paper.get_absolute_url())):
            assert "Oldname" not in page.text
            assert page.one("//ol[@class='references']/li") == "The woven lattice number 2 doi:10.5555/woven.2"

    def test_what_only_ids_tell(self, client):
        said = openalex_documents.work(9, referenced_works=["W2", "W3"], referenced_works_count=2, locations=[])
        raw = RawRecord("W9", "work", "2025-03-04", json.dumps(said).encode())
        ingest_records([(raw, OpenAlexSource().parse(raw))])
        page = get(client, Paper.objects.get().get_absolute_url())
        assert page.texts(f"{REFERENCES}//li") == ["OpenAlex W2", "OpenAlex W3"]
        assert page.all(f"{REFERENCES}//li//a/@href") == ["https://openalex.org/W2", "https://openalex.org/W3"]
        assert page.one(f"{REFERENCES}/p[1]") == "2 listed, none by DOI."

    def test_a_list_that_is_not_open(self, client):
        paper = bring(1, reference_count=35)
        assert get(client, paper.get_absolute_url()).texts(f"{REFERENCES}/p") == [
            "A source counts 35; none lists them openly."
        ]
        page = get(client, f"/papers/{paper.pk}/references")
        assert page.one("//main//h2") == "The references are not listed"

    def test_none_at_all(self, client):
        paper = PaperFactory()
        page = get(client, paper.get_absolute_url())
        assert page.texts(f"{REFERENCES} | {CITED_BY}") == []
        assert get(client, f"/papers/{paper.reference}/references").one("//main//h2") == "No references known"

    def test_a_cited_paper_that_was_retracted_is_marked(self, client):
        bring(2, title=["RETRACTED: Number two of the lattice"])
        page = get(client, bring(1, reference=to(2)).get_absolute_url())
        assert page.one(f"{REFERENCES}//li") == "Number two of the lattice Retracted doi:10.5555/woven.2"

    def test_invented_papers_lead_nowhere_outside(self, client):
        paper = bring(1, reference=to(2), updated_by=[{"DOI": "10.5555/n", "type": "correction"}])
        Paper.objects.update(is_demo=True)
        page = get(client, paper.get_absolute_url())
        assert page.one(f"{REFERENCES}//li") == "doi:10.5555/woven.2"
        assert page.all("//main//a[contains(@href, 'doi.org')]/@href") == []

    def test_the_first_twenty_and_then_pages_of_a_hundred(self, client):
        paper = bring(1, reference=to(*range(2, 253)), reference_count=260)
        page = get(client, paper.get_absolute_url())
        assert len(page.texts(f"{REFERENCES}//li")) == 20
        assert page.one(f"{REFERENCES}/p[1]") == "251 of 251 linked by DOI; its source counts 260 and lists 251."
        path = f"/papers/{paper.pk}/references"
        assert page.value(f"{REFERENCES}/p/a/@href") == path
        seen = []
        address = path
        while address:
            page = get(client, address)
            seen += page.all("//ol[@class='references']/li/@value")
            following = page.all("//nav[@class='pager']/a[@rel='next']/@href")
            address = following[0] if following else ""
        assert seen == [str(number) for number in range(1, 252)]
        assert page.all("//nav[@class='pager']/a[@rel='prev']/@href") == [f"{path}?after=100"]
        back = get(client, f"{path}?after=100").all("//nav[@class='pager']/a[@rel='prev']/@href")
        assert back == [path]
        assert get(client, path).value("//meta[@name='robots']/@content") == "noindex, follow"

    def test_places_that_are_none(self, client):
        paper = bring(1, reference=to(2))
        path = f"/papers/{paper.pk}/references"
        assert get(client, f"{path}?after=7").one("//main//h2") == "The list ends before this place"
        for wrong in ("x", "-1", "9" * 30, "%00"):
            page = get(client, f"{path}?after={wrong}", status=400)
            assert len(page.texts("//ol[@class='references']/li")) == 1

    @pytest.mark.parametrize("part", ["references", "cited-by"])
    def test_other_addresses_lead_there(self, client, part):
        paper = PaperFactory(title="On looms", arxiv_id="2101.54321")
        for address in (f"{paper.pk}", "2101.54321-on-looms", "2101.54321v1"):
            response = client.get(f"/papers/{address}/{part}")
            assert (response.status_code, response.headers["location"]) == (301, f"/papers/2101.54321/{part}")
        assert client.get(f"/papers/2101.99999/{part}").status_code == 404
        assert client.post(f"/papers/2101.54321/{part}").status_code == 405


class TestCitedBy:
    def test_the_newest_first_beside_what_sources_count(self, client):
        cited = bring(1)
        for number in range(2, 9):
            bring(number, reference=to(1), published={"date-parts": [[2010 + number, 5, 6]]}, issued=None)
        page = get(client, cited.get_absolute_url())
        assert page.texts(f"{CITED_BY}//li") == [
            f"The woven lattice number {number} Zoë Vek, Ansel Thorn · {2010 + number}" for number in (8, 7, 6, 5, 4)
        ]
        assert page.one(f"{CITED_BY}/p[1]") == "7 here; 3 by Crossref’s count of 4 March 2025."
        assert page.value(f"{CITED_BY}/p/a/@href") == f"/papers/{cited.pk}/cited-by"
        page = get(client, f"/papers/{cited.pk}/cited-by")
        assert page.texts("//article//h2") == [f"The woven lattice number {number}" for number in range(8, 1, -1)]
        assert page.one("//p[@class='section__note']") == "7 here; 3 by Crossref’s count of 4 March 2025."

    def test_pages_of_twenty_four(self, client):
        cited = bring(1)
        for number in range(2, 52):
            bring(number, reference=to(1))
        seen, address = [], f"/papers/{cited.pk}/cited-by"
        while address:
            page = get(client, address)
            seen.append(page.texts("//article//h2"))
            following = page.all("//nav[@class='pager']/a[@rel='next']/@href")
            address = following[0] if following else ""
        assert [len(titles) for titles in seen] == [24, 24, 2]
        assert len({title for titles in seen for title in titles}) == 50
        assert get(client, f"/papers/{cited.pk}/cited-by?after=x_y", status=400)

    def test_none_yet(self, client):
        paper = bring(1)
        page = get(client, paper.get_absolute_url())
        assert page.texts(CITED_BY) == []
        assert facts(page)["Cited by"] == "3 (Crossref, as of 4 March 2025)"
        assert get(client, f"/papers/{paper.pk}/cited-by").one("//main//h2") == "No paper here cites it yet"

    def test_a_paper_that_was_merged_away_is_not_in_the_list(self, client):
        cited = bring(1)
        merged = bring(2, reference=to(1))
        Paper.objects.filter(pk=merged.pk).update(redirect_to=cited)
        link_references([merged.pk, cited.pk])
        assert get(client, f"/papers/{cited.pk}/cited-by").texts("//article//h2") == []


class TestDatesAndEvent:
    def test_each_date_with_what_happened(self, client):
        paper = bring(
            1,
            accepted={"date-parts": [[2023, 9]]},
            published_online={"date-parts": [[2023, 11, 12]]},
            published_print={"date-parts": [[2024, 4]]},
        )
        page = get(client, paper.get_absolute_url())
        assert dates(page) == [
            "Accepted September 2023",
            "Published online 12 November 2023",
            "In print April 2024",
            "Journal article",
        ]

    def test_without_kinds_the_date_of_publication(self, client):
        assert dates(get(client, bring(1).get_absolute_url())) == ["Published December 2024", "Journal article"]

    def test_a_pinned_date_is_shown_beside_them(self, client):
        paper = bring(1, published_online={"date-parts": [[2023, 11, 12]]})
        Paper.objects.filter(pk=paper.pk).update(pinned={"published_on": {"value": "2024-12"}})
        assert dates(get(client, paper.get_absolute_url()))[:2] == [
            "Published December 2024",
            "Published online 12 November 2023",
        ]

    @pytest.mark.parametrize(
        ("event", "shown"),
        [
            (
                {
                    "name": "SenWeave '23: Conference on Woven Systems",
                    "acronym": "SenWeave '23",
                    "location": "Nowhere Islands",
                    "start": {"date-parts": [[2023, 11, 12]]},
                    "end": {"date-parts": [[2023, 11, 17]]},
                },
                "SenWeave '23: Conference on Woven Systems, Nowhere Islands, 12–17 November 2023",
            ),
            (
                {
                    "name": "Conference on Woven Systems",
                    "acronym": "CWS",
                    "start": {"date-parts": [[2023, 11, 30]]},
                    "end": {"date-parts": [[2023, 12, 2]]},
                },
                "Conference on Woven Systems (CWS), 30 November – 2 December 2023",
            ),
            (
                {"name": "W", "start": {"date-parts": [[2023, 12, 30]]}, "end": {"date-parts": [[2024, 1, 2]]}},
                "W, 30 December 2023 – 2 January 2024",
            ),
            (
                {"name": "W", "start": {"date-parts": [[2023, 12]]}, "end": {"date-parts": [[2023, 12]]}},
                "W, December 2023",
            ),
            ({"name": "W", "end": {"date-parts": [[2023]]}}, "W, 2023"),
            ({"name": "W"}, "W"),
        ],
    )
    def test_event(self, client, event, shown):
        page = get(client, bring(1, event=event).get_absolute_url())
        assert facts(page)["Event"] == shown


ALARM = "//div[@class='notice notice--alarm']"


def update(doi: str, kind: str, **values: Any) -> dict[str, Any]:
    return {"DOI": doi, "type": kind, "updated": {"date-parts": [[2022, 3, 4]]}, **values}


class TestNotices:
    def test_a_retraction_with_date_sources_and_notice(self, client):
        notice = bring(2, title=["Retraction: The lattice"], update_to=[update("10.5555/woven.1", "retraction")])
        paper = bring(1, updated_by=[update("10.5555/woven.2", "retraction", source="retraction-watch")])
        page = get(client, paper.get_absolute_url())
        assert page.texts(f"{ALARM}/strong") == ["This paper has been retracted."]
        told = "4 March 2022, by its publisher and Retraction Watch."
        assert page.texts(f"{ALARM}/p")[1:] == [f"Retraction: {told} Retraction: The lattice, doi:10.5555/woven.2"]
        assert page.all(f"{ALARM}//a/@href") == [notice.get_absolute_url(), "https://doi.org/10.5555/woven.2"]
        page = get(client, notice.get_absolute_url())
        assert page.texts(ALARM) == []
        assert page.texts("//div[@class='notice']/p") == [
            "This is a notice about work that was published before:",
            f"Retraction: {told} The woven lattice number 1, doi:10.5555/woven.1",
        ]

    def test_a_retraction_that_only_a_flag_tells_of(self, client):
        page = get(client, bring(1, title=["RETRACTED: The lattice of it"]).get_absolute_url())
        assert page.texts(f"{ALARM}/p")[1:] == ["The source that says so names no notice."]
        assert page.one("//h1") == "The lattice of it"

    def test_a_notice_in_the_place_of_the_work(self, client):
        paper = bring(1, updated_by=[update("10.5555/woven.1", "removal", updated=None)])
        page = get(client, paper.get_absolute_url())
        assert page.texts(f"{ALARM}/strong") == ["This paper has been withdrawn."]
        assert page.texts(f"{ALARM}/p")[-1] == "Removal: By its publisher."
        assert page.all(f"{ALARM}//a/@href") == []

    def test_corrections_and_concerns_are_told_quietly(self, client):
        paper = bring(
            1,
            updated_by=[
                update("10.5555/c", "correction"),
                update("10.5555/e", "expression_of_concern", updated={"date-parts": [[2023]]}),
            ],
        )
        page = get(client, paper.get_absolute_url())
        assert page.texts(ALARM) == []
        assert page.texts("//div[@class='notice']/p") == [
            "Correction: 4 March 2022, by its publisher. doi:10.5555/c",
            "Expression of concern: 2023, by its publisher. doi:10.5555/e",
        ]
        assert page.all("//div[@class='notice']//a/@href") == [
            "https://doi.org/10.5555/c",
            "https://doi.org/10.5555/e",
        ]


def work_with_everything() -> dict[str, Any]:
    """A conference paper with all that a record of its kind holds."""
    people = [("Zoë", "Vek"), ("Ansel", "Thorn"), ("Mira", "Quill"), ("Jun", "Ode")]
    orcids = ["0000-0002-1825-0097", "0000-0001-5109-3700", "0000-0002-1694-233X", "0000-0003-1415-9269"]
    return {
        "DOI": "10.5555/senweave.97",
        "type": "proceedings-article",
        "title": ["Weaving sensors into threads"],
        "container-title": ["Proceedings of the 21st Conference on Woven Sensors"],
        "page": "100-113",
        "volume": None,
        "issue": None,
        "published-online": {"date-parts": [[2023, 11, 12]]},
        "published-print": {"date-parts": [[2024, 4, 26]]},
        "published": {"date-parts": [[2023, 11, 12]]},
        "issued": {"date-parts": [[2023, 11, 12]]},
        "event": {
            "name": "SenWeave '23: 21st Conference on Woven Sensors",
            "location": "Nowhere Islands",
            "acronym": "SenWeave '23",
            "start": {"date-parts": [[2023, 11, 12]]},
            "end": {"date-parts": [[2023, 11, 17]]},
        },
        "author": [
            crossref_documents.person(
                given,
                family,
                sequence="first" if number == 0 else "additional",
                ORCID=f"http://orcid.org/{orcids[number]}",
                affiliation=[{"name": f"University of Nowhere {number % 2}, Nowhere"}],
            )
            for number, (given, family) in enumerate(people)
        ],
        "reference": [
            {
                "key": f"e_1_3_2_1_{number}_1",
                **(
                    {"DOI": f"10.5555/woven.{number}", "doi-asserted-by": "publisher"}
                    if number % 4 == 1 and number <= 85
                    else {"unstructured": f"A. Thorn. {1990 + number % 30}. Thread number {number}."}
                ),
            }
            for number in range(1, 92)
        ],
        "reference-count": 91,
        "references-count": 91,
    }


def test_a_conference_paper_with_everything(client):
    bring(5)
    paper = bring(**work_with_everything())
    page = get(client, paper.get_absolute_url())
    assert dates(page) == ["Published online 12 November 2023", "In print 26 April 2024", "Conference paper"]
    assert (
        facts(page)["Event"] == "SenWeave '23: 21st Conference on Woven Sensors, Nowhere Islands, 12–17 November 2023"
    )
    assert page.one(f"{REFERENCES}/p[1]") == "22 of 91 linked by DOI, 1 on this site."
    assert page.one(f"{REFERENCES}/p[last()]") == "All 91 references"
    assert page.texts("//ol[@aria-label='Authors']/li/sup") == ["1", "2", "1", "2"]
    assert page.texts("//ol[@aria-label='Affiliations']/li") == [
        "1University of Nowhere 0, Nowhere",
        "2University of Nowhere 1, Nowhere",
    ]
    assert list(
        paper.authorships.order_by("position").values_list("source_authorships__orcid", "affiliations__text")
    ) == [
        ("0000-0002-1825-0097", "University of Nowhere 0, Nowhere"),
        ("0000-0001-5109-3700", "University of Nowhere 1, Nowhere"),
        ("0000-0002-1694-233X", "University of Nowhere 0, Nowhere"),
        ("0000-0003-1415-9269", "University of Nowhere 1, Nowhere"),
    ]


def test_the_number_of_queries_does_not_depend_on_how_many_there_are(client):
    counts = []
    for size in (1, 24, 100):
        base = size * 1_000
        cited = bring(base, reference=to(*range(base + 1, base + 1 + size)))
        cited = bring(
            base,
            reference=to(*range(base + 1, base + 1 + size)),
            updated_by=[update(f"10.5555/c.{number}", "correction") for number in range(size)],
            indexed={"date-time": "2026-01-01T00:00:00Z"},
        )
        for number in range(min(size, 30)):
            bring(base + 500 + number, reference=to(base))
        record_citation_counts(source="openalex", counts={cited.pk: 5}, as_of=cited.cited_as_of)
        found = []
        for address in (cited.get_absolute_url(), f"/papers/{cited.pk}/references", f"/papers/{cited.pk}/cited-by"):
            with CaptureQueriesContext(connection) as queries:
                get(client, address)
            found.append(len(queries))
            assert not [
                query["sql"] for query in queries if not query["sql"].lstrip().startswith(("SELECT", "EXPLAIN"))
            ]
        counts.append(found)
    assert counts == [counts[0]] * 3
    assert max(counts[0]) <= 12


@pytest.mark.parametrize(("authors", "references"), [(700, 91), (3, 3_000)])
def test_large_papers_stay_light(client, authors, references):
    listed = [
        {
            "key": f"r{number}",
            "DOI": f"10.5555/far.{number}",
            "unstructured": f"Vek {number}, Zoë: Threads of {number}. " * 9,
        }
        for number in range(references)
    ]
    people = [crossref_documents.person(f"Zoë {number}", f"Vek{number * 7919}") for number in range(authors)]
    paper = bring(1, reference=listed, reference_count=references, author=people)
    for address in (paper.get_absolute_url(), f"/papers/{paper.pk}/references?after=60"):
        assert len(gzip.compress(client.get(address).content, 6)) < 60_000
