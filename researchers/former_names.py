"""Names that people do not want to be shown any more: which they are, and what author lists show in their place.

A hidden name is meant in whatever case and with whatever accents sources print it. Hidden by anybody of those who are
one by merges, it is hidden for all of them. Sources' names stay as they are and go on being matched by; only what an
author list shows is another name, for as long as the author is attributed to that person.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db import connection
from django.db.models import Case, F, TextField, Value, When
from django.db.models.functions import Coalesce
from psycopg import sql

from papers.models import Authorship
from papers.services.shown_names import FORMER_NAME, ShownName, show_names
from researchers.matching.names import form_of

NAME_SHOWN_INSTEAD = FORMER_NAME
"""What pages say that tell what sources print, or that have no other name to show."""

PRINTED_NAME = Coalesce(F("authorship__replaced_name"), F("authorship__name"))
"""Of an attribution: the name that sources print, whatever is shown. To compare by, never to show."""


NAME_FOR_CURATORS = Case(
    When(authorship__replaced_name=None, then="authorship__name"),
    default=Value(NAME_SHOWN_INSTEAD),
    output_field=TextField(),
)
"""Of an attribution: the name that sources print, or that it is a former one."""


@dataclass(frozen=True, slots=True)
class FormerNames:
    """The names that one person had hidden, by their keys, and the name that is shown in their place."""

    keys: frozenset[str]
    instead: str

    @classmethod
    def of(cls, hidden: Iterable[str], *, shown: str) -> FormerNames:
        """From the hidden names of everybody who is one person, and the name that person is shown under."""
        values = set(hidden)
        return cls(frozenset(map(name_key, values)), "" if shown in values else shown)

    def hide(self, name: str) -> bool:
        """Whether a name must not be shown."""
        return name != self.instead and name_key(name) in self.keys


def as_curators_see(place: Authorship) -> str:
    """The name printed at a place, or that it is a former one. For screens that call it the printed one."""
    return place.name if place.replaced_name is None else NAME_SHOWN_INSTEAD


NONE = FormerNames(frozenset(), "")
"""Of those who had none hidden."""


def name_key(name: str) -> str:
    """The same for a name in capitals, without accents, with hyphens or the family name first."""
    return form_of(name).key or name.casefold()


def former_names(researchers: Collection[int]) -> dict[int, FormerNames]:
    """Of these researchers, merged ones too, those with hidden names; two statements, one if there are none."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT person.id, person.root_id, name.value FROM researchers_researcher AS person"
            " JOIN researchers_researcher AS other ON other.root_id = person.root_id"
            " JOIN researchers_researchername AS name ON name.researcher_id = other.id AND name.visibility = 'hidden'"
            " WHERE person.id = ANY(%s)",
            [list(researchers)],
        )
        hidden: defaultdict[int, set[str]] = defaultdict(set)
        root_of: dict[int, int] = {}
        for researcher, root, value in cursor.fetchall():
            hidden[root].add(value)
            root_of[researcher] = root
    if not root_of:
        return {}
    instead = _names_instead(hidden)
    found = {root: FormerNames(frozenset(map(name_key, values)), instead[root]) for root, values in hidden.items()}
    return {researcher: found[root] for researcher, root in root_of.items()}


def former_names_of(researcher: int) -> FormerNames:
    """Of one person."""
    return former_names([researcher]).get(researcher, NONE)


