"""One object behind every address of the site, and the visitors who try them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

import zstandard
from allauth.account.internal.flows.login import record_authentication
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.conf import settings
from django.contrib.auth.models import AnonymousUser, Group
from django.contrib.contenttypes.models import ContentType
from django.contrib.flatpages.models import FlatPage
from django.contrib.sites.models import Site
from django.http import HttpRequest
from django.test import Client

from accounts.models import Delivery, Notification, PaperEvent, User
from accounts.services.follows import Target, follow
from accounts.unsubscribing import Unsubscription
from institutions import models as institutions_models
from institutions.models import AffiliationRule, Institution
from institutions.services.merging import merge_institutions
from papers.curating import declare_all_different, merge_papers, versions_of
from papers.merging import ensure_curated
from papers.models import CuratedPaper, IdentifierClash, Paper, PaperCandidate
from papers.services.pins import pin_field
from researchers.models import Attribution, Contest, Decision, MergeProposal, ResearcherIdentifier, ResearcherName
from researchers.services.curators import ensure_curators
from tests.accounts.passkeys import add_passkey
from tests.factories import ListingFactory, PaperFactory, SourceRecordFactory, affiliate
from tests.flows.authorisation_matrix import Form, Role
from tests.institutions.organisations import ror_id
from tests.researchers.admin.conftest import pair
from tests.researchers.people import arrive, different, merge, orcid, place, researcher, versions
from wovepaper.harvest.models import (
    GoneRecord,
    HarvestFile,
    HarvestRun,
    HarvestWindow,
    QuarantinedRecord,
    RawPage,
    SourceState,
)
from wovepaper.pipeline.models import WorkItem

AT = dt.datetime(2025, 6, 3, 5, tzinfo=dt.UTC)
KEY = "0123456789abcdef0123456789abcdef"
ORCID = "0000-0002-1825-0097"


@dataclass(frozen=True, slots=True)
class World:
    """``names`` fill the braces of the matrix's addresses and forms."""

    names: dict[str, object]
    users: dict[Role, User | AnonymousUser]

    def client(self, role: Role, *, enforce_csrf_checks: bool = False) -> Client:
        """A browser of its own, in which the visitor is signed in."""
        client = Client(enforce_csrf_checks=enforce_csrf_checks)
        if role is not Role.ANONYMOUS:
            client.force_login(self.users[role])
            # As one who typed in a code a moment ago: what asks for that is open to them.
            session = client.session
            request = HttpRequest()
            request.session = session
            record_authentication(request, self.users[role], method="code", reauthenticated=True)
            session.save()
            client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
        return client


def filled(form: Form, names: Mapping[str, object]) -> dict[str, object]:
    return {
        name: value.format(**names) if isinstance(value, str) else [one.format(**names) for one in value]
        for name, value in form.items()
    }


def make_world() -> World:
    """Everything, in the transaction that is open."""
    users = _users()
    curator, superuser, reader = users[Role.CURATOR], users[Role.SUPERUSER], users[Role.READER]
    names: dict[str, object] = {"key": KEY, "orcid": ORCID}
    names |= _papers(superuser)
    names |= _people(curator, superuser, reader)
    names |= _institutions(superuser)
    names |= _harvests()
    names |= _alerts(reader, names)
    group = Group.objects.create(name="Readers of proofs")
    site = Site.objects.get_or_create(pk=1, defaults={"domain": "papers.test", "name": "papers.test"})[0]
    page = FlatPage.objects.create(url="/how-we-weave/", title="How we weave", content="With care.")
    page.sites.add(site)
    email = EmailAddress.objects.create(user=reader, email="second@papers.test", verified=False, primary=False)
    names |= {
        "group": group.pk,
        "site": site.pk,
        "flatpage": page.pk,
        "email": email.pk,
        "user": reader.pk,
        "user_text": user_pk_to_url_str(reader),
        "passkey": _second_factors(reader),
        "paper_type": ContentType.objects.get_for_model(Paper).pk,
    }
    return World(names, users)


def _second_factors(reader: User) -> int:
    """All kinds; returns the number of the passkey."""
    TOTP.activate(reader, "JBSWY3DPEHPK3PXP")
    # Seen before, which is noted once.
    RecoveryCodes.activate(reader).mark_as_viewed()
    return add_passkey(reader).pk


