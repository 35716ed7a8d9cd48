"""Names and identifiers of a person, over everybody who is one with them."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import quote

from django.db import connection

from researchers.former_names import FormerNames
from researchers.models import Researcher, ResearcherIdentifier

_ADDRESSES = {
    "orcid": "https://orcid.org/{}",
    "openalex": "https://openalex.org/{}",
    "s2": "https://www.semanticscholar.org/author/{}",
    "dblp": "https://dblp.org/pid/{}",
}
_LATIN = "Latn"
_CONFIRMED = ("trusted", "claimed")
"""What is in conflict may be somebody else's, what is deprecated leads nowhere: neither is shown."""
_PEOPLE = ("curator", "claim")
"""Sources of names that are no source's."""


@dataclass(frozen=True, slots=True)
class ShownIdentifier:
    """A name that a registry or source gave the person. ``url`` is empty where it must not lead anywhere."""

    scheme: str
    label: str
    value: str
    url: str
    trusted: bool


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a person beside their papers."""

    other_names: tuple[str, ...]
    """Public names in the script of the name shown."""
    names_in_other_scripts: tuple[str, ...]
    identifiers: tuple[ShownIdentifier, ...]
    former: FormerNames = field(repr=False)
    """Names that no page may print."""
    settled: frozenset[str] = field(repr=False)
    """Names that people said are theirs, hidden ones among them; the others are only what papers print."""

    @property
    def orcids(self) -> frozenset[str]:
        """The trusted ones."""
        return frozenset(one.value for one in self.identifiers if one.scheme == "orcid" and one.trusted)

    def hides(self, name: str) -> bool:
        """Whether a printed name is a former one, however it is spelt."""
        return self.former.hide(name)

    @property
    def public_names(self) -> tuple[str, ...]:
        """All but the one shown."""
        return self.other_names + self.names_in_other_scripts


def read_facts(researcher: Researcher, *, invented: bool = False) -> Facts:
    """Names and identifiers of a root, in one statement.

    A name that any of the merged people had hidden is hidden for all of them. ``invented``: the identifiers may be
    those of real, other people, so none is made a link.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH members AS (SELECT id FROM researchers_researcher WHERE root_id = %(root)s)"
            " SELECT 'name', name.value, name.script, name.visibility, name.id, name.source"
            " FROM researchers_researchername AS name"
            " WHERE name.researcher_id IN (SELECT id FROM members)"
            " UNION ALL"
            " SELECT 'identifier', known.value, known.scheme, known.state, known.id, ''"
            " FROM researchers_researcheridentifier AS known WHERE known.researcher_id IN (SELECT id FROM members)"
            " ORDER BY 1, 5",
            {"root": researcher.pk},
        )
        rows = cursor.fetchall()
    hidden = {value for kind, value, _, state, _, _ in rows if kind == "name" and state == "hidden"}
    former = FormerNames.of(hidden, shown=researcher.display_name)
    settled = {value for kind, value, _, _, _, source in rows if kind == "name" and source in _PEOPLE}
    names = [(value, script) for kind, value, script, *_ in rows if kind == "name"]
    shown_script = next((script for value, script in names if value == researcher.display_name), "")
    others: dict[str, None] = {}
    foreign: dict[str, None] = {}
    passed = {researcher.display_name.casefold()}  # in capitals it is the same name
    for value, script in names:
        if value.casefold() not in passed and not former.hide(value):
            passed.add(value.casefold())
            (foreign if _is_foreign(value, script, shown_script, researcher.display_name) else others)[value] = None
    identifiers = {
        (scheme, value): _shown(scheme, value, state, invented=invented)
        for kind, value, scheme, state, *_ in sorted(rows, key=lambda row: row[3] == "trusted")
        if kind == "identifier" and state in _CONFIRMED
    }
    order = [choice.value for choice in ResearcherIdentifier.Scheme]
    ordered = sorted(identifiers.values(), key=lambda one: (order.index(one.scheme), not one.trusted, one.value))
    return Facts(tuple(others), tuple(foreign), tuple(ordered), former, frozenset(hidden | settled))


def _is_foreign(name: str, script: str, shown_script: str, shown: str) -> bool:
    """Whether a name is written in another script than the name shown. Scripts may not be noted yet."""
    if script and shown_script:
        return script != shown_script
    return (script or _guess(name)) != (shown_script or _guess(shown))


def _guess(name: str) -> str:
    """Latin, or some other script."""
    letters = [letter for letter in name if letter.isalpha()]
    latin = sum(letter < "\u0250" or "\u1e00" <= letter < "\u1f00" for letter in letters)
    return _LATIN if 2 * latin >= len(letters) else "Zzzz"


def _shown(scheme: str, value: str, state: str, *, invented: bool) -> ShownIdentifier:
    return ShownIdentifier(
        scheme=scheme,
        label=ResearcherIdentifier.Scheme(scheme).label,
        value=value,
        url="" if invented else _ADDRESSES[scheme].format(quote(value, safe="/")),
        trusted=state == "trusted",
    )
