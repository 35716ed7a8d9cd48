"""Writing what the model concludes."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from researchers.models import (
    Attribution,
    Researcher,
    ResearcherName,
)
from researchers.services.attributions import AttributionDraft, NewResearcher, create_researchers, write_attributions
from tests.researchers.people import (
    arrive,
    give,
    paper,
    place,
    researcher,
    shown,
)

pytestmark = pytest.mark.django_db


class TestWriting:
    def test_new_researchers_are_roots_with_a_name(self) -> None:
        ids = create_researchers([NewResearcher("Ada Weaver", "arxiv", "Latn", ("weaver a",)), NewResearcher("李明")])
        rows = list(Researcher.objects.order_by("pk").values_list("pk", "root", "display_name", "slug", "version"))
        assert rows == [(ids[0], ids[0], "Ada Weaver", "ada-weaver", 1), (ids[1], ids[1], "李明", "", 1)]
        name = ResearcherName.objects.get(researcher=ids[0])
        assert (name.value, name.source, name.script, name.match_keys) == ("Ada Weaver", "arxiv", "Latn", ["weaver a"])
        assert Researcher.objects.get(pk=ids[1]).get_absolute_url() == f"/researchers/{ids[1]}"

    def test_two_authors_of_a_paper_may_change_places_in_one_batch(self) -> None:
        a, b = researcher(), researcher()
        work = paper("A. Weaver", "Ada Weaver")
        one, other = arrive(a, place(work, 1)), arrive(b, place(work, 2))
        swap = [AttributionDraft(one.pk, work.pk, b.pk, "orcid"), AttributionDraft(other.pk, work.pk, a.pk, "orcid")]
        assert write_attributions(swap).written == (one.pk, other.pk)
        assert (shown(one), shown(other)) == (b.pk, a.pk)

    def test_what_is_the_same_is_not_written(self) -> None:
        a = researcher()
        at = arrive(a)
        before = Attribution.objects.values().get()
        report = give(at, a)
        assert (report.written, report.unchanged, Attribution.objects.values().get()) == ((), 1, before)

    def test_refused_is_a_base_or_place_that_is_not_there(self) -> None:
        a = researcher()
        work, elsewhere = paper("A. Weaver"), paper("A. Weaver")
        at = place(work)
        drafts = [AttributionDraft(at.pk, work.pk, a.pk + 10**6, "model")]
        assert write_attributions(drafts).refused == {at.pk: f"there is no researcher {a.pk + 10**6}"}
        drafts = [AttributionDraft(at.pk, elsewhere.pk, a.pk, "model")]
        assert write_attributions(drafts).refused == {at.pk: "decided by a person, or gone"}
        assert not Attribution.objects.exists()

    def test_queries_do_not_grow_with_the_batch(self) -> None:
        people = [researcher() for _ in range(6)]
        drafts = [
            AttributionDraft((at := place(paper("A. Weaver"))).pk, at.paper_id, one.pk, "model") for one in people
        ]
        with CaptureQueriesContext(connection) as few:
            write_attributions(drafts[:1])
        with CaptureQueriesContext(connection) as many:
            write_attributions(drafts[1:])
        assert len(few) == len(many)
