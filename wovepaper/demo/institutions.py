"""The institutions of the demo catalogue: what the registry would say of them, and how papers print them.

One institution for each invented surname, so that no two are called alike, but for what happens in the world as well:
``_withdrawn`` ones that others go on from, ``_doubled`` ones that have two records, and parts of others. Nothing
depends on the seed: a group works where it works in every catalogue.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from wovepaper.demo.chance import Chance
from wovepaper.demo.vocabulary import eponym
from wovepaper.lib.ror import check_digits

INSTITUTIONS = 900
REGISTERED = 480
"""The registry knows the first ones, at which most groups work, and has not heard of the others."""
_CITIES = 160
_FIRST_CITY = 1_000
"""Cities are called by surnames, too."""
STAMP = "2024-05-02"
"""The day of every record's last change."""
_FIRST_ID = 31 * 32**5
"""Identifiers begin with 0z; see ``wovepaper.lib.ror.is_invented``."""
_DOUBLES = 10_000
"""Added to the number of an institution for that of its second record."""


@dataclass(frozen=True, slots=True)
class _Country:
    code: str
    name: str
    latitude: float
    longitude: float
    language: str


_COUNTRIES = (
    _Country("US", "USA", 39.5, -98.0, "en"),
    _Country("DE", "Germany", 51.0, 10.0, "de"),
    _Country("GB", "United Kingdom", 52.8, -1.6, "en"),
    _Country("FR", "France", 46.6, 2.5, "fr"),
    _Country("IT", "Italy", 43.0, 12.2, "it"),
    _Country("ES", "Spain", 40.2, -3.6, "es"),
    _Country("CA", "Canada", 52.0, -100.0, "en"),
    _Country("SE", "Sweden", 60.0, 15.0, "sv"),
    _Country("NL", "The Netherlands", 52.2, 5.6, "nl"),
    _Country("PL", "Poland", 52.0, 19.3, "pl"),
    _Country("BR", "Brazil", -14.0, -52.0, "pt"),
    _Country("AU", "Australia", -26.0, 134.0, "en"),
    _Country("MX", "Mexico", 22.0, -101.0, "es"),
    _Country("AT", "Austria", 47.6, 14.0, "de"),
)


@dataclass(frozen=True, slots=True)
class _Form:
    """How institutions of a sort are called. ``local`` are names by language, ``alias`` is what they are called too."""

    kind: str
    name: str
    alias: str
    local: dict[str, str]


_FORMS = (
    _Form("education", "University of {}", "{} University", {
        "de": "Universität {}", "fr": "Université de {}", "it": "Università degli Studi di {}",
        "es": "Universidad de {}", "sv": "{} universitet", "nl": "Universiteit {}", "pl": "Uniwersytet {}",
        "pt": "Universidade de {}",
    }),
    _Form("education", "{} Institute of Technology", "{} Tech", {
        "de": "Technologisches Institut {}", "fr": "Institut de technologie de {}", "it": "Istituto tecnologico {}",
        "es": "Instituto Tecnológico de {}", "sv": "{} tekniska institut", "nl": "Technologisch Instituut {}",
        "pl": "Instytut Technologiczny {}", "pt": "Instituto Tecnológico de {}",
    }),
    _Form("education", "Technical University of {}", "{} Technical University", {
        "de": "Technische Universität {}", "fr": "Université technique de {}", "it": "Università tecnica di {}",
        "es": "Universidad Técnica de {}", "sv": "{} tekniska universitet", "nl": "Technische Universiteit {}",
        "pl": "Uniwersytet Techniczny {}", "pt": "Universidade Técnica de {}",
    }),
    _Form("facility", "Max {} Laboratory", "{} Laboratory", {"de": "Max-{}-Laboratorium", "fr": "Laboratoire Max {}"}),
    _Form("facility", "{} Observatory", "", {
        "de": "Sternwarte {}", "fr": "Observatoire de {}", "es": "Observatorio {}", "it": "Osservatorio {}",
    }),
    _Form("nonprofit", "{} Centre for Advanced Studies", "Centre for Advanced Studies, {}", {
        "fr": "Centre {} d’études avancées", "de": "{}-Kolleg für höhere Studien",
    }),
    _Form("company", "{} Research", "{} Research Ltd", {}),
    _Form("healthcare", "{} General Hospital", "", {"de": "Klinikum {}", "fr": "Hôpital {}", "es": "Hospital {}"}),
)  # fmt: skip
_FORM_WEIGHTS = (0.44, 0.58, 0.70, 0.79, 0.86, 0.92, 0.97, 1.0)


@dataclass(frozen=True, slots=True)
class _City:
    name: str
    country: _Country
    latitude: float
    longitude: float


@dataclass(frozen=True, slots=True)
class DemoInstitution:
    """An invented institution. ``native`` is its name in the language of its country, where it has one."""

    number: int
    form: _Form
    name: str
    native: str
    city: _City
    established: int

    @property
    def ror_id(self) -> str:
        """Its identifier in the registry: nine characters that the registry gives to nobody."""
        return invented_ror_id(self.number)

    @property
    def acronym(self) -> str:
        """Its initials, or nothing where they would be too few."""
        letters = "".join(word[0] for word in self.name.replace("-", " ").split() if word[0].isupper())
        return letters if len(letters) > 2 else ""


