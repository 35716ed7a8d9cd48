"""The rare things a real catalogue holds: crowds of authors, collaborations, awkward characters, invented places."""

from __future__ import annotations

from functools import lru_cache

from wovepaper.demo.chance import Chance
from wovepaper.demo.fields import FIELDS
from wovepaper.demo.institutions import printed_place
from wovepaper.demo.words import Vocabulary

COLLABORATION = "LANTERN"
CROWD_FIELD = next(field for field in FIELDS if field.code == "hep-ex")
_CROWDS = {150: 700, 400: 3_000, 620: 700, 900: 700}

AWKWARD_TITLES = (
    "Is {p} < {q} & {q} > {p}? On “quoted” claims",
    "The <b>bold</b> case of {p}: tags that are text",
    "100% {p}; 0% <script>alert('{q}')</script>: injection as a metaphor",
    "naïve {p} — an “em‑dash” too far…",
    "Ω-stability, β-decay and the Λ of {p}",
    "{p}’s {q} 🧵 woven together",
    "מבוא ל-{p} and {q}, written both ways",
    "关于 {p} 的注记 ({q})",
    "𝒜-modules, 𝔤-actions and \u200b{p}",
    "e\u0301tale {p} in decomposed letters",
    'The "{p}" that wasn\'t: back\\slashes, {{braces}} and ~tildes~',
    "{p}\u00a0with\u00a0no\u00a0break, co\u00adop\u00ader\u00ada\u00adtion and {q}",
)
"""What titles upstream contain and pages must show as they are; nothing of it may run, bend a page or be lost."""


def crowd(number: int) -> int:
    """How many authors this paper has when it is one of the crowds, else 0."""
    return _CROWDS.get(number, 700 if number and number % 20_000 == 0 else 0)


def disturb(number: int, words: Vocabulary, title: str, abstract: str) -> tuple[str, str]:
    """Now and then a title or an abstract that is hard on programs; most papers stay as they are."""
    if number % 120 == 11:
        pattern = AWKWARD_TITLES[number // 120 % len(AWKWARD_TITLES)]
        first, second = (words.properties[place % len(words.properties)] for place in (number // 7, number // 3 + 1))
        return pattern.format(p=first, q=second), abstract
    if number % 500 == 33:
        return f"{title}: " + ", ".join(f"part {part}" for part in range(1, 60)), abstract
    if number % 300 == 57:
        return title, f"{abstract} We thank the reader & all who ask whether 1 < 2, 'yes' or \"no\"."
    return title, abstract


@lru_cache(maxsize=50_000)
def _moves(field: str, group: int, member: int) -> tuple[int, int]:
    """The year in which a member goes elsewhere, and whither; most stay."""
    chance = Chance("moves", field, group, member)
    return (2016 + chance.below(9), 500 + chance.below(200)) if chance.happens(0.25) else (9999, group)


def workplace(field: str, group: int, member: int, year: int) -> str:
    """Where a member of a research group works in a year."""
    moved, elsewhere = _moves(field, group, member)
    return printed_place(field, elsewhere if year >= moved else group)
