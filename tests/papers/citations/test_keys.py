"""Citation keys."""

from __future__ import annotations

from dataclasses import replace

import pytest

from papers.citations import CitationData, CitedName
from papers.citations.keys import citation_key, unique_keys
from papers.sources.records import PartialDate
from tests.papers.citations.samples import ARTICLE, PREPRINT


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (PREPRINT, "vanderwaals2021mrna"),
        (replace(PREPRINT, authors=(CitedName("Müller-Lüdenscheidt", "J."),)), "mullerludenscheidt2021mrna"),
        (replace(PREPRINT, authors=(CitedName("王", "小明"),)), "wang2021mrna"),
        (replace(PREPRINT, authors=(CitedName(literal="The Loom Team"),)), "loom2021mrna"),
        (replace(PREPRINT, authors=()), "anon2021mrna"),
        (replace(PREPRINT, date=None), "vanderwaalsndmrna"),
        (replace(PREPRINT, title="On the"), "vanderwaals2021on"),
        (replace(PREPRINT, title="$\\alpha$-decay"), "vanderwaals2021decay"),
        (replace(PREPRINT, title="!!!"), "vanderwaals2021"),
        (replace(PREPRINT, title="2001: 3 odysseys"), "vanderwaals2021odysseys"),
        (replace(PREPRINT, title="x" * 500), f"vanderwaals2021{'x' * 40}"),
        (CitationData("", (), "other"), "anonnd"),
        (replace(PREPRINT, date=PartialDate(33)), "vanderwaals0033mrna"),
    ],
)
def test_keys(data: CitationData, key: str) -> None:
    assert citation_key(data) == key


def test_keys_are_unique_within_an_export_and_stable() -> None:
    other = replace(PREPRINT, authors=(CitedName("Plato"),))
    papers = [PREPRINT, other, PREPRINT, ARTICLE, PREPRINT]
    assert unique_keys(papers) == [
        "vanderwaals2021mrnaa",
        "plato2021mrna",
        "vanderwaals2021mrnab",
        "weaver2020loom",
        "vanderwaals2021mrnac",
    ]
    assert unique_keys(papers) == unique_keys(papers)
    many = unique_keys([PREPRINT] * 800)
    assert len(set(many)) == 800
    assert many[25:28] == ["vanderwaals2021mrnaz", "vanderwaals2021mrnaaa", "vanderwaals2021mrnaab"]


def test_a_suffix_does_not_meet_another_key() -> None:
    papers = [replace(ARTICLE, title="Loo"), replace(ARTICLE, title="Looa"), replace(ARTICLE, title="Loo")]
    assert unique_keys(papers) == ["weaver2020loob", "weaver2020looa", "weaver2020looc"]
