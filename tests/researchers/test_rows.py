"""What the database refuses, where addresses lead, and what the nightly check finds."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from researchers.merging import ADAPTER
from researchers.models import (
    Assertion,
    Attribution,
    Decision,
    MergeEvent,
    Researcher,
)
from tests.researchers.people import (
    arrive,
    merge,
    orcid,
    paper,
    place,
    researcher,
)
from wovepaper.curation.services import (
    moved_permanently,
    resolve,
)

pytestmark = pytest.mark.django_db


class TestRows:
    def test_the_database_refuses_what_must_not_be(self, someone: User) -> None:
        a, b = researcher(), researcher()
        event = merge(a, b, someone).event
        orcid(a, "0000-0002-1825-0097")
        work = paper("A. Weaver", "Ada Weaver")
        arrive(a, place(work, 1))
        new = {"decided_by": "model", "decided_at": timezone.now()}
        wrong = [
            lambda: MergeEvent.objects.create(
                kind="merge", live=True, loser=a, survivor=b, reason="x", subjects=[], idempotency_key="other"
            ),
            lambda: orcid(b, "0000-0002-1825-0097"),
            lambda: Researcher.objects.filter(pk=b.pk).update(root=a),
            lambda: Attribution.objects.create(authorship=place(work, 2), paper=work, base=a, root=a, **new),
            lambda: Attribution.objects.create(authorship=place(work, 2), paper=work, base=b, root=b, **new),
            lambda: Assertion.objects.create(a=b, b=a, kind="same", reason="x"),
            lambda: MergeEvent.objects.filter(pk=event.pk).update(reason=""),
        ]
        for write in wrong:
            with pytest.raises(IntegrityError), transaction.atomic():
                write()

    def test_nothing_is_deleted(self, someone: User) -> None:
        a, b = researcher(), researcher()
        event = merge(a, b, someone).event
        for delete in (a.delete, Researcher.objects.all().delete, event.delete):
            with pytest.raises(TypeError):
                delete()
        someone.delete()
        event.refresh_from_db()
        assert event.actor is None

    def test_addresses(self, someone: User) -> None:
        a, b = researcher(), researcher()
        merge(a, b, someone)
        found = resolve(ADAPTER, a.pk)
        assert (found.shown, found.moved) == (b.pk, True)
        assert resolve(ADAPTER, b.pk).moved is False
        assert resolve(ADAPTER, 10**9) is None
        response = moved_permanently("/researchers/1")
        assert (response.status_code, response["Location"], response["Cache-Control"]) == (
            301,
            "/researchers/1",
            "max-age=3600",
        )


class TestCheck:
    def run(self) -> str:
        out = StringIO()
        call_command("check_identity", stdout=out)
        return out.getvalue()

    def test_it_finds_each_kind_of_fault(self, someone: User) -> None:
        a, b, c = researcher(), researcher(), researcher()
        at = arrive(a)
        assert self.run() == (
            "Every shown researcher is the root of its base, and no decision is broken.\n"
            "The figures of 2 researchers follow from their papers; 1 more wait for the pipeline.\n"
        )
        Attribution.objects.update(root=b)
        Researcher.objects.filter(pk=c.pk).update(merged_into=b, root=a)
        out = StringIO()
        with pytest.raises(CommandError, match="4 faults"):
            call_command("check_identity", stdout=out)
        assert f"researcher {c.pk} has root {a.pk}, not {b.pk}" in out.getvalue()
        assert "attribution not shown under the root of its base: 1" in out.getvalue()
        assert "merged, and no event in force says so, or the reverse: 1" in out.getvalue()
        Attribution.objects.update(root=a)
        Researcher.objects.filter(pk=c.pk).update(merged_into=None, root=c.pk)
        Decision.objects.create(
            authorship=at, paper_id=at.paper_id, printed_name="x", researcher=a, verdict="is_not", reason="x"
        )
        with pytest.raises(CommandError, match="1 faults"):
            self.run()
        Decision.objects.all().delete()
        Researcher.objects.filter(pk=a.pk).update(merged_into=b, root=b)
        Researcher.objects.filter(pk=b.pk).update(merged_into=a, root=a)
        out = StringIO()
        with pytest.raises(CommandError):
            call_command("check_identity", stdout=out)
        assert "go in a circle" in out.getvalue()