def _users() -> dict[Role, User | AnonymousUser]:
    made: dict[Role, User | AnonymousUser] = {Role.ANONYMOUS: AnonymousUser()}
    for role in Role:
        if role is not Role.ANONYMOUS:
            made[role] = User.objects.create(
                email=f"{role.value.replace(' ', '.')}@papers.test",
                password="!",
                is_staff=role in (Role.CURATOR, Role.STAFF, Role.SUPERUSER),
                is_superuser=role is Role.SUPERUSER,
            )
            EmailAddress.objects.create(user=made[role], email=made[role].email, verified=True, primary=True)
    made[Role.CURATOR].groups.add(ensure_curators())
    return made


def _papers(superuser: User) -> dict[str, object]:
    made = PaperFactory(
        title="On the knots of a loom", arxiv_id="2101.04242", doi="10.5555/loom.1", versions_made=1,
        authors=["A. Weaver", "B. Spindle"],
    )  # fmt: skip
    ListingFactory(paper=made, category=made.primary_category)
    affiliate(made, 1, "Institute of Weaving")
    record = SourceRecordFactory(paper=made)
    pin_field(paper_id=made.pk, field="venue", value="Annals of Weaving", by=superuser.pk, reason="so")
    return {
        "paper": made.reference,
        "paper_page": made.get_absolute_url(),
        "paper_pk": made.pk,
        "doi": made.doi,
        "category": made.primary_category_id,
        "record": record.pk,
        **_paper_curation(superuser),
    }


def _paper_curation(superuser: User) -> dict[str, object]:
    kept, lost, gone, into, several = (PaperFactory(title=f"On loom {number}", arxiv_id="") for number in range(1, 6))
    going, *_ = [SourceRecordFactory(paper=several, external_id=f"loom-{number}") for number in (1, 2)]
    SourceRecordFactory(paper=gone)
    ensure_curated([kept.pk, lost.pk, gone.pk, into.pk])
    item = PaperCandidate.objects.create(
        key=f"pair:{kept.pk}-{lost.pk}", members=[kept.pk, lost.pk], score=0.9, reasons=["Their titles are the same."]
    )
    (event,) = merge_papers(
        survivor=into.pk, losers=[gone.pk], actor=superuser, reason="so", key="paper", versions={into.pk: 1, gone.pk: 1}
    )
    apart = [kept.pk, into.pk]
    (assertion,) = declare_all_different(papers=apart, actor=superuser, reason="so", versions=versions_of(apart))
    CuratedPaper.objects.update(version=1)
    clash = IdentifierClash.objects.create(paper=kept, scheme="doi", value="10.5555/loom.1")
    return {
        "kept_paper": kept.pk,
        "lost_paper": lost.pk,
        "split_paper": several.pk,
        "going_record": going.pk,
        "paper_item": item.pk,
        "paper_event": event.pk,
        "paper_assertion": assertion.pk,
        "paper_clash": clash.pk,
    }


def _people(curator: User, superuser: User, reader: User) -> dict[str, object]:
    """What others than the curator did is the superuser's: the group may take back only its own."""
    one, other, item = pair("Ada Weaver")
    third = researcher("Ada Weaver")
    arrive(third)
    here = place(Paper.objects.get(arxiv_id="2101.04242"))
    arrive(one, here)
    orcid(one, ORCID)
    event = merge(*pair("Eve Shuttle")[1::-1], superuser).event
    apart = different(one, third, superuser)
    decision = Decision.objects.create(
        authorship=here, paper_id=here.paper_id, printed_name=here.name, researcher=one, verdict="is", by=superuser,
        reason="so",
    )  # fmt: skip
    contest = Contest.objects.create(
        user=reader, authorship=here, paper_id=here.paper_id, printed_name=here.name, attributed=one,
        reason="no, it is not",
    )  # fmt: skip
    loser, survivor, _ = pair("Ida Treadle")
    proposal = MergeProposal.objects.create(
        loser=loser, survivor=survivor, actor=superuser, reason="so", idempotency_key="k",
        versions_seen={str(loser.pk): loser.version, str(survivor.pk): survivor.version},
    )  # fmt: skip
    several = researcher("Una Heddle")
    ResearcherName.objects.create(researcher=several, value="Una Thread")
    ResearcherName.objects.create(researcher=several, value="Una Formerly", visibility="hidden")
    going = arrive(several)
    arrive(several)
    seen = versions(one, other, several)
    one.refresh_from_db()
    return {
        "researcher": one.pk,
        "researcher_page": one.get_absolute_url(),
        "researcher_version": seen[one.pk],
        "other": other.pk,
        "third": third.pk,
        "other_version": seen[other.pk],
        "candidate": item.pk,
        "event": event.pk,
        "assertion": apart.pk,
        "decision": decision.pk,
        "contest": contest.pk,
        "proposal": proposal.pk,
        "author": here.pk,
        "identifier": ResearcherIdentifier.objects.get(researcher=one).pk,
        "several": several.pk,
        "several_version": seen[several.pk],
        "going": Attribution.objects.get(authorship=going).pk,
        "going_author": going.pk,
    }