def _names_instead(hidden: dict[int, set[str]]) -> dict[int, str]:
    """The name each root is shown under; where that very name was hidden by one of those merged, another of theirs."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT root_id, display_name, CASE WHEN id = root_id THEN 0 ELSE 1 END AS place, id AS number"
            " FROM researchers_researcher WHERE root_id = ANY(%s)"
            " UNION ALL SELECT person.root_id, name.value, 2, name.id FROM researchers_researcher AS person"
            " JOIN researchers_researchername AS name ON name.researcher_id = person.id"
            " WHERE person.root_id = ANY(%s) AND name.visibility = 'public' ORDER BY place, number",
            [list(hidden), list(hidden)],
        )
        instead: dict[int, str] = {}
        for root, value, _, _ in cursor.fetchall():
            if root not in instead and value not in hidden[root]:
                instead[root] = value
    return {root: instead.get(root, NAME_SHOWN_INSTEAD) for root in hidden}


_Row = tuple[int, str, str | None, int | None]
"""Authorship, name shown, name replaced, root."""


def show_on_papers(
    *, roots: Collection[int] = (), papers: Collection[int] = (), authorships: Collection[int] = ()
) -> set[int]:
    """Bring the author lists to what their attributions ask for: of everybody under ``roots``, on ``papers``, and of
    single ``authorships``. Returns the papers that came to show something else; they wait for the search index.

    Part of every transaction that attributes, merges, parts, hides or shows again. Its caller holds the components.
    """
    wanted = _wanted(_rows(roots, papers, authorships))
    return show_names(wanted) if wanted else set()


def misshown() -> list[int]:
    """Authorships that show another name than their attribution asks for, for the nightly check."""
    return [one.authorship for one in _wanted(_rows(everything=True))]


def _wanted(rows: Sequence[_Row]) -> list[ShownName]:
    formers = former_names({root for _, _, _, root in rows if root is not None}) if rows else {}
    wanted = []
    for authorship, name, replaced, root in rows:
        printed = name if replaced is None else replaced
        former = formers.get(root, NONE) if root is not None else NONE
        shown = former.instead if former.hide(printed) else None
        if (shown if shown is not None else printed) != name or (shown is None) != (replaced is None):
            wanted.append(ShownName(authorship, printed, shown))
    return wanted


def _rows(
    roots: Collection[int] = (),
    papers: Collection[int] = (),
    authorships: Collection[int] = (),
    *,
    everything: bool = False,
) -> list[_Row]:
    """Authors attributed to somebody with hidden names, and those with a name replaced, within what is asked for."""
    scopes = [
        (sql.SQL(condition), list(ids))
        for condition, ids in (
            ("shown.root_id = ANY(%s)", roots),
            ("place.paper_id = ANY(%s)", papers),
            ("place.id = ANY(%s)", authorships),
        )
        if ids
    ]
    if not scopes and not everything:
        return []
    within = sql.SQL("true") if everything else sql.SQL(" OR ").join(condition for condition, _ in scopes)
    given = [ids for _, ids in scopes]
    found: dict[int, _Row] = {}
    with connection.cursor() as cursor:
        # Nearly always there is nothing to do, and two indexes of next to no entries tell.
        cursor.execute(
            "SELECT EXISTS (SELECT FROM researchers_researchername WHERE visibility = 'hidden'),"
            " EXISTS (SELECT FROM papers_authorship WHERE replaced_name IS NOT NULL)"
        )
        some_hidden, some_replaced = cursor.fetchone()
        if some_hidden:
            cursor.execute(
                sql.SQL(
                    "SELECT place.id, place.name, place.replaced_name, shown.root_id FROM papers_authorship AS place"
                    " JOIN researchers_attribution AS shown ON shown.authorship_id = place.id WHERE ({within})"
                    " AND shown.root_id IN (SELECT member.root_id FROM researchers_researchername AS name"
                    " JOIN researchers_researcher AS member ON member.id = name.researcher_id"
                    " WHERE name.visibility = 'hidden')"
                ).format(within=within),
                given,
            )
            found |= {row[0]: row for row in cursor.fetchall()}
        if some_replaced:
            cursor.execute(
                sql.SQL(
                    "SELECT place.id, place.name, place.replaced_name, shown.root_id FROM papers_authorship AS place"
                    " LEFT JOIN researchers_attribution AS shown ON shown.authorship_id = place.id"
                    " WHERE ({within}) AND place.replaced_name IS NOT NULL"
                ).format(within=within),
                given,
            )
            found |= {row[0]: row for row in cursor.fetchall()}
    return list(found.values())
