"""What ORCID's public documents say, as values. Empty means that the document does not say."""

from __future__ import annotations

from dataclasses import dataclass

PartialDay = tuple[int, int | None, int | None]
"""Year, and month and day where they are known."""


@dataclass(frozen=True, slots=True)
class OrcidWork:
    """A work that a record lists. ``identifiers`` are of the work itself or of a version of it: (scheme, value)."""

    title: str
    identifiers: tuple[tuple[str, str], ...] = ()
    kind: str = ""
    published: PartialDay | None = None

    @property
    def dois(self) -> tuple[str, ...]:
        """Its DOIs, normalised."""
        return tuple(value for scheme, value in self.identifiers if scheme == "doi")


@dataclass(frozen=True, slots=True)
class Employment:
    """Where somebody works or worked. ``organisation_id`` is a normalised ROR id where the record names one."""

    organisation: str
    department: str = ""
    role: str = ""
    city: str = ""
    country: str = ""
    organisation_id: str = ""
    began: PartialDay | None = None
    ended: PartialDay | None = None


@dataclass(frozen=True, slots=True)
class OrcidRecord:
    """A person's record, or the part of it that was asked for.

    ``orcid`` is empty only for a list of single works, which does not say whose it is. ``identifiers`` are those that
    other systems gave the person: (system as the record calls it, value).
    """

    orcid: str
    given_names: str = ""
    family_name: str = ""
    credit_name: str = ""
    other_names: tuple[str, ...] = ()
    identifiers: tuple[tuple[str, str], ...] = ()
    employments: tuple[Employment, ...] = ()
    works: tuple[OrcidWork, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All names that the person made public, the preferred one first, each once."""
        own = " ".join(part for part in (self.given_names, self.family_name) if part)
        return tuple(dict.fromkeys(name for name in (self.credit_name, own, *self.other_names) if name))


@dataclass(frozen=True, slots=True)
class OrcidSearch:
    """What a search found: a page of iDs, and how many there are in all."""

    orcids: tuple[str, ...]
    total: int