def invented_ror_id(number: int) -> str:
    """The identifier of the institution with that number, with a right checksum."""
    digits = "0123456789abcdefghjkmnpqrstvwxyz"
    rest, name = _FIRST_ID + number, ""
    for _ in range(7):
        rest, digit = divmod(rest, 32)
        name = digits[digit] + name
    return name + check_digits(name)


@lru_cache(maxsize=_CITIES)
def _city(number: int) -> _City:
    chance = Chance("city", number)
    country = chance.common(_COUNTRIES)
    return _City(
        eponym(_FIRST_CITY + number),
        country,
        round(country.latitude + 4 * chance.fraction() - 2, 4),
        round(country.longitude + 4 * chance.fraction() - 2, 4),
    )


@lru_cache(maxsize=INSTITUTIONS)
def demo_institution(number: int) -> DemoInstitution:
    """The institution of that number; the lower, the more groups work there."""
    chance = Chance("institution", number)
    form, city = chance.weighted(_FORMS, _FORM_WEIGHTS), _city(chance.below(_CITIES))
    if parent := parent_of(number):
        form, city = _FORMS[3], demo_institution(parent).city
    native = form.local.get(city.country.language, "")
    return DemoInstitution(
        number,
        form,
        form.name.format(eponym(number)),
        native.format(eponym(number)),
        city,
        1500 + int(520 * chance.fraction() ** 0.4),
    )


def parent_of(number: int) -> int:
    """The institution that one is part of, or 0: a laboratory now and then belongs to the one before it."""
    return number - 1 if number % 11 == 6 else 0


def is_withdrawn(number: int) -> bool:
    """Whether the registry took its record back, because the one before it goes on from it."""
    return number % 60 == 19


def is_doubled(number: int) -> bool:
    """Whether the registry has two records of it, one under its other name."""
    return number % 60 == 27


@lru_cache(maxsize=20_000)
def printed_place(field: str, group: int) -> str:
    """Where a research group works, as its papers print it; several groups share an institution."""
    chance = Chance("workplace", field, group)
    one = demo_institution(chance.rank(INSTITUTIONS))
    place = f"{one.city.name}, {one.city.country.name}"
    name = one.native if one.native and chance.happens(0.5) else one.name
    style = chance.fraction()
    if style < 0.45:
        return f"{name}, {place}"
    if style < 0.6:
        return f"{name}, {one.city.name}"
    if style < 0.7:
        return name
    if style < 0.8 and one.acronym:
        return f"{one.acronym}, {place}"
    if style < 0.9 and one.form.alias:
        return f"{one.form.alias.format(eponym(one.number))}, {place}"
    return f"{chance.one_of(_DEPARTMENTS)}, {name}, {place}"


_DEPARTMENTS = (
    "Department of Physics", "Faculty of Science", "School of Computing", "Department of Mathematics",
    "Institute for Theory", "Graduate School",
)  # fmt: skip


def registry_lines() -> Iterator[bytes]:
    """The records of the registry (schema v2), one a line, newline included."""
    for number in range(REGISTERED):
        yield _line(_record(number))
        if is_doubled(number):
            yield _line(_second_record(number))


def _line(record: dict[str, Any]) -> bytes:
    return (json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def _record(number: int) -> dict[str, Any]:
    one = demo_institution(number)
    language = one.city.country.language
    names = [{"value": one.name, "types": ["label", "ror_display"], "lang": "en"}]
    if one.native:
        names.append({"value": one.native, "types": ["label"], "lang": language})
    if one.form.alias and not is_doubled(number):
        names.append({"value": one.form.alias.format(eponym(number)), "types": ["alias"], "lang": "en"})
    if one.acronym:
        names.append({"value": one.acronym, "types": ["acronym"], "lang": ""})
    relations = [("child", child) for child in (number + 1,) if child < REGISTERED and parent_of(child) == number]
    if parent := parent_of(number):
        relations.append(("parent", parent))
    if is_withdrawn(number):
        relations.append(("successor", number - 1))
    if number + 1 < REGISTERED and is_withdrawn(number + 1):
        relations.append(("predecessor", number + 1))
    return _written(one, one.ror_id, names, relations, status="withdrawn" if is_withdrawn(number) else "active")


def _second_record(number: int) -> dict[str, Any]:
    """Under the other name, as somebody entered it who did not find the first."""
    one = demo_institution(number)
    other = one.form.alias or "{} Association"
    names = [
        {"value": other.format(eponym(number)), "types": ["label", "ror_display"], "lang": "en"},
        {"value": one.native or one.name, "types": ["alias"], "lang": one.city.country.language},
    ]
    return _written(one, invented_ror_id(_DOUBLES + number), names, [], status="active")


def _written(
    one: DemoInstitution, ror_id: str, names: list[dict[str, Any]], relations: list[tuple[str, int]], *, status: str
) -> dict[str, Any]:
    city = one.city
    return {
        "id": f"https://ror.org/{ror_id}",
        "status": status,
        "types": [one.form.kind],
        "established": one.established,
        "names": names,
        "locations": [
            {
                "geonames_details": {
                    "name": city.name,
                    "country_code": city.country.code,
                    "lat": city.latitude,
                    "lng": city.longitude,
                }
            }
        ],
        "links": [],
        "external_ids": [],
        "relationships": [
            {"type": kind, "id": f"https://ror.org/{invented_ror_id(other)}", "label": demo_institution(other).name}
            for kind, other in relations
        ],
        "admin": {"last_modified": {"date": STAMP}},
    }
