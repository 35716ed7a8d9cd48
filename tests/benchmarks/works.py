"""Invented works as Crossref and OpenAlex send them, as long as real ones: four authors, thirty references."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from random import Random
from typing import Any

from wovepaper.lib.orcid import check_digit

_WORDS = (
    "woven lattice thread spindle fabric warp weft loom knot pattern braid carpet fibre texture needle ribbon seam "
    "invariant spectral bounded stochastic discrete adaptive sparse robust nonlinear topological quantum thermal "
    "estimate model theory analysis method bound limit transition measurement simulation network operator field"
).split()
_GIVEN = "Zoë Ansel Ute Inés Chidi Mireille Tomasz Yuki Oluwa Rosa Henrik Leila Darius Paola Ivo Nadia".split()
_FAMILY = "Vek Thorn Müller Ibarra Okoro Lacet Nowak Arai Bello Conti Dahl Farouk Moreau Ricci Stan Weaver".split()
_PLACES = "Threadham Loomstadt Nadelburg Fadenfels Seamouth Garnwick".split()
FIRST_DAY = dt.date(2015, 1, 1)


def crossref_works(count: int, *, seed: int) -> Iterator[dict[str, Any]]:
    """Journal and conference articles with affiliations, ORCIDs, licences, dates by kind and references."""
    for number in range(count):
        random = Random(f"crossref {seed} {number}")
        day = FIRST_DAY + dt.timedelta(days=random.randrange(3_600))
        yield {
            "indexed": {"date-parts": [_parts(day)], "date-time": f"{day}T05:06:07Z", "timestamp": 1},
            "DOI": f"10.5555/bench.{seed}.{number}",
            "type": random.choice(("journal-article", "proceedings-article")),
            "title": [_title(random)],
            "abstract": f"<jats:p>{_words(random, 150)}.</jats:p>",
            "container-title": [f"Journal of {random.choice(_WORDS).title()} Research"],
            "volume": str(random.randrange(1, 90)),
            "issue": str(random.randrange(1, 13)),
            "page": f"{random.randrange(1, 900)}-{random.randrange(900, 999)}",
            "publisher": "Nowhere Press",
            "published": {"date-parts": [_parts(day)]},
            "published-online": {"date-parts": [_parts(day)]},
            "author": [_crossref_author(random, place) for place in range(random.randrange(1, 8))],
            "license": [{"URL": "https://creativecommons.org/licenses/by/4.0/", "content-version": "vor"}],
            "is-referenced-by-count": random.randrange(60),
            "references-count": 30,
            "reference": [_reference(random, place) for place in range(30)],
            "ISSN": ["2049-3630"],
            "member": "7",
            "prefix": "10.5555",
            "score": 1.0,
        }


def openalex_works(count: int, *, seed: int) -> Iterator[dict[str, Any]]:
    """Articles with authorships, institutions, inverted abstracts and references."""
    base = "https://openalex.org/"
    for number in range(count):
        random = Random(f"openalex {seed} {number}")
        day = FIRST_DAY + dt.timedelta(days=random.randrange(3_600))
        words = _words(random, 150).split()
        index: dict[str, list[int]] = {}
        for place, word in enumerate(words):
            index.setdefault(word, []).append(place)
        own = seed * 10_000_000 + number
        doi = f"https://doi.org/10.5555/open.{seed}.{number}"
        yield {
            "id": f"{base}W{own}",
            "doi": doi,
            "title": (title := _title(random)),
            "display_name": title,
            "publication_year": day.year,
            "publication_date": day.isoformat(),
            "ids": {"openalex": f"{base}W{own}", "doi": doi},
            "type": "article",
            "primary_location": {
                "landing_page_url": doi,
                "license": "cc-by",
                "version": "publishedVersion",
                "source": {
                    "id": f"{base}S7",
                    "display_name": "Journal of Invented Research",
                    "type": "journal",
                    "host_organization_name": "Nowhere Press",
                },
            },
            "biblio": {"volume": "7", "issue": "2", "first_page": "11", "last_page": "29"},
            "authorships": [_openalex_author(random, base) for _ in range(random.randrange(1, 8))],
            "cited_by_count": random.randrange(60),
            "is_retracted": False,
            "is_paratext": False,
            "abstract_inverted_index": index,
            "referenced_works": [f"{base}W{random.randrange(10**9)}" for _ in range(30)],
            "concepts": [{"id": f"{base}C{place}", "display_name": "Weaving", "score": 0.5} for place in range(8)],
            "updated_date": f"{day}T05:06:07.123456",
        }


def body(works: list[dict[str, Any]], *, source: str) -> bytes:
    """An answer of the source with these works."""
    if source == "crossref":
        message = {"total-results": len(works), "items": works, "items-per-page": len(works)}
        return json.dumps({"status": "ok", "message-type": "work-list", "message": message}).encode()
    return json.dumps({"meta": {"count": len(works), "next_cursor": None}, "results": works}).encode()


def _crossref_author(random: Random, place: int) -> dict[str, Any]:
    author: dict[str, Any] = {
        "given": random.choice(_GIVEN),
        "family": random.choice(_FAMILY),
        "sequence": "additional" if place else "first",
        "affiliation": [{"name": _affiliation(random)}],
    }
    if random.random() < 0.4:
        author["ORCID"] = f"http://orcid.org/{_orcid(random)}"
    return author


def _openalex_author(random: Random, base: str) -> dict[str, Any]:
    name = f"{random.choice(_GIVEN)} {random.choice(_FAMILY)}"
    place = _affiliation(random)
    return {
        "author_position": "middle",
        "author": {"id": f"{base}A{random.randrange(10**9)}", "display_name": name, "orcid": None},
        "institutions": [{"id": f"{base}I{random.randrange(10**6)}", "display_name": place, "lineage": []}],
        "raw_author_name": name,
        "raw_affiliation_strings": [place],
        "is_corresponding": False,
    }


def _reference(random: Random, place: int) -> dict[str, Any]:
    said: dict[str, Any] = {
        "key": f"ref{place}",
        "author": random.choice(_FAMILY),
        "year": str(random.randrange(1950, 2024)),
    }
    if place % 4 == 0:
        said |= {"DOI": f"10.5555/other.{random.randrange(10**8)}", "doi-asserted-by": "publisher"}
    else:
        said |= {"article-title": _title(random), "journal-title": "J. Inv. Res.", "volume": "3", "first-page": "5"}
    return said


def _affiliation(random: Random) -> str:
    city = random.choice(_PLACES)
    return f"Department of {random.choice(_WORDS).title()}, University of {city}, {city}"


def _orcid(random: Random) -> str:
    digits = f"0000000{random.randrange(150_000_000, 350_000_000):09}"[:15].rjust(15, "0")
    whole = digits + check_digit(digits)
    return "-".join((whole[:4], whole[4:8], whole[8:12], whole[12:]))


def _title(random: Random) -> str:
    return _words(random, random.randrange(5, 12)).capitalize()


def _words(random: Random, count: int) -> str:
    return " ".join(random.choices(_WORDS, k=count))


def _parts(day: dt.date) -> list[int]:
    return [day.year, day.month, day.day]
