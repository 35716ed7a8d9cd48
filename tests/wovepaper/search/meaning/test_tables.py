from __future__ import annotations

import numpy as np
import pytest

from wovepaper.search.meaning.tables import LONGEST_TEXT, TableEncoder, TableFolder, base_encoder, token_ids
from wovepaper.search.meaning.training import FEWEST_TEXTS, Options, TooFewTexts, split_sentences, train_table


def test_vectors_have_length_one_and_nothing_has_none():
    rows = base_encoder().encode(["The warp of a loom.", ""])
    assert rows.shape == (2, 256)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows[0]) == pytest.approx(1.0, abs=1e-6)
    assert not rows[1].any()


def test_a_text_is_the_sum_of_its_tokens():
    table = np.zeros_like(base_encoder().table)
    (ids,) = token_ids(["warp"])
    table[ids] = 1.0
    (row,) = TableEncoder("test", table, is_trained=False).encode(["warp"])
    assert row.tolist() == pytest.approx([1 / 16] * 256)


def test_what_is_alike_is_nearer():
    near = base_encoder().encode(["a galaxy and its stars", "stars of galaxies", "the taxation of land"])
    assert near[0] @ near[1] > near[0] @ near[2] + 0.2


def test_no_text_is_too_long_or_too_strange():
    rows = base_encoder().encode(["warp " * LONGEST_TEXT, "\ud800\x00\ufffd", "織機", "$\\frac{1}{2}$"])
    assert np.isfinite(rows).all()


class TestFolder:
    def test_without_one_the_table_of_the_package_serves(self, tmp_path):
        assert TableFolder(tmp_path / "none").current() is base_encoder()

    def test_a_table_put_in_use_is_seen_by_others_and_replaces_the_earlier_one(self, tmp_path):
        ours, theirs = TableFolder(tmp_path), TableFolder(tmp_path)
        assert not theirs.current().is_trained
        first = ours.put_in_use(np.full((4, 2), 0.5, dtype=np.float32))
        assert (theirs.current().version, theirs.current().is_trained) == (first, True)
        assert theirs.current() is theirs.current()
        second = ours.put_in_use(np.full((4, 2), 0.25, dtype=np.float32))
        assert second != first
        assert theirs.current().version == second
        assert theirs.current().table.tolist() == [[0.25, 0.25]] * 4
        assert sorted(file.name for file in tmp_path.iterdir()) == ["current.safetensors", f"{second}.safetensors"]

    def test_the_same_table_twice_is_the_same_version(self, tmp_path):
        folder = TableFolder(tmp_path)
        table = np.ones((4, 2), dtype=np.float32)
        assert folder.put_in_use(table) == folder.put_in_use(table)
        assert folder.current().table.shape == (4, 2)

    def test_forgetting_goes_back(self, tmp_path):
        folder = TableFolder(tmp_path)
        folder.put_in_use(np.ones((4, 2), dtype=np.float32))
        folder.forget()
        folder.forget()
        assert folder.current() is base_encoder()


def invented(count: int) -> list[tuple[str, str]]:
    """Titles and abstracts of two crafts, whose words the base table does not keep apart."""
    crafts = (("zorbling", "quaxes", "mivs"), ("frindling", "plonks", "tuvs"))
    return [
        (
            f"On {crafts[number % 2][0]} number {number}",
            f"We treat {crafts[number % 2][1]}. They hold {crafts[number % 2][2]}. It is so.",
        )
        for number in range(count)
    ]


class TestTraining:
    def test_words_that_occur_together_come_nearer(self):
        options = Options(epochs=10, batch=64, rate=0.02)
        losses: list[float] = []
        texts = invented(FEWEST_TEXTS)
        table = train_table(texts, base_encoder(), options, on_step=lambda step, steps, loss: losses.append(loss))
        assert len(losses) == 10 * (FEWEST_TEXTS // 64)
        assert losses[-1] < losses[0]
        before, after = base_encoder(), TableEncoder("learnt", table, is_trained=True)

        def gap(encoder: TableEncoder) -> float:
            rows = encoder.encode(["zorbling", "They hold mivs.", "They hold tuvs."])
            return float(rows[0] @ rows[1] - rows[0] @ rows[2])

        assert gap(after) > gap(before) + 0.1

    def test_the_same_seed_learns_the_same(self):
        options, texts = Options(epochs=1, batch=100), invented(FEWEST_TEXTS)
        first, second = (train_table(texts, base_encoder(), options) for _ in range(2))
        assert np.array_equal(first, second)

    def test_tokens_that_do_not_occur_stay_as_they_are(self):
        table = train_table(invented(FEWEST_TEXTS), base_encoder(), Options(epochs=1))
        (ids,) = token_ids(["photosynthesis"])
        unseen = [
            number for number in ids if number not in {i for t in token_ids(["".join(sum(invented(2), ()))]) for i in t}
        ]
        assert unseen
        assert np.array_equal(table[unseen], base_encoder().table[unseen])

    def test_too_little_says_how_much_there_is(self):
        with pytest.raises(TooFewTexts, match=f"Only 3 papers .* at least {FEWEST_TEXTS}"):
            train_table([*invented(3), ("", "no title"), ("No abstract", " ")], base_encoder())


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("At 3.5 eV, e.g. here. $E=mc^2$ holds.", ["At 3.5 eV, e.g. here.", "$E=mc^2$ holds."]),
        ("", []),
    ],
)
def test_sentences(text, sentences):
    assert split_sentences(text) == sentences
