"""The curators' screens of papers: the queue, one item, the preview, the history, splits, clashes."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from papers.curating import versions_of
from papers.merging import ensure_curated
from papers.models import IdentifierClash, Paper, PaperAssertion, PaperCandidate, PaperMergeEvent, SourceRecord
from papers.services.ingest import ingest_records
from tests.admin_people import client_of, user_with
from tests.papers.services.invented import arxiv_record, pairs, paper_record

pytestmark = pytest.mark.django_db

RIGHTS = ("papers.review_papercandidate", "papers.merge_paper", "papers.undo_own_paper_event", "papers.split_paper")
KEY = "0123456789abcdef0123456789abcdef"
TITLE = "A sufficiently long title on looms"


@pytest.fixture(autouse=True)
def _sources(invented_source: None) -> None:
    """Records can be parsed again."""


@pytest.fixture
def curator() -> Any:
    return user_with(*RIGHTS)


@pytest.fixture
def desk(curator: Any) -> Client:
    return client_of(curator)


def article(number: int, **values: Any) -> Any:
    name = f"10.1/{number}"
    return paper_record(
        **{
            "source": "invented-2", "external_id": name, "identifiers": [("doi", name)], "title": TITLE,
            "authors": ["Ada Weaver", "Bo Spindle"], "published": {"year": 2024}, "kind": "article", **values,
        }
    )  # fmt: skip


@pytest.fixture
def item() -> PaperCandidate:
    """A preprint of 2020 and an article of 2024 of one title."""
    ingest_records(pairs(arxiv_record(title=TITLE, authors=["Ada Weaver", "Bo Spindle"])))
    ingest_records(pairs(article(1)))
    return PaperCandidate.objects.get()


def form(item: PaperCandidate, **values: Any) -> dict[str, Any]:
    versions = [f"{pk}:{version}" for pk, version in versions_of(item.members).items()]
    return {"candidate": item.pk, "member": item.members, "version": versions, "key": KEY, "reason": "so", **values}


def url(name: str, *args: Any) -> str:
    return reverse(f"admin:papers_{name}", args=args)


def test_the_queue_lists_titles_and_scores(
    desk: Client, item: PaperCandidate, django_assert_max_num_queries: Any
) -> None:
    for number in range(2, 6):
        other = Paper.objects.create(title=f"Loom {number}")
        ensure_curated([other.pk])
        PaperCandidate.objects.create(key=f"k{number}", members=[item.members[0], other.pk], score=0.3)
    with django_assert_max_num_queries(12):
        page = desk.get(url("papercandidate_changelist")).content.decode()
    assert "<strong>5</strong> left to review" in " ".join(page.split())
    assert "80%" in page
    assert "Loom 5" in page
    assert "Loom 5" not in desk.get(url("papercandidate_changelist"), {"score": "likely"}).content.decode()


def test_an_item_shows_both_and_changes_nothing(
    desk: Client, item: PaperCandidate, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(20):
        page = " ".join(desk.get(url("papercandidate_change", item.pk)).content.decode().split())
    assert "Their years are 4 apart." in page
    assert "2 of 2 the same" in page
    assert "<code>10.1/1</code>" in page
    assert "Published <small>differs</small>" in page
    assert not PaperMergeEvent.objects.exists()
    item.refresh_from_db()
    assert item.leased_to is None


def test_merge_with_preview_and_undo(desk: Client, item: PaperCandidate, curator: Any) -> None:
    preprint, published = item.members
    answer = desk.post(url("papercandidate_decide", item.pk), form(item, action="merge", survivor=preprint))
    assert answer.status_code == 302
    page = " ".join(desk.get(answer["Location"]).content.decode().split())
    assert f"<code>/papers/{published}</code>" in page
    assert Paper.objects.visible().count() == 2
    merge = url("papercandidate_merge", item.pk)
    assert desk.post(merge, form(item, survivor=preprint)).status_code == 302
    assert desk.post(merge, form(item, survivor=preprint)).status_code == 302  # sent twice, it is one
    event = PaperMergeEvent.objects.get()
    assert (event.loser_id, event.survivor_id, event.actor, event.reason) == (published, preprint, curator, "so")
    paper = Paper.objects.visible().get()
    assert (paper.pk, paper.doi, paper.kind) == (preprint, "10.1/1", "article")
    item.refresh_from_db()
    assert item.state == "merged"
    act = desk.session["paper_curation_last_act"]
    token = f"events:{item.pk}:{event.pk}:1"
    assert act["numbers"] == [event.pk]
    desk.post(url("papercandidate_undo"), {"act": "another", "key": KEY})
    assert Paper.objects.visible().count() == 1
    desk.post(url("papercandidate_undo"), {"act": token, "key": KEY})
    assert Paper.objects.visible().count() == 2
    item.refresh_from_db()
    assert item.state == "open"


def test_a_stale_form_is_told_what_happened(desk: Client, item: PaperCandidate) -> None:
    stale = form(item, survivor=item.members[0])
    third = Paper.objects.create(title="Third")
    ensure_curated([third.pk])
    somebody = user_with(is_superuser=True)
    other = client_of(somebody)
    numbers = [item.members[0], third.pk]
    candidate = PaperCandidate.objects.create(key="other", members=numbers)
    other.post(url("papercandidate_decide", candidate.pk), form(candidate, action="different", reason="A third"))
    item.refresh_from_db()
    assert (item.state, item.leased_to) == ("open", somebody)  # the third is not one of its two; they go on with it
    PaperCandidate.objects.update(leased_to=None, leased_until=None)
    answer = desk.post(url("papercandidate_merge", item.pk), stale)
    assert answer.status_code == 409
    assert "A third" in answer.content.decode()
    assert Paper.objects.filter(redirect_to__isnull=False).count() == 0


def test_different_closes_the_item_and_can_be_taken_back(desk: Client, item: PaperCandidate, curator: Any) -> None:
    desk.post(url("papercandidate_decide", item.pk), form(item, action="different"))
    assertion = PaperAssertion.objects.get()
    assert (assertion.kind, assertion.by, assertion.reason) == ("different", curator, "so")
    item.refresh_from_db()
    assert item.state == "different"
    page = desk.get(url("paperassertion_change", assertion.pk)).content.decode()
    assert "Take it back" in page
    assert "are different" in desk.get(url("paperassertion_changelist")).content.decode()
    desk.post(url("paperassertion_revoke", assertion.pk), {"reason": "wrong"})
    assertion.refresh_from_db()
    item.refresh_from_db()
    assert (assertion.revoked, item.state) == (True, "open")


def test_without_a_reason_nothing_happens(desk: Client, item: PaperCandidate) -> None:
    answer = desk.post(url("papercandidate_decide", item.pk), form(item, action="different", reason=" "))
    assert answer.status_code == 400
    assert not PaperAssertion.objects.exists()
    assert desk.post(url("papercandidate_decide", item.pk), form(item, action="burn")).status_code == 400


def test_not_sure_next_and_the_lease(desk: Client, item: PaperCandidate) -> None:
    answer = desk.post(url("papercandidate_next"))
    assert answer["Location"] == url("papercandidate_change", item.pk)
    other = client_of(user_with(*RIGHTS))
    assert other.post(url("papercandidate_decide", item.pk), form(item, action="not-sure")).status_code == 409
    desk.post(url("papercandidate_decide", item.pk), form(item, action="not-sure"))
    item.refresh_from_db()
    assert item.state == "snoozed"


def test_a_fusion_by_ingest_is_in_the_history_and_any_curator_may_undo_it(desk: Client, curator: Any) -> None:
    ingest_records(pairs(arxiv_record(title=TITLE, authors=["Ada Weaver"])))
    ingest_records(pairs(article(1, authors=["Ada Weaver"], title=f"{TITLE}, revised")))
    ingest_records(pairs(article(2, identifiers=[("arxiv", "2001.00001"), ("doi", "10.1/1")])))
    event = PaperMergeEvent.objects.get()
    assert "ingest" in desk.get(url("papermergeevent_changelist")).content.decode()
    found = desk.get(url("papermergeevent_changelist"), {"q": str(event.loser_id)}).content.decode()
    assert f"Merged paper {event.loser_id} into {event.survivor_id}" in found
    assert "Merged paper" not in desk.get(url("papermergeevent_changelist"), {"q": "99999999"}).content.decode()
    page = desk.get(url("papermergeevent_change", event.pk)).content.decode()
    assert "Records of both claim one identifier." in page
    assert "Undo it" in page
    answer = desk.post(url("papermergeevent_undo", event.pk), {"reason": "Two works", "key": KEY})
    assert answer.status_code == 302
    event.refresh_from_db()
    assert not event.live
    assert Paper.objects.visible().count() == 2


def test_what_another_curator_merged_needs_the_right_to_undo_any(desk: Client, item: PaperCandidate) -> None:
    client_of(user_with(*RIGHTS)).post(url("papercandidate_merge", item.pk), form(item, survivor=item.members[0]))
    event = PaperMergeEvent.objects.get()
    assert desk.post(url("papermergeevent_undo", event.pk), {"reason": "no", "key": KEY}).status_code == 403
    event.refresh_from_db()
    assert event.live


def test_split_by_records(desk: Client) -> None:
    ingest_records(
        pairs(arxiv_record(title=TITLE), article(1, identifiers=[("doi", "10.1/1"), ("arxiv", "2001.00001")]))
    )
    paper = Paper.objects.get()
    page = desk.get(url("papercandidate_split", paper.pk)).content.decode()
    record = SourceRecord.objects.get(external_id="10.1/1")
    assert f'value="{record.pk}"' in page
    sent = {"record": [record.pk], "target": "new", "version": [f"{paper.pk}:1"], "key": KEY, "reason": "Another"}
    assert desk.post(url("papercandidate_split", paper.pk), {**sent, "record": []}).status_code == 422
    assert (
        desk.post(url("papercandidate_split", paper.pk), {**sent, "target": "other", "other": "99"}).status_code == 409
    )
    answer = desk.post(url("papercandidate_split", paper.pk), sent)
    event = PaperMergeEvent.objects.get(kind="split")
    assert answer["Location"] == url("papermergeevent_change", event.pk)
    assert desk.get(answer["Location"]).status_code == 200
    record.refresh_from_db()
    assert record.paper_id == event.survivor_id != paper.pk


def test_two_papers_are_compared_by_number(desk: Client, item: PaperCandidate) -> None:
    third = Paper.objects.create(title="Third")
    answer = desk.post(url("papercandidate_compare"), {"paper": [third.pk, item.members[0]]})
    asked = PaperCandidate.objects.get(members=[item.members[0], third.pk])
    assert answer["Location"] == url("papercandidate_change", asked.pk)
    assert asked.reasons == ["A curator asks."]
    assert desk.post(url("papercandidate_compare"), {"paper": [third.pk, 10**9]}).status_code == 409


def test_clashes_are_listed_with_owner_and_claimant(desk: Client) -> None:
    for number in ("2001.00001", "2001.00002"):
        ingest_records(pairs(arxiv_record(number, identifiers=[("arxiv", number), ("doi", "10.1/x")])))
    assert IdentifierClash.objects.count() == 1
    page = desk.get(url("identifierclash_changelist")).content.decode()
    assert "DOI 10.1/x" in page
    assert "On the invented paper 2001.00001" in page
    assert "On the invented paper 2001.00002" in page


@pytest.mark.parametrize(
    "missing", ["papers.review_papercandidate", "papers.merge_paper", "papers.split_paper"]
)  # fmt: skip
def test_each_right_is_needed(item: PaperCandidate, missing: str) -> None:
    client = client_of(user_with(*(right for right in RIGHTS if right != missing)))
    answers = {
        "papers.review_papercandidate": client.get(url("papercandidate_change", item.pk)),
        "papers.merge_paper": client.post(url("papercandidate_merge", item.pk), form(item, survivor=item.members[0])),
        "papers.split_paper": client.get(url("papercandidate_split", item.members[0])),
    }
    assert answers[missing].status_code == 403
    assert Paper.objects.visible().count() == (2 if missing != "papers.split_paper" else 1)
