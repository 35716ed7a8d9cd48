"""One paper in the admin: what is shown, beside what each source says of it."""

from __future__ import annotations

import json

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test.utils import CaptureQueriesContext

from papers.admin.paper import AUTHORS_SHOWN
from papers.models import Authorship, Paper, SourceRecord
from papers.services.ingest import ingest_records
from papers.services.pins import pin_field
from tests.admin_people import client_of, statuses, user_with
from tests.factories import CategoryFactory, PaperFactory, SourceRecordFactory
from tests.html import get
from tests.papers.services.invented import arxiv_record, author, pairs, paper_record, version

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("invented_source")]
SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
def curator():
    return client_of(user_with("papers.view_paper", "papers.pin_paper"))


@pytest.fixture
def viewer():
    return client_of(user_with("papers.view_paper"))


@pytest.fixture
def paper() -> Paper:
    """Told of by two records that differ in title, date and licence."""
    for code in ("cs.CL", "math.CO"):
        CategoryFactory(code=code)
    first = arxiv_record(title="The weft", authors=[author("Ada Weaver", affiliations=("Loom House",))])
    second = paper_record(
        external_id="x2", format="raw", rank=60, identifiers=[("arxiv", "2001.00001"), ("doi", "10.1234/weft")],
        title="The weft, revised", abstract=first.abstract, authors=["A. Weaver"], licence="https://licence.test/",
        versions=[version(1), version(2, "2020-03-04", withdrawn=True)],
    )  # fmt: skip
    ingest_records(pairs(first, second))
    return Paper.objects.get()


def url(paper: Paper) -> str:
    return f"/admin/papers/paper/{paper.pk}/change/"


def table(page) -> dict[str, list[str]]:
    """The texts of the cells, by field; a cell that is marked begins with ``differs:``."""
    return {
        " ".join(row.xpath("./th/text()")[0].split()): [
            " ".join(cell.text_content().split()) for cell in row.xpath("./td")
        ]
        for row in page.all("//table[@class='comparison']/tbody/tr")
    }


def test_every_source_stands_beside_what_is_shown(viewer, paper):
    page = get(viewer, url(paper))
    assert page.texts("//table[@class='comparison']/thead//th") == [
        "Field",
        "Shown",
        "invented (full)",
        "invented (raw)",
    ]
    assert table(page) == {
        "Title": ["The weft", "The weft", "differs: The weft, revised"],
        "Authors": ["1: Ada Weaver", "1: Ada Weaver", "differs: 1: A. Weaver"],
        "Abstract": ["Nothing is known about it."] * 3,
        "Kind": ["preprint", "—", "—"],
        "Status": ["withdrawn", "differs: current", "withdrawn"],
        "Published": ["2020-01-01", "—", "—"],
        "Categories": ["cs.CL, math.CO", "cs.CL, math.CO", "—"],
        "arXiv id": ["2001.00001"] * 3,
        "DOI": ["10.1234/weft", "—", "10.1234/weft"],
        "Versions": ["v1, v2 (withdrawn)", "differs: v1", "v1, v2 (withdrawn)"],
        "Venue": ["—"] * 3,
        "Volume": ["—"] * 3,
        "Issue": ["—"] * 3,
        "Pages": ["—"] * 3,
        "Publisher": ["—"] * 3,
        "Licence": ["https://licence.test/", "—", "https://licence.test/"],
        "Comments": ["—"] * 3,
        "Journal reference": ["—"] * 3,
        "Report number": ["—"] * 3,
    }
    assert len(page.all("//td[@class='differs']")) == 4


def test_authors_versions_identifiers_and_history(viewer, paper):
    page = get(viewer, url(paper))
    assert page.texts("//section[h2[@id='authors']]//tbody/tr/*") == [
        "1", "Ada Weaver", "Ada Weaver invented, full A. Weaver invented, raw", "Loom House",
    ]  # fmt: skip
    assert page.texts("//section[h2[@id='versions']]//tbody/tr") == [
        "v1 2020-01-01 12:00 UTC — — —",
        "v2 2020-03-04 12:00 UTC — — withdrawn",
    ]
    assert page.value("//a[@class='historylink']/@href") == f"/admin/papers/paper/{paper.pk}/history/"
    assert "arXiv 2001.00001 , DOI 10.1234/weft" in page.one("//dl[@class='facts']").replace(
        "2001.00001,", "2001.00001 ,"
    )


def test_raw_records_are_text_and_can_be_downloaded(viewer, paper):
    page = get(viewer, url(paper))
    shown = page.texts("//pre[@class='payload']")
    records = list(SourceRecord.objects.order_by("format"))
    assert [json.loads(text) for text in shown] == [json.loads(bytes(record.payload)) for record in records]
    links = page.all("//details[@class='raw-record']//a/@href")
    response = viewer.get(links[0])
    assert response.content == bytes(records[0].payload)
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response["Content-Disposition"] == f'attachment; filename="record-{records[0].pk}.txt"'
    assert response["X-Content-Type-Options"] == "nosniff"


def test_a_record_of_another_paper_is_not_found_under_this_one(viewer, paper):
    other = SourceRecordFactory()
    assert viewer.get(f"/admin/papers/paper/{paper.pk}/records/{other.pk}/").status_code == 404
    assert viewer.get(f"/admin/papers/paper/0/records/{other.pk}/").status_code == 404
    assert viewer.post(f"/admin/papers/paper/{other.paper_id}/records/{other.pk}/").status_code == 405


