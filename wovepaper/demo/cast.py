"""People of the demo catalogue whose names and identifiers are hard: a few of each kind, again and again.

Every fourth paper belongs to a scene: a handful of papers by one person, or by two of one name, among the same
co-authors. What a scene is about, each ``Plot`` says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from wovepaper.demo.chance import Chance
from wovepaper.demo.fields import FIELD_WEIGHTS, FIELDS, Field
from wovepaper.demo.people import SHARED_NAMES, Person, PrintedName, in_style, without_accents
from wovepaper.demo.registry import invented_orcid, misprinted
from wovepaper.demo.vocabulary import EPONYMS, eponym

EVERY, OFFSET = 4, 1
PAPERS = 5
"""Papers of one scene."""
CHANGE = 2021
"""The year from which somebody goes by another name, or works elsewhere."""


class Plot(IntEnum):
    """What happens in a scene."""

    CHANGED_FAMILY_NAME = 0
    """One ORCID, and another family name from some year on."""
    CHANGED_GIVEN_NAME = 1
    HYPHENS_AND_CAPITALS = 2
    """MING-WEI CHANG, Ming-Wei Chang, Mingwei Chang."""
    UMLAUTS = 3
    FATHER_AND_SON = 4
    """Jr. and III, each with an ORCID."""
    FAMILY_NAME_FIRST = 5
    MONONYM = 6
    WRONG_CHECKSUM = 7
    """An ORCID with a misprint, on two people of one name."""
    ORCID_OF_A_COAUTHOR = 8
    """At times printed on somebody of quite another name."""
    ORCID_ON_TWO_AUTHORS = 9
    TWO_ORCIDS = 10
    NAMESAKES_WITH_ORCIDS = 11
    NAMESAKES_OF_TWO_FIELDS = 12
    NAMESAKES_OF_ONE_FIELD = 13
    MOVES = 14
    """Three places, and other co-authors at each."""
    INITIALS_BETWEEN_TWO = 15
    """Jia Lee, Jun Lee, and J. Lee."""
    LONGER_FAMILY_NAME = 16
    SAME_NAME_ON_ONE_PAPER = 17
    RARE_NAMESAKES = 18
    """A name that hardly anybody bears, and two people bear."""
    ORCID_OF_A_RELATIVE = 19
    """Once printed on a co-author of the same family name."""


CYCLE = len(Plot) * PAPERS


@dataclass(frozen=True, slots=True)
class Lead:
    """Whom a scene is about, on one paper. ``orcid`` is what the publisher prints, wherever it comes from."""

    person: Person
    printed: PrintedName
    orcid: str = ""


@dataclass(frozen=True, slots=True)
class Appearance:
    """One paper of a scene: who leads it, and from which group the co-authors come."""

    leads: tuple[Lead, ...]
    group: int


@dataclass(frozen=True, slots=True)
class Scene:
    """The part of a scene that one paper plays."""

    seed: int
    plot: Plot
    cycle: int
    turn: int
    """Which of the scene's papers it is, from 0."""
    field: Field

    def appearance(self, year: int) -> Appearance:
        """Who leads the paper if it is submitted in ``year``."""
        return _PLOTS[self.plot](_Stage(self, year))


