"""Vectors of papers: made once, made anew where the text or the encoder is another, and found by nearness."""

from __future__ import annotations

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from papers.meaning import nearest_papers, nearness_to
from papers.models import Paper, PaperVector
from papers.pipeline import embed_or_leave
from papers.services.embedding import count_missing, embed_missing, embed_papers, keep_neighbours_together, text_of
from papers.services.training import papers_to_judge_by, texts_to_learn_from
from papers.tasks import embed
from tests.factories import PaperFactory
from wovepaper.search.meaning.encoders import EncoderUnavailable, current_encoder, table_folder
from wovepaper.search.meaning.tables import base_encoder
from wovepaper.search.meaning.training import FEWEST_TEXTS

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.ENCODER_FOLDER = tmp_path / "encoder"
    return settings.ENCODER_FOLDER


class Down:
    version, dimensions, is_trained = "down", 4, True

    def encode(self, texts):
        raise EncoderUnavailable("It is down.")


@pytest.fixture
def down(monkeypatch):
    for module in ("papers.services.embedding", "papers.searching"):
        monkeypatch.setattr(f"{module}.current_encoder", Down)


def vector_of(paper: Paper) -> np.ndarray:
    return np.asarray(PaperVector.objects.get(paper=paper).embedding, dtype=np.float32)


def test_title_and_abstract_are_encoded():
    paper = PaperFactory(title="On $k_4$ looms", abstract="The weft.")
    assert embed_papers([paper.pk]) == 1
    assert text_of(paper.title, paper.abstract) == "On k₄ looms\nThe weft."
    (expected,) = base_encoder().encode(["On k₄ looms\nThe weft."])
    assert vector_of(paper) == pytest.approx(expected, abs=1e-3)
    assert PaperVector.objects.get().encoder == "wordllama-256"


def test_what_is_up_to_date_is_not_encoded_again():
    papers = [PaperFactory().pk for _ in range(3)]
    assert embed_papers(papers) == 3
    with CaptureQueriesContext(connection) as captured:
        assert embed_papers(papers) == 0
    assert len(captured) == 1


def test_another_text_and_another_encoder_are():
    one, other = PaperFactory(title="Warp"), PaperFactory(title="Weft")
    embed_papers([one.pk, other.pk])
    Paper.objects.filter(pk=one.pk).update(title="Shuttle")
    assert embed_papers([one.pk, other.pk]) == 1
    version = table_folder().put_in_use(base_encoder().table)
    assert count_missing() == 2
    assert embed_missing() == 2
    assert set(PaperVector.objects.values_list("encoder", flat=True)) == {version}
    assert (count_missing(), embed_missing()) == (0, 0)


def test_papers_that_lead_elsewhere_have_none():
    paper = PaperFactory()
    PaperFactory(redirect_to=paper)
    assert embed_missing() == 1
    assert list(PaperVector.objects.values_list("paper", flat=True)) == [paper.pk]


def test_a_run_can_be_cut_short_and_the_next_goes_on(monkeypatch):
    monkeypatch.setattr("papers.services.embedding.BATCH", 2)
    for _ in range(5):
        PaperFactory()
    assert embed_missing(limit=2) == 2
    assert count_missing() == 3
    assert embed() == 3


def test_an_encoder_that_is_down_holds_up_nothing(down, caplog):
    paper = PaperFactory()
    embed_or_leave([paper.pk])
    assert not PaperVector.objects.exists()
    assert "1 papers were not encoded: It is down." in caplog.text
    assert embed() == 0


@pytest.mark.django_db(transaction=True)
def test_the_nearest_are_found_with_and_without_an_index():
    looms = PaperFactory(title="Looms", abstract="Weaving cloth with warp and weft.")
    stars = PaperFactory(title="Stars", abstract="Galaxies and their spectra.")
    bare = PaperFactory(title="Never encoded")
    embed_papers([looms.pk, stars.pk])
    encoder = current_encoder()
    found = nearest_papers("weaving on a loom", encoder)
    assert [number for number, _ in found] == [looms.pk, stars.pk]
    near = nearness_to("weaving on a loom", encoder)([str(stars.pk), str(bare.pk), str(looms.pk)])
    assert near[1] is None
    assert near[2] > near[0] + 0.2
    assert [near[2], near[0]] == pytest.approx([value for _, value in found], abs=1e-4)
    keep_neighbours_together()
    keep_neighbours_together()
    assert [number for number, _ in nearest_papers("weaving on a loom", encoder)] == [looms.pk, stars.pk]
    assert [number for number, _ in nearest_papers("weaving on a loom", encoder, limit=1)] == [looms.pk]


def test_one_paper_in_twenty_is_never_learnt_from():
    papers = {PaperFactory(title=f"Loom {number}", abstract=f"Weft {number}.").title for number in range(60)}
    learnt = {title for title, _ in texts_to_learn_from()}
    judged = set(Paper.objects.filter(pk__in=papers_to_judge_by(100)).values_list("title", flat=True))
    assert learnt | judged == papers
    assert not learnt & judged
    assert len(texts_to_learn_from(5)) == 5


class TestCommands:
    def test_training_wants_enough_to_learn_from(self, folder):
        PaperFactory(abstract="Weft.")
        with pytest.raises(CommandError, match=rf"Only \d papers have .* at least {FEWEST_TEXTS} are needed"):
            call_command("train_encoder")
        assert not folder.exists()

    @pytest.mark.django_db(transaction=True)
    def test_training_encodes_everything_and_forgetting_goes_back(self, capsys):
        for number in range(FEWEST_TEXTS + 40):
            PaperFactory(title=f"Of looms {number}", abstract=f"They weave {number}. And they rest.")
        call_command("train_encoder", "--epochs", "1")
        version = current_encoder().version
        assert version.startswith("table-")
        assert capsys.readouterr().out == (
            f"{version} is in use: {FEWEST_TEXTS + 40} papers encoded; searches go by words and meaning.\n"
        )
        assert count_missing() == 0
        call_command("train_encoder", "--forget")
        assert current_encoder() is base_encoder()

    @pytest.mark.parametrize("flag", ["--papers", "--epochs"])
    def test_nothing_is_learnt_from_nothing(self, flag):
        with pytest.raises(CommandError, match="must be at least 1"):
            call_command("train_encoder", flag, "0")
