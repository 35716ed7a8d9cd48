"""A hidden name is nowhere: not on any page, in any file, answer or log, whatever is harvested, merged or made anew."""

from __future__ import annotations

import html
import io
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote, urljoin, urlsplit

import pytest
from django.contrib.admin.models import LogEntry
from django.core.management import call_command
from django.db import connection
from django.test import Client
from haystack import connections

from papers.models import Authorship, Paper, SourceAuthorship, SourceRecord
from papers.services.ingest import ingest_records
from papers.sources.records import PaperRecord
from researchers.models import Candidate, Contest, Decision, MergeEvent, Researcher
from researchers.services.contests import open_contest
from researchers.services.decisions import decide_is
from tests.flows.authorisation_matrix import ROUTES, Role
from tests.flows.authorisation_world import World, make_world
from tests.papers.services.invented import author, pairs, version
from tests.papers.services.state import row_versions
from tests.researchers.admin.conftest import Desk
from tests.researchers.harvested import many_people, place, sources, who, work
from tests.researchers.people import curator, faults, merge, researcher, undo
from tests.searching import index_papers  # noqa: F401
from wovepaper.pipeline.models import WorkItem
from wovepaper.pipeline.services import drain

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("index_papers")]

FORMER, NOW, CO_AUTHOR = "Zenobia Merriweather", "Zane Merriweather", "Mo Bobbin"
NEVER = "zenobia"
"""What nothing may hold, in whatever case: also in addresses, keys of references, and parts of names."""
LIKE_IT = "Quenobix Merriweather"
"""A name of nobody, to compare what a search answers."""
ORCID = "0000-0001-5109-3700"
SPELLINGS = (FORMER, FORMER.upper(), "Zénobia Merriweather", "Merriweather, Zenobia")

HOLDS_FACTS = {
    "papers_authorship",  # replaced_name
    "papers_sourceauthorship",
    "papers_sourcerecord",
    "researchers_contest",  # printed_name: by what a row is found again
    "researchers_decision",
    "researchers_oldslug",  # the old address goes on leading there
    "researchers_researcher",  # the name of whoever was merged, should they be parted again
    "researchers_researchername",
}
"""The tables that keep the name. No other may."""


def printed(name: str, **values: object) -> object:
    given, family = ("", "") if "," in name else name.rsplit(" ", 1)
    return author(name, given=given, family=family, affiliations=("Institute of Weaving",), **values)


def paper_by(name: str, doi: str, **values: object) -> PaperRecord:
    """A preprint with a co-author; the ORCID says who it is."""
    return work(
        printed(name, orcid=ORCID), CO_AUTHOR, doi=f"10.5555/{doi}", title=f"On looms {doi}",
        **{"categories": ["cs.CL"], "primary_category": "cs.CL", "versions": [version(1)], **values},
    )  # fmt: skip


def take_in(*records: PaperRecord) -> list[Paper]:
    """Through the whole pipeline, search index and all."""
    assert ingest_records(pairs(*records)).refused == ()
    report = drain()
    assert (report.failed, report.stopped) == ({}, {})
    return [Paper.objects.get(source_records__external_id=one.external_id, source_records__source=one.source)
            for one in records]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Story:
    """What became of the person, and everything that was said meanwhile."""

    world: World
    person: int
    namesake: int
    papers: list[Paper]
    said: str