def _institutions(superuser: User) -> dict[str, object]:
    hall = Institution.objects.create(
        ror_id=ror_id(1), display_name="Loom Hall", kind="education", status="active", hash="0"
    )
    hall.names.create(value="Loom Hall", kind="label", key=" loom hall")
    rule = AffiliationRule.objects.create(pattern="Institute of Weaving", institution=hall, by=superuser, reason="so")
    return {
        "institution": hall.pk,
        "institution_page": hall.get_absolute_url(),
        "rule": rule.pk,
        **_institution_curation(hall, superuser),
    }


def _institution_curation(hall: Institution, superuser: User) -> dict[str, object]:
    two, three, four = (
        Institution.objects.create(
            ror_id=ror_id(number), display_name=f"Loom Hall {number}", kind="education", status="active", hash="0"
        )
        for number in (2, 3, 4)
    )
    item = institutions_models.Candidate.objects.create(
        key=f"pair:{hall.pk}-{two.pk}", members=[hall.pk, two.pk], score=0.9, reasons=["Both are halls."]
    )
    event = merge_institutions(
        loser=four.pk,
        survivor=three.pk,
        actor=superuser,
        reason="so",
        versions={three.pk: three.version, four.pk: four.version},
        key="d" * 32,
    ).event
    assert event is not None
    return {
        "other_institution": two.pk,
        "institution_item": item.pk,
        "institution_event": event.pk,
    }


def _alerts(reader: User, names: Mapping[str, object]) -> dict[str, object]:
    """What the first reader follows, was told of and was sent."""
    code, paper = str(names["category"]), names["paper_pk"]
    followed = follow(user=reader, target=Target.read("category", code))
    event = PaperEvent.objects.create(paper_id=paper, kind="new", day=AT.date(), noticed_at=AT)
    sent = Delivery.objects.create(
        user=reader, cadence="daily", period="2025-06-03", state="sent", available_at=AT, created_at=AT, sent_at=AT
    )
    told = Notification.objects.create(
        user=reader, paper_id=paper, event=event, reasons=[f"category:{code}"], cadence="daily", created_at=AT,
        delivery=sent,
    )  # fmt: skip
    token = Unsubscription(reader.pk).url.rpartition("/")[2]
    return {"follow": followed.pk, "told": told.pk, "mail": sent.pk, "unsubscribe": token}


def _harvests() -> dict[str, object]:
    SourceState.objects.create(name="arxiv", paused_at=AT, paused_because="for the night")
    window = HarvestWindow.objects.create(
        source="arxiv", stream="arXivRaw", first_day=AT.date(), last_day=AT.date(), started_at=AT
    )
    run = HarvestRun.objects.create(source="arxiv", kind="network", pass_started_at=AT, started_at=AT)
    file = HarvestFile.objects.create(source="arxiv", sha256="f" * 64, name="one.xml", size=9, started_at=AT)
    body = zstandard.compress(b"<OAI-PMH/>")
    page = RawPage.objects.create(
        source="arxiv", stream="arXivRaw", window=window, number=1, kind="answer", fetched_at=AT, sha256="a" * 64,
        size=10, body_zstd=body,
    )  # fmt: skip
    refused = QuarantinedRecord.objects.create(
        source="arxiv", format="arXivRaw", external_id="oai:arXiv.org:2101.99999", reason="It has no title.",
        payload_zstd=zstandard.compress(b"<arXivRaw/>"), payload_sha256="b" * 64, raw_page=page, first_seen_at=AT,
        last_seen_at=AT,
    )  # fmt: skip
    waiting = WorkItem.objects.create(
        kind="paper", object_id=1, stage="index", attempts=5, available_at=AT, enqueued_at=AT, parked_at=AT, error="no"
    )
    gone = GoneRecord.objects.create(source="arxiv", external_id="2101.99998", noticed_at=AT)
    return {
        "source": "arxiv",
        "window": window.pk,
        "gone": gone.pk,
        "run": run.pk,
        "file": file.pk,
        "page": page.pk,
        "refused": refused.pk,
        "item": waiting.pk,
    }
