"""Titles and abstracts: sentence patterns of our own, filled with the words of a field by Zipf's law.

The long tail of a real vocabulary comes from invented surnames that theorems and models are named after, from
invented names of systems, and from compounds.
"""

from __future__ import annotations

import re
from functools import lru_cache

from wovepaper.demo.chance import Chance
from wovepaper.demo.words import Vocabulary

EPONYMS = 20_000
"""How many invented surnames there are."""
SYSTEMS = 60_000
"""How many invented names of systems and data sets there are."""

_ONSETS = "b br d dr f g gr h k kl l m n p pr r s st t tr v w z ch sh th".split()
_VOWELS = "a e i o u ai ei ou".split()
_CODAS = "l n r s k m t nd rt lm sk x nn v".split()
_ENDINGS = "er en in ov sky son mann ini ard ez ak us ic stad well by ó ić ský ström".split()
_PREFIXES = (
    "quasi-", "pseudo-", "multi-", "hyper-", "semi-", "sub-", "super-", "co-", "meta-", "inter-", "near-", "cross-",
    "non-", "bi-", "poly-", "anti-",
)  # fmt: skip

TITLES = (
    "{A} {m} for {s}",
    "{P} of {a} {s}",
    "On the {p} of {a} {s}",
    "{A} {s} and their {p}",
    "{S} with {a} {p}",
    "{M} and the {p} of {s}",
    "Towards {a} {s} through {m}",
    "{N}: {a} {s} with {m}",
    "{N}: {m} for {a} {s}",
    "The {e} {c} for {a} {s}",
    "A {e} {c} for {s} at {f}",
    "{P} and {p} in {a} {s}",
    "How {a} are {s}?",
    "{A} {s} beyond {p}",
    "{P} of {s} at {f}",
    "{S} and the {e} {c}",
    "When does {m} help {s}?",
    "Revisiting {m} for {a} {s}",
    "{A} {p} in {s}: {m} and beyond",
    "From {s} to {t}: {a} {p}",
    "{M} in {f} {s}",
    "A note on {s} and {p}",
    "{A} {s} via {m}",
    "Limits of {m} for {a} {s}",
    "Measuring {p} of {a} {s} by {m}",
    "{S}, {t} and {p}",
    "{A} {x}{s}",
    "A survey of {a} {s}",
    "Evidence for {a} {p} in {s}",
    "Constraints on {a} {s} from {m}",
)
OPENINGS = (
    "We study the {p} of {a} {s}.",
    "The {p} of {s} remains poorly understood, in particular for {a} {t}.",
    "{S} are central to the study of {p}, yet {a} ones have received little attention.",
    "Recent work on {s} has renewed the interest in {p}.",
    "We revisit the problem of {p} in {a} {s}.",
    "{A} {s} arise whenever {p} meets {q}.",
    "Understanding {p} in {s} is a long-standing question.",
    "In this paper we consider {a} {s} at {f}.",
    "{M} is widely used for {s}, although its effect on {p} is unclear.",
    "The {e} {c} relates {s} to {p}.",
)
PROBLEMS = (
    "Existing approaches rely on {m} and break down for {a} {s}.",
    "It is not known whether {p} implies {q} in this setting.",
    "The main difficulty is that {m} does not control {p} at {f}.",
    "Earlier results by {e} and {E} were limited to {a} {s}.",
    "So far, {p} has only been tested on {a} {t}.",
    "However, the usual assumptions of {m} fail for {x}{s}.",
    "A complete account of {q} has been missing.",
    "For {a} {s} the situation is more delicate, since {p} and {q} compete.",
)
APPROACHES = (
    "We introduce {N}, which combines {m} with {n}.",
    "Our approach is based on {m} and a new {e} {c}.",
    "We apply {m} to {s} and compare it with {n}.",
    "Using {m}, we reduce the question to {a} {t}.",
    "The proof rests on {m} together with a {e} {c} of independent interest.",
    "We present {a} measurements of {s} obtained by {m}.",
    "To this end we develop {a} {m} for {x}{s}.",
    "We combine {m} with observations of {a} {s} at {f}.",
    "By means of {m} we construct {a} {s} with prescribed {p}.",
    "We propose to treat {s} by {n}, which makes {p} explicit.",
)
RESULTS = (
    "We find that {p} improves by {k} {u}.",
    "We show that {p} holds already at {f}.",
    "The {p} is bounded by that of {a} {t}, and the bound is sharp.",
    "Our results agree with {m} within {k} {u}.",
    "Experiments on {N} show a gain of {k} {u} over {n}.",
    "As a consequence, {a} {s} have {p} precisely at {f}.",
    "We observe {k} {u} in {a} {s}, in tension with the {e} {c}.",
    "In particular, {p} and {q} turn out to be equivalent for {s}.",
    "The analysis of {k} {u} reveals a clear dependence on {p}.",
    "This settles a question of {e} on {a} {s}.",
    "The effect persists at {f} and vanishes for {a} {t}.",
    "We obtain {k} {u}, {h} times better than {n}.",
)
CLOSINGS = (
    "We discuss implications for {s} and {t}.",
    "These findings suggest that {p} is more common than previously thought.",
    "Code and data for {N} are described in the appendix.",
    "Several open problems on {p} conclude the paper.",
    "The same method applies to {a} {t}.",
    "Our work opens the way to {a} {s} with controlled {q}.",
    "Possible extensions to {x}{t} are outlined.",
    "We close with remarks on {n} and on the {e} {c}.",
)
CONCEPTS = (
    "inequality", "model", "conjecture", "bound", "transform", "criterion", "equation", "limit", "lemma", "effect",
    "decomposition", "principle", "relation", "correspondence", "estimator", "kernel", "index", "ansatz",
)  # fmt: skip