@pytest.fixture
def story(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> Iterator[Story]:
    caplog.set_level(logging.INFO)
    output = io.StringIO()
    with sources():
        world = make_world()
        WorkItem.objects.all().delete()
        yield _tell(world, output, caplog, capfd)


def _tell(
    world: World, output: io.StringIO, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> Story:
    many_people()
    records = [
        paper_by(FORMER, "a"),
        paper_by(NOW, "b"),
        paper_by(SPELLINGS[1], "c"),
        paper_by(SPELLINGS[2], "d"),
        # Shown as one source prints it; the other prints the former name.
        paper_by(NOW, "e", source="arxiv-like", rank=1),
        paper_by(FORMER, "e", source="openalex", rank=2),
        paper_by(FORMER, "h"),
        paper_by(SPELLINGS[3], "f", source="arxiv-like", rank=1),
        paper_by(NOW, "f", source="openalex", rank=2),
    ]
    papers = take_in(*records)
    (person,) = {who(paper) for paper in papers}
    assert Researcher.objects.get(pk=person).display_name == FORMER
    namesake = researcher(FORMER)
    before = len(caplog.records)
    capfd.readouterr()

    # She has it hidden.
    desk = Desk(world.users[Role.CURATOR])
    answer = desk.post("researcher_hide_name", person, name=FORMER, show_instead=NOW, reason="at the person's wish")
    assert answer.status_code == 302
    take_in()
    assert {place(paper).name for paper in papers} == {NOW}

    # Harvested again, nothing is written; changed, the name stays hidden.
    rows = row_versions()
    take_in(*records)
    assert row_versions() == rows
    changed = work(
        "Una Heddle", CO_AUTHOR, printed(FORMER, orcid=ORCID), doi="10.5555/a", title="On looms a", stamp="2021-01-01"
    )
    (again,) = take_in(changed)
    assert (again.pk, place(again, 3).name, place(again, 3).replaced_name) == (papers[0].pk, NOW, FORMER)

    # A namesake is taken for her, is not her, and is her after all.
    theirs = Paper.objects.create(title="On felt", author_count=1)
    decide_is(
        authorship=Authorship.objects.create(paper=theirs, position=1, name=FORMER).pk, researcher=namesake.pk,
        actor=curator(), reason="so",
    )  # fmt: skip
    event = merge(namesake, Researcher.objects.get(pk=person), world.users[Role.CURATOR]).event
    assert place(theirs).name == NOW
    undo(event, world.users[Role.CURATOR])
    assert place(theirs).name == FORMER
    merge(namesake, Researcher.objects.get(pk=person), world.users[Role.CURATOR])

    # A new paper under the name; curators and readers have their say; all is made anew.
    papers += take_in(paper_by(FORMER, "g"))
    assert who(papers[-1]) == person
    decide_is(authorship=place(papers[-1]).pk, researcher=person, actor=world.users[Role.CURATOR], reason="so")
    open_contest(
        reader=world.users[Role.READER], authorship=place(papers[2]).pk, seen=person,
        reason="this is somebody else, I think",
    )  # fmt: skip
    for command in (("attribute", "--all"), ("find_duplicates",), ("pipeline",), ("reindex",), ("check_identity",),
                    ("export_attributions",)):  # fmt: skip
        call_command(*command, stdout=output, stderr=output)
    assert {who(paper) for paper in papers[1:]} == {person}
    shown = [place(paper).name for paper in [*papers[1:], theirs]]
    assert set(shown) == {NOW}
    written = "\n".join(record.getMessage() for record in caplog.records[before:])
    return Story(
        world, person, namesake.pk, [*papers, theirs], output.getvalue() + written + "".join(capfd.readouterr())
    )


def seeds(story: Story) -> list[str]:
    """Every address of the site that is looked at, with the person behind it, and the forms and files of her papers."""
    person, paper = Researcher.objects.get(pk=story.person), story.papers[-2]
    here = place(paper)
    names = story.world.names | {
        "researcher": person.pk,
        "researcher_page": person.get_absolute_url(),
        "other": story.namesake,
        "orcid": ORCID,
        "paper": paper.reference,
        "paper_page": paper.get_absolute_url(),
        "paper_pk": paper.pk,
        "doi": paper.doi,
        "record": SourceRecord.objects.filter(paper=paper).get().pk,
        "author": here.pk,
        "several": person.pk,
        "going_author": here.pk,
        "event": MergeEvent.objects.filter(kind="merge", live=True, survivor=person).get().pk,
        "decision": Decision.objects.filter(researcher=person, authorship=here).get().pk,
        "contest": Contest.objects.latest("pk").pk,
    }
    found = [route.address.format(**names) for route in ROUTES if "logout" not in route.route]
    for one in story.papers:
        found += [f"/papers/{one.reference}{tail}" for tail in (".bib", ".ris", ".json", "/cite", "/authors", "")]
        found.append(f"/admin/papers/paper/{one.pk}/change/?authors=all")
    for number in (story.person, story.namesake):
        found += [f"/researchers/{number}{tail}" for tail in ("", ".bib", ".ris", "/co-authors", "/venues", "-x")]
        found.append(f"/admin/researchers/researcher/{number}/change/")
    found += [f"/admin/researchers/mergeevent/{one}/change/" for one in MergeEvent.objects.values_list("pk", flat=True)]
    found += [f"/admin/researchers/candidate/{one}/change/" for one in Candidate.objects.values_list("pk", flat=True)]
    found += ["/search?q=looms", "/search?q=Merriweather", "/researchers?q=Merriweather", "/researchers?q=Zane"]
    return found


_LINK = re.compile(r"""(?:href|src|action)=["']?([^"'\s>]+)""")


def walk(client: Client, addresses: list[str], *, follow: str = "") -> dict[str, str]:
    """What each address answers, headers and all, and each address they link to that begins with ``follow``."""
    answers = {address: _answer(client, address) for address in dict.fromkeys(addresses)}
    if follow:
        linked = dict.fromkeys(link for address, text in answers.items() for link in _links(address, text, follow))
        answers |= {address: _answer(client, address) for address in linked if address not in answers}
    return answers


def _answer(client: Client, address: str) -> str:
    response = client.get(address)
    body = b"".join(response.streaming_content) if response.streaming else response.content
    headers = "\n".join(f"{name}: {value}" for name, value in response.headers.items())
    return f"{headers}\n\n{body.decode('utf-8', errors='replace')}"


def _links(address: str, text: str, follow: str) -> Iterator[str]:
    for link in _LINK.findall(text):
        target = urlsplit(urljoin(f"http://localhost:8000{address}", html.unescape(link)))
        path = target.path + (f"?{target.query}" if target.query else "")
        ours = target.netloc in ("localhost:8000", "testserver") and path.startswith(follow)
        if ours and not path.startswith("/static/") and not _is_more_of_the_same(path):
            yield path


def _is_more_of_the_same(path: str) -> bool:
    """Orders, filters and forms to sign in with the way back: the same rows again."""
    return bool(re.search(r"logout|[?&](o|next|sort|e|_popup|_facets)=|__exact=|/accounts/|/admin/(password|r/)", path))


def holding_it(answers: dict[str, str]) -> list[str]:
    return sorted(address for address, text in answers.items() if NEVER in text.casefold())


def tables_with_it() -> set[str]:
    with connection.cursor() as cursor:
        found = set()
        for table in connection.introspection.table_names(cursor):
            cursor.execute(
                f"SELECT EXISTS (SELECT FROM \"{table}\" AS row WHERE translate(row::text, 'éÉ', 'ee') ILIKE %s"
                " OR row::text ILIKE %s)",
                [f"%{NEVER}%", f"%{FORMER.encode().hex()}%"],
            )
            if cursor.fetchone()[0]:
                found.add(table)
    return found


def test_a_hidden_name_is_nowhere(story: Story) -> None:
    addresses = seeds(story)
    for role, follow in ((Role.ANONYMOUS, "/"), (Role.READER, ""), (Role.SUPERUSER, "/admin/")):
        answers = walk(story.world.client(role), addresses, follow=follow)
        # The record as it was sent is the one exception: a file, for those who may correct papers.
        raw = {address for address in answers if "/records/" in address}
        assert bool(raw) is True
        assert [one for one in holding_it(answers) if one not in raw] == [], role
        assert bool(set(holding_it(answers)) & raw) is (role is Role.SUPERUSER)
        assert len(answers) > 150
        page = answers[Researcher.objects.get(pk=story.person).get_absolute_url()]
        assert NOW in page
        assert "On looms c" in page
        assert "Merriweather, Zane" in answers[f"/papers/{story.papers[0].reference}.bib"]

    # Nor in what was said and noted meanwhile.
    assert NEVER not in story.said.casefold()
    assert '"name": "Zane Merriweather"' in story.said
    noted = [f"{one.object_repr} {one.change_message}" for one in LogEntry.objects.all()]
    assert len(noted) > 3
    assert [text for text in noted if NEVER in text.casefold()] == []

    # What the sources said is all there, and matching goes by it.
    names = SourceAuthorship.objects.filter(name__iregex="z[eé]nobia").values_list("name", flat=True)
    assert set(names) == set(SPELLINGS)
    assert tables_with_it() == HOLDS_FACTS
    assert faults() == []


def test_who_looks_for_it_learns_no_more_than_by_a_name_of_nobody(story: Story) -> None:
    client = story.world.client(Role.SUPERUSER)
    for address in (
        "/search?q={}", "/search?q=author:{}", "/researchers?q={}", "/papers?q={}", "/admin/papers/paper/?q={}",
        "/admin/researchers/researcher/?q={}",
    ):  # fmt: skip
        for known, unknown in ((FORMER, LIKE_IT), (f'"{FORMER}"', f'"{LIKE_IT}"'), ("Zenobia", "Quenobix")):
            one, other = (
                _neutral(client.get(address.format(quote(name))).content.decode()) for name in (known, unknown)
            )
            assert one == other, address
    assert connections["default"].get_backend().search("zenobia")["hits"] == 0

    # Old addresses lead to her, and say nothing.
    for number in (story.person, story.namesake):
        response = client.get(f"/researchers/{number}-zenobia-merriweather")
        assert (response.status_code, response["Location"]) == (301, f"/researchers/{story.person}-zane-merriweather")
        assert NEVER not in response.content.decode()


def _neutral(text: str) -> str:
    """A page but for the words that were sought, which it repeats, and what differs each time."""
    text = re.sub("(?i)zenobia|quenobix", "Somebody", text)
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"|[0-9.]+ (ms|seconds?)\b', "", text)