def scene(number: int, seed: int) -> Scene | None:
    """The scene that a paper belongs to, if any."""
    if number % EVERY != OFFSET:
        return None
    cycle, place = divmod(number // EVERY, CYCLE)
    turn, plot = divmod(place, len(Plot))
    chance = Chance(seed, "scene", plot, cycle)
    field = chance.weighted(FIELDS, FIELD_WEIGHTS)
    if plot == Plot.NAMESAKES_OF_TWO_FIELDS or plot == Plot.RARE_NAMESAKES:
        field = FIELDS[(FIELDS.index(field) + (turn % 2) * (len(FIELDS) // 2)) % len(FIELDS)]
    return Scene(seed, Plot(plot), cycle, turn, field)


class _Stage:
    """Makes the people of a scene: always the same ones."""

    def __init__(self, played: Scene, year: int) -> None:
        self.scene = played
        self.turn = played.turn
        self.later = year >= CHANGE
        self.year = year
        self.chance = Chance(played.seed, "cast", int(played.plot), played.cycle)

    def group(self, place: int = 0) -> int:
        """A research group of the scene's own."""
        return -(100 + (self.scene.cycle * len(Plot) + self.scene.plot) * 4 + place)

    def person(self, number: int, given: str, family: str, suffix: str = "") -> Person:
        """One of the leads, with an ORCID of their own (which need not be printed)."""
        key = f"cast/{self.scene.plot.value}/{self.scene.cycle}/{number}"
        return Person(key, given, family, suffix, "full", invented_orcid(self.scene.seed, key))

    def rare(self) -> str:
        """A family name that nobody else is likely to bear."""
        return eponym(self.chance.below(EPONYMS))

    def given(self) -> str:
        """A given name that many bear."""
        return self.chance.one_of(_GIVENS)

    def two_syllables(self) -> str:
        """A given name with a hyphen."""
        return f"{self.chance.one_of(_FIRST_SYLLABLES)}-{self.chance.one_of(_SECOND_SYLLABLES)}"

    def show(self, *leads: Lead, place: int = 0) -> Appearance:
        """The paper."""
        return Appearance(leads, self.group(place))


_GIVENS = tuple(
    "Agnes Bruno Carla Dario Edith Fabian Greta Hugo Iris Jonas Klara Leon Mira Nils Olga Paul Rosa Stella Theo Uma "
    "Viktor Wanda Yves Zita".split()
)
_FIRST_SYLLABLES = tuple("Ming Xiao Jia Yu Zhi Hong Shu Chun Tsung Kuan Pei Hsin Bao Cheng Guo Rui".split())
_SECOND_SYLLABLES = tuple("Wei Hua Ling Ting Qiang Yan Fen Chieh Lun Jung Han Lang Ping Rong Shan Zhen".split())
_EAST_ASIAN_FAMILIES = tuple("Chang Tsai Hsieh Kuo Chiu Liao Tseng Yeh Fang Qiu Jin Meng Shih Pai Lai Hou".split())
_WITH_UMLAUTS = tuple(
    "Töllner Grüvik Bäskow Schöndrup Küllberg Jäspermann Möwald Fühlking Wölmer Bröskamp Hülsdorff Kräwinkel Lödige "
    "Nüschen Pöttgen Rühmkorb Zwänger".split()
)
_COMMON_FAMILIES = tuple("Smith Johnson Miller Brown Schmidt Rossi Martin Novak Hansen Moreau".split())


def _lead(person: Person, orcid: str | None = "", *, given: str | None = None, family: str | None = None) -> Lead:
    """Printed in full, or under another name; with ``None`` the ORCID that is theirs."""
    forenames = person.given if given is None else given
    name = PrintedName(forenames, person.family if family is None else family, person.suffix)
    return Lead(person, name, person.orcid if orcid is None else orcid)


def _changed_family_name(stage: _Stage) -> Appearance:
    given, before, after = f"{stage.given()} {stage.given()}", stage.rare(), stage.rare()
    someone = stage.person(0, given, before)
    return stage.show(_lead(someone, None, family=after if stage.later else before))


def _changed_given_name(stage: _Stage) -> Appearance:
    before, after, family = stage.given(), stage.given(), stage.rare()
    someone = stage.person(0, before, family)
    return stage.show(_lead(someone, None, given=f"{after} {before[0]}." if stage.later else before))


def _hyphens_and_capitals(stage: _Stage) -> Appearance:
    given, family = stage.two_syllables(), stage.chance.one_of(_EAST_ASIAN_FAMILIES)
    someone = stage.person(0, given, family)
    first, second = given.split("-")
    forms = ((given, family), (given.upper(), family.upper()), (f"{first}{second.lower()}", family),
             (f"{first}-{second.lower()}", family), (given, family))  # fmt: skip
    printed = forms[stage.turn]
    return stage.show(_lead(someone, given=printed[0], family=printed[1]))


def _umlauts(stage: _Stage) -> Appearance:
    given, family = stage.given(), stage.chance.one_of(_WITH_UMLAUTS)
    someone = stage.person(0, given, family)
    spelt = family.replace("ö", "oe").replace("ü", "ue").replace("ä", "ae")
    forms = (family, without_accents(family), family, spelt, spelt)
    return stage.show(_lead(someone, family=forms[stage.turn]))


def _father_and_son(stage: _Stage) -> Appearance:
    given, family = stage.given(), stage.rare()
    both = (stage.person(0, given, family, "Jr."), stage.person(1, given, family, "III"))
    return stage.show(_lead(both[stage.turn % 2], None), place=stage.turn % 2)


def _family_name_first(stage: _Stage) -> Appearance:
    given, family = stage.two_syllables().replace("-", "").capitalize(), stage.rare()
    someone = stage.person(0, given, family)
    turned = stage.turn in (2, 3)
    return stage.show(_lead(someone, given=family, family=given) if turned else _lead(someone))


def _mononym(stage: _Stage) -> Appearance:
    family, given = stage.rare(), stage.given()
    someone = stage.person(0, given, family)
    return stage.show(_lead(someone, given="" if stage.turn in (0, 3) else given))


def _wrong_checksum(stage: _Stage) -> Appearance:
    given, family = _common(stage)
    both = (stage.person(0, given, family), stage.person(1, given, family))
    return stage.show(_lead(both[stage.turn % 2], misprinted(both[0].orcid)), place=stage.turn % 2)


def _orcid_of_a_coauthor(stage: _Stage) -> Appearance:
    holder = stage.person(0, stage.given(), stage.rare())
    other = stage.person(1, stage.given(), stage.rare())
    if stage.turn == 2:
        return stage.show(_lead(holder), _lead(other, holder.orcid))
    return stage.show(_lead(holder, None), *(() if stage.turn % 2 else (_lead(other),)))


def _orcid_on_two_authors(stage: _Stage) -> Appearance:
    holder = stage.person(0, stage.given(), stage.rare())
    other = stage.person(1, stage.given(), stage.rare())
    return stage.show(_lead(holder, None), _lead(other, holder.orcid if stage.turn == 1 else ""))


def _two_orcids(stage: _Stage) -> Appearance:
    someone = stage.person(0, stage.given(), stage.rare())
    second = invented_orcid(stage.scene.seed, f"{someone.key}/second")
    return stage.show(_lead(someone, second if stage.turn in (1, 4) else None))


def _namesakes(stage: _Stage, names: Callable[[_Stage], tuple[str, str]], orcid: str | None = "") -> Appearance:
    given, family = names(stage)
    both = (stage.person(0, given, family), stage.person(1, given, family))
    return stage.show(_lead(both[stage.turn % 2], orcid), place=stage.turn % 2)


def _shared(stage: _Stage) -> tuple[str, str]:
    return stage.chance.one_of(SHARED_NAMES)


def _common(stage: _Stage) -> tuple[str, str]:
    return stage.given(), stage.chance.one_of(_COMMON_FAMILIES)


def _rare(stage: _Stage) -> tuple[str, str]:
    return stage.given(), stage.rare()


def _moves(stage: _Stage) -> Appearance:
    given, family = stage.given(), stage.rare()
    place = 0 if stage.year < 2019 else 1 if stage.year < 2023 else 2
    return stage.show(_lead(stage.person(0, given, family)), place=place)


def _initials_between_two(stage: _Stage) -> Appearance:
    letter = stage.chance.one_of("ABCGLM")
    names = {"A": ("Agnes", "Anton"), "B": ("Bruno", "Berta"), "C": ("Carla", "Conrad"), "G": ("Greta", "Georg"),
             "L": ("Leon", "Lydia"), "M": ("Mira", "Moritz")}[letter]  # fmt: skip
    family = stage.rare()
    both = [stage.person(number, given, family) for number, given in enumerate(names)]
    someone = both[stage.turn % 2]
    if stage.turn == 4:
        return stage.show(Lead(someone, in_style(someone, "initials")))
    return stage.show(_lead(someone), place=stage.turn % 2)


def _longer_family_name(stage: _Stage) -> Appearance:
    given, first, second = stage.given(), stage.rare(), stage.rare()
    if stage.scene.cycle % 2:
        long, short = f"Al {first}", first
    else:
        long, short = f"{first} {second}", first
    someone = stage.person(0, given, long)
    return stage.show(_lead(someone, family=short if stage.turn in (1, 2) else long))


def _same_name_on_one_paper(stage: _Stage) -> Appearance:
    given, family = stage.given(), stage.rare()
    both = [_lead(stage.person(number, given, family)) for number in (0, 1)]
    return stage.show(*(both if stage.turn in (0, 3) else both[:1]))


def _orcid_of_a_relative(stage: _Stage) -> Appearance:
    first, second, family = "Shuai", "Shuaihong", stage.rare()
    holder, other = stage.person(0, first, family), stage.person(1, second, family)
    if stage.turn == 2:
        return stage.show(_lead(other, holder.orcid))
    return stage.show(_lead(holder, None))


_PLOTS: dict[Plot, Callable[[_Stage], Appearance]] = {
    Plot.CHANGED_FAMILY_NAME: _changed_family_name,
    Plot.CHANGED_GIVEN_NAME: _changed_given_name,
    Plot.HYPHENS_AND_CAPITALS: _hyphens_and_capitals,
    Plot.UMLAUTS: _umlauts,
    Plot.FATHER_AND_SON: _father_and_son,
    Plot.FAMILY_NAME_FIRST: _family_name_first,
    Plot.MONONYM: _mononym,
    Plot.WRONG_CHECKSUM: _wrong_checksum,
    Plot.ORCID_OF_A_COAUTHOR: _orcid_of_a_coauthor,
    Plot.ORCID_ON_TWO_AUTHORS: _orcid_on_two_authors,
    Plot.TWO_ORCIDS: _two_orcids,
    Plot.NAMESAKES_WITH_ORCIDS: lambda stage: _namesakes(stage, _shared, None),
    Plot.NAMESAKES_OF_TWO_FIELDS: lambda stage: _namesakes(stage, _common),
    Plot.NAMESAKES_OF_ONE_FIELD: lambda stage: _namesakes(stage, _shared),
    Plot.MOVES: _moves,
    Plot.INITIALS_BETWEEN_TWO: _initials_between_two,
    Plot.LONGER_FAMILY_NAME: _longer_family_name,
    Plot.SAME_NAME_ON_ONE_PAPER: _same_name_on_one_paper,
    Plot.RARE_NAMESAKES: lambda stage: _namesakes(stage, _rare),
    Plot.ORCID_OF_A_RELATIVE: _orcid_of_a_relative,
}