_SLOT = re.compile(r"\{(\w)\}")


@lru_cache(maxsize=512)
def _parts(pattern: str) -> tuple[str, ...]:
    """Literal text and slot letters by turns."""
    return tuple(_SLOT.split(pattern))


@lru_cache(maxsize=EPONYMS)
def eponym(number: int) -> str:
    """The invented surname of that number."""
    chance = Chance("eponym", number)
    stem = chance.one_of(_ONSETS) + chance.one_of(_VOWELS) + chance.one_of(_CODAS)
    if chance.happens(0.3):
        stem += chance.one_of(_VOWELS) + chance.one_of(_CODAS)
    return (stem + chance.one_of(_ENDINGS)).capitalize()


@lru_cache(maxsize=SYSTEMS)
def system(number: int) -> str:
    """The invented name of a system, a data set or a survey."""
    chance = Chance("system", number)
    name = chance.one_of(_ONSETS) + chance.one_of(_VOWELS)
    for _ in range(chance.between(1, 2)):
        name += chance.one_of(_ONSETS) + chance.one_of(_VOWELS)
    name += chance.one_of(_CODAS) if chance.happens(0.6) else ""
    form = chance.below(4)
    if form == 0:
        return name.upper()
    if form == 1:
        return f"{name.capitalize()}{chance.one_of(('Net', 'Bench', 'Flow', 'Map', 'Former', 'Cast', 'Sim', 'Lab'))}"
    return f"{name.capitalize()}-{chance.between(2, 99)}" if form == 2 else name.capitalize()


def _fill(pattern: str, words: Vocabulary, chance: Chance, own_system: str) -> str:
    pieces: list[str] = []
    for place, part in enumerate(_parts(pattern)):
        if place % 2 == 0:
            pieces.append(part)
            continue
        slot = part.lower()
        if slot in "st":
            text = chance.common(words.subjects)
        elif slot in "pq":
            text = chance.common(words.properties)
        elif part in "mnM":
            text = chance.common(words.methods)
        elif part == "N":
            text = own_system
        elif slot == "a":
            text = chance.common(words.adjectives)
        elif slot == "e":
            text = eponym(chance.rank(EPONYMS, shift=40))
        elif part == "f":
            text = _formula(words, chance)
        elif part == "c":
            text = chance.common(CONCEPTS)
        elif part == "x":
            text = chance.common(_PREFIXES) if chance.happens(0.5) else ""
        elif part == "k":
            text = (
                str(chance.between(2, 98)) if chance.happens(0.6) else f"{chance.between(0, 9)}.{chance.between(1, 99)}"
            )
        elif part == "h":
            text = str(chance.between(2, 12))
        else:
            text = chance.common(words.measures)
        pieces.append(text[:1].upper() + text[1:] if part in "ASPM" else text)
    return "".join(pieces)


def _formula(words: Vocabulary, chance: Chance) -> str:
    formula = chance.one_of(words.formulas)
    while "#" in formula:
        formula = formula.replace("#", str(chance.between(2, 9)), 1)
    return formula


def write_title(words: Vocabulary, chance: Chance, own_system: str) -> str:
    """A title in sentence case."""
    title = _fill(chance.one_of(TITLES), words, chance, own_system)
    return title[:1].upper() + title[1:]


def write_abstract(words: Vocabulary, chance: Chance, own_system: str) -> str:
    """An abstract of four to nine sentences on one line."""
    patterns = [chance.one_of(OPENINGS), chance.one_of(PROBLEMS), chance.one_of(APPROACHES)]
    if chance.happens(0.5):
        patterns.append(chance.one_of(APPROACHES))
    patterns += [chance.one_of(RESULTS) for _ in range(chance.between(1, 3))]
    if chance.happens(0.7):
        patterns.append(chance.one_of(CLOSINGS))
    return " ".join(_fill(pattern, words, chance, own_system) for pattern in patterns)
