"""The part of Crossref that is wanted, as a filter of its API (https://api.crossref.org/swagger-ui/index.html)."""

from __future__ import annotations

import re
from collections.abc import Callable

from wovepaper.harvest.errors import BadSet
from wovepaper.lib import orcid, ror

_EXAMPLES = "for example prefix:10.1145, member:320, issn:0001-0782, or several of them with commas"


def _matches(pattern: str) -> Callable[[str], bool]:
    form = re.compile(pattern, re.ASCII)
    return lambda value: form.fullmatch(value) is not None


_WORDS = _matches(r"[^,]{1,200}")
_FLAG = _matches(r"true|false|1|0|t|f")
_DAY = _matches(r"\d{4}(-\d\d(-\d\d)?)?")

_HAS = "abstract affiliation event funder orcid references relation ror-id update".split()

_FILTERS: dict[str, tuple[Callable[[str], bool], str]] = {
    "prefix": (_matches(r"10\.\d{4,9}(\.\d+)*"), "a DOI prefix such as 10.1145"),
    "member": (_matches(r"\d{1,7}"), "the number of a member such as 320"),
    "issn": (_matches(r"(?:https?://id\.crossref\.org/issn/)?\d{4}-?\d{3}[\dXx]"), "an ISSN such as 0001-0782"),
    "isbn": (_matches(r"[\d-]{9,17}[Xx]?"), "an ISBN"),
    "orcid": (lambda value: orcid.normalise(value) is not None, "an ORCID iD"),
    "ror-id": (lambda value: ror.normalise(value) is not None, "a ROR id"),
    "funder": (_matches(r"(?:10\.13039/)?\d{3,14}"), "the number of a funder such as 100000001"),
    "type": (_matches(r"[a-z][a-z-]{2,40}"), "a type such as journal-article"),
    "container-title": (_WORDS, "the title of a journal"),
    "relation.type": (_matches(r"[a-z][a-z-]{2,40}"), "a kind of relation such as is-preprint-of"),
    "update-type": (_matches(r"[a-z][a-z_-]{2,40}"), "a kind of update such as retraction"),
    **dict.fromkeys(
        ("from-pub-date", "until-pub-date", "from-created-date", "until-created-date"),
        (_DAY, "a year, a month or a day such as 2025-07"),
    ),
    **dict.fromkeys((*(f"has-{what}" for what in _HAS), "is-update"), (_FLAG, "true or false")),
}


def check(asked: str) -> None:
    """Raises ``BadSet`` for what is no filter, with what would be one."""
    for part in asked.split(","):
        name, colon, value = part.partition(":")
        if not colon:
            raise BadSet(f"{part[:80]!r} is no filter of Crossref's works: write its name and its value, {_EXAMPLES}.")
        if name not in _FILTERS:
            known = ", ".join(_FILTERS)
            raise BadSet(f"{name[:80]!r} is not a filter that parts of Crossref can be chosen by; these are: {known}.")
        takes, what = _FILTERS[name]
        if not takes(value):
            raise BadSet(f"{name} takes {what}, not {value[:80]!r}.")
