"""Profiles that sources keep of authors: whose they are, what follows from them, and what does not."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from papers.models import Paper
from papers.sources.profiles import AuthorProfile, MergedAuthor
from researchers.enriching import AuthorSubjects
from researchers.indexing import index_researchers
from researchers.metrics import badges
from researchers.models import ResearcherIdentifier, ResearcherMetric, SourceAuthor
from researchers.services.source_authors import settle_profiles, take_merged, take_profiles
from tests.papers.services.invented import author
from tests.researchers.harvested import (
    ORCID,
    OTHER_ORCID,
    harvest,
    identifiers,
    listed,
    many_people,
    pair,
    place,
    researcher,
    sources,
    who,
    work,
)
from tests.researchers.people import merge, split, undo
from wovepaper.harvest.contracts import Identifier, IngestCounts, Merged, RawRecord
from wovepaper.pipeline.models import WorkItem
from wovepaper.pipeline.services import drain

pytestmark = pytest.mark.django_db
DAY = dt.date(2026, 5, 1)


@pytest.fixture(autouse=True)
def _known_sources():
    with sources():
        many_people()
        yield


def profile(author_id: str = "A1", **values: Any) -> AuthorProfile:
    figures = {"h_index": 6, "cited_by_count": 340, "works_count": 12}
    return AuthorProfile(**{"source": "openalex", "author_id": author_id, "as_of": DAY, "stamp": "2026-05-01",
                            **figures, **values})  # fmt: skip


def take(*profiles: AuthorProfile) -> IngestCounts:
    return take_profiles([(RawRecord(one.author_id, "author", one.stamp, b"{}"), one) for one in profiles])


def become(*pairs: tuple[str, str], on: dt.date | None = DAY, source: str = "openalex") -> IngestCounts:
    return take_merged(
        [(RawRecord(old, "merged-id", "", b""), MergedAuthor(source, old, new, on)) for old, new in pairs]
    )


def by(name: str, author_id: str = "A1", source: str = "openalex", **values: Any) -> Any:
    return work(author(name, source_author_id=author_id, **values), source=source)


def settle() -> set[int]:
    """What the pipeline does with those who wait; the search index stays out of it."""
    waiting = WorkItem.objects.filter(kind="researcher", stage="index")
    ids = set(waiting.values_list("object_id", flat=True))
    waiting.delete()
    if ids:
        settle_profiles(ids)
    return ids


def figures() -> dict[tuple[int, str], tuple[int | None, int | None, int | None, dt.date]]:
    return {
        (row.researcher_id, row.source): (row.h_index, row.cited_by_count, row.works_count, row.as_of)
        for row in ResearcherMetric.objects.all()
    }


def test_the_profile_of_an_id_that_one_person_carries_is_theirs_whichever_comes_first() -> None:
    take(profile("A1"), profile("A2"))
    ada, bert = harvest(by("Ada Weaver"), by("Bert Loom", "A2"))
    settle()
    expected = {(who(ada), "openalex"): (6, 340, 12, DAY), (who(bert), "openalex"): (6, 340, 12, DAY)}
    assert figures() == expected

    ResearcherMetric.objects.all().delete()
    SourceAuthor.objects.all().delete()
    assert take(profile("A1"), profile("A2")) == IngestCounts(new=2)
    settle()
    assert figures() == expected


def test_the_page_says_who_counted_over_what() -> None:
    (paper,) = harvest(by("Ada Weaver", "501"))
    take(profile("501", works_count=None))
    settle()
    assert [(one.label, one.value, one.scope) for one in badges(researcher(who(paper)))[3:]] == [
        ("Citations", 340, "Counted by OpenAlex over all works it knows of them, as of 1 May 2026."),
        ("h-index", 6, "Counted by OpenAlex over all works it knows of them, as of 1 May 2026."),
    ]


def test_an_unchanged_profile_writes_nothing_and_lets_nobody_wait(django_assert_num_queries) -> None:
    harvest(by("Ada Weaver"))
    take(profile())
    settle()
    with django_assert_num_queries(4):  # the savepoint, the lock, the rows
        assert take(profile(), profile()) == IngestCounts(unchanged=2)
    assert settle() == set()


def test_an_id_spread_over_several_people_is_nobodys() -> None:
    ada, bert = harvest(by("Ada Weaver"), by("Bert Loom"))
    take(profile())
    settle()
    assert who(ada) != who(bert)
    assert figures() == {}


def test_one_stray_paper_among_ten_does_not_take_figures_away() -> None:
    papers = harvest(*(work(author("Ada Weaver", source_author_id="A1", orcid=ORCID), source="openalex")
                       for _ in range(9)), by("Bert Loom"))  # fmt: skip
    take(profile())
    settle()
    assert figures() == {(who(papers[0]), "openalex"): (6, 340, 12, DAY)}


def test_of_several_ids_the_one_that_most_papers_carry_counts() -> None:
    papers = harvest(*(work(author("Ada Weaver", source_author_id=one, orcid=ORCID), source="openalex")
                       for one in ("A1", "A2", "A2")))  # fmt: skip
    take(profile("A1", works_count=900), profile("A2"))
    settle()
    assert figures() == {(who(papers[0]), "openalex"): (6, 340, 12, DAY)}


def test_a_profile_with_another_orcid_is_in_conflict_and_counts_for_nobody() -> None:
    (paper,) = harvest(work(author("Ada Weaver", source_author_id="A1", orcid=ORCID), source="openalex"))
    take(profile(orcid=OTHER_ORCID))
    settle()
    assert figures() == {}
    row = ResearcherIdentifier.objects.get(scheme="openalex")
    assert (row.state, row.provenance) == (
        "conflict", {"from": "sources", "why": f"OpenAlex knows another ORCID of it, {OTHER_ORCID}."},
    )  # fmt: skip

    harvest(work(author("Ada Weaver", source_author_id="A1", orcid=ORCID), source="openalex"))
    assert identifiers("openalex") == {(who(paper), "A1", "conflict")}, "another paper settles nothing"

    take(profile(orcid=ORCID, stamp="2026-06-01"))
    settle()
    row.refresh_from_db()
    assert (row.state, row.provenance) == ("claimed", {"from": "sources"})
    assert figures() == {(who(paper), "openalex"): (6, 340, 12, DAY)}


def test_what_people_said_of_an_id_stays() -> None:
    (paper,) = harvest(work(author("Ada Weaver", source_author_id="A1", orcid=ORCID), source="openalex"))
    ResearcherIdentifier.objects.filter(scheme="openalex").update(state="trusted", provenance={"from": "claim"})
    take(profile(orcid=OTHER_ORCID))
    settle()
    assert identifiers("openalex") == {(who(paper), "A1", "trusted")}


def test_a_merged_id_gives_way_to_its_heir_and_so_do_chains_in_any_order() -> None:
    (paper,) = harvest(by("Ada Weaver"))
    assert become(("A2", "A3"), ("A1", "A2")) == IngestCounts(new=2)
    take(profile("A3"))
    settle()
    assert identifiers("openalex") == {(who(paper), "A1", "deprecated"), (who(paper), "A3", "claimed")}
    assert figures() == {(who(paper), "openalex"): (6, 340, 12, DAY)}
    become(("A3", "A4"))
    assert dict(SourceAuthor.objects.exclude(merged_into="").values_list("author_id", "merged_into")) == {
        "A1": "A4", "A2": "A4", "A3": "A4",
    }  # fmt: skip
    settle()
    assert {row for row in identifiers("openalex") if row[2] == "claimed"} == {(who(paper), "A4", "claimed")}
    assert figures() == {}, "of A4 nothing is known"
    assert become(("A1", "A2"), ("A2", "A3"), ("A3", "A4")).unchanged == 3


def test_an_id_cannot_become_part_of_itself() -> None:
    counts = become(("A1", "A2"), ("A2", "A1"))
    assert (counts.new, [refusal.reason for refusal in counts.refused]) == (
        1, ["A2 would become part of itself: A1 is part of it."],
    )  # fmt: skip


def test_an_id_that_was_taken_away_is_nobodys_any_more() -> None:
    (paper,) = harvest(by("Ada Weaver"))
    take(profile())
    settle()
    become(("A1", ""))
    settle()
    assert identifiers("openalex") == {(who(paper), "A1", "deprecated")}
    assert figures() == {}
    take(profile(stamp="2026-06-01", as_of=dt.date(2026, 6, 1)))
    settle()
    assert identifiers("openalex") == {(who(paper), "A1", "claimed")}, "it came back"
    assert figures() == {(who(paper), "openalex"): (6, 340, 12, dt.date(2026, 6, 1))}


def test_people_who_come_to_share_an_id_are_listed_and_stay_two() -> None:
    ada, bert = harvest(by("Ada Weaver"), by("Ann Weaver", "A2"))
    assert listed() == set()
    become(("A2", "A1"))
    settle()
    assert who(ada) != who(bert)
    assert listed() == pair(who(ada), who(bert))
    assert {row for row in identifiers("openalex") if row[2] != "deprecated"} == {
        (who(ada), "A1", "claimed"), (who(bert), "A1", "claimed"),
    }  # fmt: skip


def test_a_merge_of_people_brings_figures_and_its_undoing_takes_them(someone: User) -> None:
    ada, ann = harvest(by("Ada Weaver"), by("Ann Weaver"))
    take(profile())
    settle()
    assert figures() == {}
    one, other = researcher(who(ada)), researcher(who(ann))
    event = merge(other, one, someone).event
    settle()
    assert figures() == {(one.pk, "openalex"): (6, 340, 12, DAY), (other.pk, "openalex"): (6, 340, 12, DAY)}
    assert [badge.scope for badge in badges(researcher(one.pk))[3:]] == [
        "Counted by OpenAlex over all works it knows of them, as of 1 May 2026."
    ] * 3
    undo(event, someone)
    settle()
    assert figures() == {}


def test_a_split_takes_ids_and_figures_along_and_its_undoing_brings_them_back(
    someone: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("researchers.indexing.update_documents", lambda **_: None)
    papers = harvest(
        *(
            work(author("Ada Weaver", source_author_id=one, orcid=ORCID), source="openalex")
            for one in ("A1", "A1", "A2")
        )
    )
    take(profile("A1"), profile("A2", h_index=2))
    drain(stages={"index"})
    ada = who(papers[0]) or 0
    assert figures() == {(ada, "openalex"): (6, 340, 12, DAY)}
    assert identifiers("openalex") == {(ada, "A1", "claimed"), (ada, "A2", "claimed")}

    event = split(researcher(ada), [place(papers[2])], someone)
    drain(stages={"index"})
    other = who(papers[2]) or 0
    assert other != ada
    assert identifiers("openalex") == {(ada, "A1", "claimed"), (ada, "A2", "deprecated"), (other, "A2", "claimed")}
    assert figures() == {(ada, "openalex"): (6, 340, 12, DAY), (other, "openalex"): (2, 340, 12, DAY)}

    undo(event, someone)
    drain(stages={"index"})
    assert identifiers("openalex") == {(ada, "A1", "claimed"), (ada, "A2", "claimed"), (other, "A2", "deprecated")}
    assert figures() == {(ada, "openalex"): (6, 340, 12, DAY)}


def test_parts_of_a_profile_come_together_and_older_ones_only_fill_gaps() -> None:
    bare = {"h_index": None, "cited_by_count": None, "works_count": None, "as_of": None, "stamp": ""}
    take(profile(**{**bare, "h_index": 6}))
    take(profile(**{**bare, "works_count": 12}))
    today = timezone.now().date()
    row = SourceAuthor.objects.get()
    assert (row.h_index, row.cited_by_count, row.works_count, row.as_of) == (6, None, 12, today)
    take(profile(h_index=7, stamp="2027-01-01", as_of=dt.date(2027, 1, 1)))
    assert take(profile(h_index=5, orcid=ORCID, stamp="2026-02-01", as_of=dt.date(2026, 2, 1))).changed == 1
    row.refresh_from_db()
    assert (row.h_index, row.orcid, row.stamp, row.as_of) == (7, ORCID, "2027-01-01", dt.date(2027, 1, 1))


def test_figures_that_cannot_be_are_refused() -> None:
    counts = take(profile(h_index=13), profile("A2", cited_by_count=2**31))
    assert [refusal.reason for refusal in counts.refused] == [
        "An h-index of 13 cannot come from 12 works.", "No author can have figures as large as these.",
    ]  # fmt: skip
    assert SourceAuthor.objects.count() == 0


def test_the_stage_of_researchers_settles_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("researchers.indexing.update_documents", lambda **_: None)
    (paper,) = harvest(by("Ada Weaver"))
    take(profile())
    index_researchers([who(paper) or 0])
    assert figures() == {(who(paper), "openalex"): (6, 340, 12, DAY)}


def test_where_no_profile_is_known_it_costs_little(django_assert_num_queries) -> None:
    (paper,) = harvest(by("Ada Weaver"))
    number = who(paper) or 0
    with django_assert_num_queries(5):  # the savepoint, the members, ids to follow, whom it may concern
        settle_profiles([number])


def test_what_sources_are_asked_about(django_assert_num_queries) -> None:
    (paper,) = harvest(work(author("Ada Weaver", source_author_id="A1"), author("Bert Loom", source_author_id="A2"),
                            source="openalex"))  # fmt: skip
    subjects = AuthorSubjects("openalex")
    ids = subjects.after(0, 10)
    assert len(ids) == 2
    assert (subjects.after(ids[0], 10), subjects.after(0, 1), subjects.after(ids[1], 10)) == (ids[1:], ids[:1], [])
    with django_assert_num_queries(1):
        described = subjects.describe(ids, source="openalex-authors")
    assert [one.identifiers for one in described] == [(Identifier("openalex", "A1"),), (Identifier("openalex", "A2"),)]
    assert AuthorSubjects("semantic-scholar").after(0, 10) == []

    subjects.note_merged(
        [Merged(Identifier("openalex", "A1"), Identifier("openalex", "A9"))], source="openalex-authors"
    )
    row = SourceAuthor.objects.get()
    assert (row.source, row.author_id, row.merged_into, row.changed_on) == (
        "openalex", "A1", "A9", timezone.now().date(),
    )  # fmt: skip
    settle()
    assert (who(paper), "A9", "claimed") in identifiers("openalex")
    assert ids[0] not in {one.id for one in subjects.describe(ids, source="openalex-authors")}, "it was given up"
    Paper.objects.update(is_demo=True)
    assert subjects.describe(ids, source="openalex-authors") == [], "invented people are not asked about"
