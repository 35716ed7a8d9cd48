"""Where the co-authors of a person stand in a drawing of them: on an oval round the person, names outside.

The rows of each side are as far apart as a line of text is high, so no two names can touch, however many there are;
who wrote together stands together, so that most links are short. Pure and deterministic. Across, places are
percentages of the drawing's width, which is the reader's; down, they are pixels, since text keeps its size.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width

from wovepaper.lib.names import split_name

ROW = 24
"""Pixels from a name to the next: WCAG 2.2 wants targets at least so high (success criterion 2.5.8)."""
LEAST_HEIGHT = 168
MARGIN = 20
REACH = 19.0
"""Half the width of the oval, in percent."""
LINKS_OF_ONE = 3
"""Links drawn of each: where all wrote with all, every link together would be a blot."""
LONGEST_NAME = 28
LONGEST_SHORT_NAME = 13
"""Columns of text: where the drawing is wide, and where it is narrow."""
_MEMORY = 0.6
_THICKEST = 4


@dataclass(frozen=True, slots=True)
class Dot:
    """Somebody in the drawing. ``side`` is ``left`` or ``right`` of the person in the middle."""

    index: int
    x: float
    y: float
    radius: float
    side: str
    name: str
    short_name: str


@dataclass(frozen=True, slots=True)
class Line:
    """A link as the path of an SVG whose box is 100 wide and as high as the drawing."""

    path: str
    width: float


@dataclass(frozen=True, slots=True)
class Drawing:
    """Everything in its place. ``spokes`` lead to the person in the middle, ``chords`` from one to another."""

    height: int
    centre: float
    dots: tuple[Dot, ...]
    spokes: tuple[Line, ...]
    chords: tuple[Line, ...]
    chords_left_out: int


def draw(names: Sequence[str], papers: Sequence[int], links: Mapping[tuple[int, int], int]) -> Drawing:
    """Place co-authors, given strongest first, with their numbers of papers and how many each two share."""
    count = len(names)
    right = (count + 1) // 2
    rows = max(right, 1)
    height = max(rows * ROW + 2 * MARGIN, LEAST_HEIGHT)
    centre = height / 2
    # A little higher than the rows, so that the first and the last do not stand on the middle line.
    half = max(rows * ROW / 2 + ROW * 0.4, ROW * 1.5)
    dots = []
    order = seriate(count, links)
    for step, index in enumerate(order):
        on_right = step < right
        of_side = right if on_right else count - right
        row = step if on_right else count - 1 - step
        y = centre + (row - (of_side - 1) / 2) * ROW
        x = REACH * math.sqrt(max(0.0, 1 - ((y - centre) / half) ** 2))
        dots.append(
            Dot(
                index=index,
                x=round(50 + x if on_right else 50 - x, 1),
                y=round(y, 1),
                radius=round(min(9.0, 3.5 + math.sqrt(papers[index])), 1),
                side="right" if on_right else "left",
                name=cut(names[index], LONGEST_NAME),
                short_name=short(names[index], LONGEST_SHORT_NAME),
            )
        )
    places = {dot.index: dot for dot in dots}
    most = max(papers, default=1)
    strongest = _backbone(order, links)
    return Drawing(
        height=height,
        centre=centre,
        dots=tuple(dots),
        spokes=tuple(Line(f"M50 {centre:g}L{dot.x:g} {dot.y:g}", _width(papers[dot.index], most)) for dot in dots),
        chords=tuple(
            Line(_chord(places[one], places[other], centre), _width(links[one, other], most) / 2)
            for one, other in strongest
        ),
        chords_left_out=len(links) - len(strongest),
    )


def seriate(count: int, links: Mapping[tuple[int, int], int]) -> list[int]:
    """An order in which the linked are near each other: each next is who is most linked to the last ones placed."""
    weight: list[dict[int, int]] = [{} for _ in range(count)]
    for (one, other), both in links.items():
        weight[one][other] = weight[other][one] = both
    left = set(range(count))
    pull = [0.0] * count
    order: list[int] = []
    while left:
        # Without a pull, who has the most links begins; among equals, the closest co-author.
        chosen = max(left, key=lambda one: (pull[one], sum(weight[one].values()) if not order else 0, -one))
        order.append(chosen)
        left.remove(chosen)
        pull = [strength * _MEMORY for strength in pull]
        for other, both in weight[chosen].items():
            pull[other] += both
    return order


def _backbone(order: Sequence[int], links: Mapping[tuple[int, int], int]) -> list[tuple[int, int]]:
    """The strongest links of each, and among equals those to who stands nearest; as keys of ``links``, in order."""
    count = len(order)
    step = {index: place for place, index in enumerate(order)}
    kept: set[tuple[int, int]] = set()
    of_each: list[list[tuple[int, int, tuple[int, int]]]] = [[] for _ in range(count)]
    for pair, both in links.items():
        apart = abs(step[pair[0]] - step[pair[1]])
        for index in pair:
            of_each[index].append((-both, min(apart, count - apart), pair))
    for mine in of_each:
        kept.update(pair for _, _, pair in sorted(mine)[:LINKS_OF_ONE])
    return sorted(kept)


def short(name: str, columns: int) -> str:
    """The name with its given names as initials, cut to so many columns."""
    parts = split_name(name)
    initials = " ".join(f"{word[0]}." for word in parts.given.split() if word)
    brief = " ".join(part for part in (initials, parts.family) if part)
    return cut(name if columns_of(name) <= columns else brief or name, columns)


def cut(text: str, columns: int) -> str:
    """The text, with an ellipsis where it would be wider than so many columns."""
    if columns_of(text) <= columns:
        return text
    kept, room = [], columns - 1
    for character in text:
        room -= columns_of(character)
        if room < 0:
            break
        kept.append(character)
    return "".join(kept).rstrip() + "…"


def columns_of(text: str) -> int:
    """How wide a text is: letters of East Asian scripts are two columns wide."""
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def _chord(one: Dot, other: Dot, centre: float) -> str:
    """Bent towards the middle, so that links of neighbours do not run along the dots."""
    x = ((one.x + other.x) / 2 + 50) / 2
    y = ((one.y + other.y) / 2 + centre) / 2
    return f"M{one.x:g} {one.y:g}Q{x:.3g} {y:.3g} {other.x:g} {other.y:g}"


def _width(papers: int, most: int) -> float:
    """1 to ``_THICKEST`` pixels, in proportion to the most papers anybody has."""
    return round(1 + (_THICKEST - 1) * papers / most, 1) if most > 1 else 1
