"""Searching by words, by words and meaning, and by meaning alone."""

from __future__ import annotations

import json

import pytest
from django.core.management import CommandError, call_command

from papers.search_query import parse_query
from papers.searching import default_mode, search_papers
from papers.services.embedding import embed_missing
from tests.factories import PaperFactory
from tests.html import get
from tests.papers.services.test_embedding import down  # noqa: F401
from tests.searching import index_papers  # noqa: F401
from wovepaper.search.meaning.encoders import table_folder
from wovepaper.search.meaning.tables import base_encoder

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.ENCODER_FOLDER = tmp_path / "encoder"


@pytest.fixture
def crafts(index_papers):  # noqa: F811
    PaperFactory(title="Glass", abstract="A furnace and a craft of the lens, bottle and window.", kind="article")
    PaperFactory(title="Cloth", abstract="A loom and a craft of the weft, warp and shuttle.")
    PaperFactory(title="Stars", abstract="Galaxies and their spectra.")
    embed_missing()
    index_papers()


def titles(query: str, **options) -> list[str]:
    return [hit.paper.title for hit in search_papers(parse_query(query), filters={}, **options).hits]


def test_meaning_finds_what_has_none_of_the_words(crafts):
    assert titles("weaving textiles") == []
    assert titles("weaving textiles", mode="meaning")[0] == "Cloth"
    assert len(titles("weaving textiles", mode="meaning")) == 3


def test_meaning_orders_what_the_words_find(crafts):
    assert titles("craft glassblowing vessels", mode="hybrid")[0] == "Glass"
    assert titles("craft weavers fabrics", mode="hybrid")[0] == "Cloth"


def test_filters_and_fields_hold_for_meaning(crafts):
    found = search_papers(parse_query("weaving textiles"), filters={"kind": "article"}, mode="meaning")
    assert [hit.paper.title for hit in found.hits] == ["Glass"]
    assert sorted(titles("weaving textiles -loom", mode="meaning")) == ["Glass", "Stars"]
    assert titles("weaving title:Stars", mode="meaning") == ["Stars"]


def test_meaning_pages(crafts):
    whole = titles("weaving", mode="meaning")
    assert [titles("weaving", mode="meaning", start=start, limit=1) for start in range(4)] == [
        *([title] for title in whole), [],
    ]  # fmt: skip


def test_another_order_needs_no_meaning(crafts, down):  # noqa: F811
    assert len(titles("craft", mode="hybrid", sort="newest")) == 2


def test_words_alone_until_something_was_learnt():
    assert default_mode() == "lexical"
    table_folder().put_in_use(base_encoder().table)
    assert default_mode() == "hybrid"


def test_the_page_offers_the_modes(client, crafts):
    page = get(client, "/search?q=craft")
    modes = "//nav[@aria-label='Relevance by']//a"
    assert page.texts(modes) == ["Words", "Words and meaning", "Meaning"]
    assert page.one(f"{modes}[@aria-current]") == "Words"
    assert page.all(f"{modes}/@href") == [f"/search?q=craft{mode}" for mode in ("", "&mode=hybrid", "&mode=meaning")]
    assert get(client, "/search?q=craft&mode=meaning").one(f"{modes}[@aria-current]") == "Meaning"
    assert not get(client, "/search?q=craft&sort=newest").all(modes)


def test_an_unknown_mode_gives_a_sentence(client, crafts):
    page = get(client, "/search?q=craft&mode=luck", status=400)
    assert page.one("//p[@role='alert']") == (
        "The mode can be lexical (words), hybrid (words and meaning) or meaning; this is the usual one."
    )
    assert len(page.titles) == 2


def test_with_the_encoder_down_words_still_find(client, crafts, down):  # noqa: F811
    assert sorted(get(client, "/search?q=craft&mode=hybrid").titles) == ["Cloth", "Glass"]
    assert get(client, "/search?q=craft&mode=meaning", status=503).response.headers["Retry-After"] == "30"


@pytest.mark.parametrize(
    ("query", "summary"),
    [
        ("craft", "2 papers"),
        ("loom craft warp zeppelin", "No paper has all of these words; these come closest"),
        ("loom craft warp weft", "1 paper has all of these words; those with some of them follow"),
    ],
)
def test_the_page_says_what_has_all_the_words(client, crafts, query, summary):
    assert get(client, "/search", query_params={"q": query}).one("//div[@class='sorts']/p") == summary


class TestJudging:
    def test_the_search_is_judged_by_papers_that_lost_what_is_asked(self, capsys):
        for number in range(80):
            PaperFactory(
                title=f"Loom number {number} of town {number}",
                abstract=f"It is loom {number}. The town {number} weaves with it. So much of {number}.",
            )
        call_command("evaluate_search", "--queries", "5", "--json")
        scores = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert {(score["kind"], score["mode"]) for score in scores} == {
            (kind, mode) for kind in ("title", "sentence") for mode in ("lexical", "hybrid", "meaning")
        }
        assert all(score["mrr"] > 0.5 for score in scores if score["mode"] == "lexical")
        assert all(0 <= score["ndcg"] <= 1 for score in scores)

    def test_nothing_to_judge_by(self):
        with pytest.raises(CommandError, match="nothing to judge by"):
            call_command("evaluate_search")
        with pytest.raises(CommandError, match="at least 1"):
            call_command("evaluate_search", "--queries", "0")