def test_a_record_that_its_source_no_longer_takes_is_still_shown(viewer):
    record = SourceRecordFactory(source="gone", payload=b"\xff<not xml")
    page = get(viewer, url(record.paper))
    assert "can no longer be read" in page.one("//table[@class='comparison']/thead//th[3]")
    assert page.texts("//pre[@class='payload']") == ["\ufffd<not xml"]


def test_pins_say_who_when_and_why(curator, paper):
    user = user_with()
    pin_field(paper_id=paper.pk, field="venue", value="Journal of Knots", by=user.pk, reason="By the publisher.")
    pin_field(paper_id=paper.pk, field="pages", value="3-4", by=None)
    page = get(curator, url(paper))
    at = Paper.objects.get().pinned["venue"]["at"][:16].replace("T", " ")
    assert page.texts("//p[@class='pin']") == [
        f"pinned by {user}, {at} UTC: By the publisher.",
        f"pinned by the system, {Paper.objects.get().pinned['pages']['at'][:16].replace('T', ' ')} UTC",
    ]
    assert table(page)["Venue"] == [f"Journal of Knots pinned by {user}, {at} UTC: By the publisher.", "—", "—"]


def test_only_who_may_pin_sees_the_way_to_it(curator, viewer, paper):
    assert len(get(curator, url(paper)).all("//a[contains(@href, '/pin/')]")) == 14 + 2
    assert get(viewer, url(paper)).all("//a[contains(@href, '/pin/') or contains(@href, '/unpin/')]") == []


def test_long_author_lists_are_shown_in_part(viewer):
    paper = PaperFactory(authors=[])
    Authorship.objects.bulk_create(
        Authorship(paper=paper, position=number, name=f"Author {number}") for number in range(1, AUTHORS_SHOWN + 4)
    )
    page = get(viewer, url(paper))
    assert len(page.all("//section[h2[@id='authors']]//tbody/tr")) == AUTHORS_SHOWN
    assert page.one("//a[@href='?authors=all#authors']") == "Show 3 more"
    everyone = get(viewer, f"{url(paper)}?authors=all")
    assert len(everyone.all("//section[h2[@id='authors']]//tbody/tr")) == AUTHORS_SHOWN + 3


def test_nothing_of_a_source_can_act(curator):
    CategoryFactory(code="cs.CL")
    record = arxiv_record(
        title=SCRIPT, abstract=SCRIPT, comments=f"\"'>{SCRIPT}", licence="javascript:alert(1)", report_number=SCRIPT,
        authors=[author(SCRIPT, affiliations=(SCRIPT,))],
    )  # fmt: skip
    ingest_records(pairs(record))
    paper = Paper.objects.get()
    pin_field(paper_id=paper.pk, field="venue", value=SCRIPT, by=None, reason=SCRIPT)
    raw = f"<r>{SCRIPT}</r><!-- -->]]>".encode()
    SourceRecordFactory(paper=paper, payload=raw, external_id=SCRIPT, stamp=SCRIPT)
    page = get(curator, url(paper))
    assert all(script.get("src", "").startswith("/static/admin/") for script in page.all("//script"))
    assert page.all("//@onclick | //@onerror | //@style") == []
    assert [href for href in page.all("//@href") if not href.startswith(("/", "?", "#"))] == []
    assert SCRIPT in page.one("//h1[.//text()[contains(., 'alert')]]")
    assert raw.decode() in page.texts("//pre[@class='payload']")


def test_a_merged_paper_says_where_it_leads(viewer):
    survivor = PaperFactory()
    merged = PaperFactory(redirect_to=survivor)
    page = get(viewer, url(merged))
    assert page.value("//p[@class='errornote']/a/@href") == url(survivor)


@pytest.mark.parametrize("key", ["0", "999999999", "x", "1_0", "%C2%B2", "9" * 30])
def test_an_unknown_paper_leads_back_to_the_list(viewer, key):
    response = viewer.get(f"/admin/papers/paper/{key}/change/")
    assert (response.status_code, response["Location"]) == (302, "/admin/papers/paper/")


@pytest.mark.parametrize("authors", [1, 30])
def test_the_number_of_queries_is_fixed(viewer, authors):
    for code in ("cs.CL", "math.CO"):
        CategoryFactory(code=code)
    names = [author(f"Ada Weaver{number}", affiliations=("Loom House",)) for number in range(authors)]
    ingest_records(pairs(arxiv_record(authors=names), paper_record(
        external_id="x2", format="raw", identifiers=[("arxiv", "2001.00001")], authors=names,
        versions=[version(number) for number in range(1, authors + 1)])))  # fmt: skip
    address = url(Paper.objects.get())
    with CaptureQueriesContext(connection) as queries:
        get(viewer, address)
    assert len(queries) == 12, [query["sql"][:80] for query in queries]


def test_who_may_see_it_and_that_it_cannot_be_saved(paper):
    seen = statuses("get", url(paper), "papers.view_paper", acting="papers.pin_paper")
    assert seen == {
        "anonymous": 302, "reader": 302, "staff": 403, "viewer": 200, "actor": 200, "superuser": 200,
    }  # fmt: skip
    record = SourceRecord.objects.first()
    raw = f"/admin/papers/paper/{paper.pk}/records/{record.pk}/"
    assert statuses("get", raw, "papers.view_paper", acting="papers.pin_paper") == seen
    posted = client_of(user_with(is_superuser=True)).post(url(paper), {"title": "Mine"})
    assert posted.status_code == 405
    assert Paper.objects.get().title == "The weft"
    assert LogEntry.objects.count() == 0
