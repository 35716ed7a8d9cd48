"""The weights of evidence are learnt from the catalogue's papers and labels, and an instance may keep its own."""

from __future__ import annotations

import gzip
import json
from datetime import date
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command

from papers.models import Paper
from researchers.matching.weights import Weights, default_weights
from researchers.services.training import TrainingError, read_gold, train_weights
from researchers.services.weights import current_weights, keep_weights, own_weights_file
from tests.factories import PaperFactory

HEADER = "doi\tposition\ttier\tperson\n"


def _file(tmp_path: Path, text: str, name: str = "gold.tsv") -> Path:
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path


@pytest.mark.parametrize("name", ["gold.tsv", "gold.tsv.gz"])
def test_labels_are_read_by_tier(tmp_path: Path, name: str) -> None:
    text = "person\tdoi\tposition\ttier\nada\thttps://doi.org/10.5555/X\t2\thuman\nbo\t10.5555/x\t1\thard\n"
    found = read_gold(_file(tmp_path, text, name))
    assert found.labels == {"human": {("10.5555/x", 2): "ada"}, "orcid": {}, "hard": {("10.5555/x", 1): "bo"}}
    assert (found.file, len(found.digest)) == (name, 64)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "must name the columns doi, position, tier, person, separated by tabs; it names nothing"),
        ("doi\tplace\ttier\tperson\n", "it names 'doi', 'place', 'tier', 'person'"),
        (HEADER + "10.5555/x\t1\thuman\n", "Line 2 of .* does not have 4 columns"),
        (HEADER + "10.5555/x\t1\thuman\tada\tmore\n", "Line 2 of .* does not have 4 columns"),
        (HEADER + "x\t1\thuman\tada\n", "'x' is no DOI"),
        (HEADER + "10.5555/x\t0\thuman\tada\n", "a number from 1 on, not '0'"),
        (HEADER + "10.5555/x\t²\thuman\tada\n", "a number from 1 on, not '²'"),
        (HEADER + "10.5555/x\t1\tguess\tada\n", "must be one of human, orcid, hard, not 'guess'"),
        (HEADER + "10.5555/x\t1\thuman\t \n", "names no person"),
        (
            HEADER + "10.5555/x\t1\thuman\tada\n10.5555/X\t1\thuman\tbo\n",
            "already has another person in the tier human",
        ),
    ],
)
def test_a_bad_file_is_refused_with_a_sentence(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(TrainingError, match=complaint):
        read_gold(_file(tmp_path, text))


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    for content in (b"\x1f\x8bnothing", b"\xff\xfe"):
        path = tmp_path / "gold"
        path.write_bytes(content)
        with pytest.raises(TrainingError, match="cannot be read as text"):
            read_gold(path)
    with pytest.raises(TrainingError, match="There is no file"):
        read_gold(tmp_path / "missing")


def _catalogue() -> str:
    """Papers of four people called Yang Liu, one of whom also signs Y. Liu, and their labels."""
    lines = [HEADER]
    for round_ in range(6):
        for person in range(4):
            name = "Y. Liu" if person == 3 and round_ % 2 else "Yang Liu"
            doi = f"10.5555/{round_}.{person}"
            PaperFactory(title=f"Paper {round_} {person}", doi=doi, authors=[name, f"Ugo Vexley{'abcd'[person]}o"])
            lines.append(f"{doi}\t1\thuman\tperson {person}\n")
    return "".join(lines)


@pytest.mark.django_db
def test_the_same_catalogue_and_labels_give_the_same_file(tmp_path: Path) -> None:
    gold = read_gold(_file(tmp_path, _catalogue()))
    read: list[int] = []
    first = train_weights(gold, on=date(2026, 1, 2), advance=read.append)
    assert train_weights(gold, on=date(2026, 1, 2)).to_json() == first.to_json()
    assert sum(read) == Paper.objects.count() == 24
    assert first.provenance["labels"] == {"human": 24, "orcid": 0, "hard": 0}
    assert (first.provenance["papers"], first.provenance["authorships"]) == (24, 48)
    assert (first.provenance["date"], first.provenance["file_sha256"]) == ("2026-01-02", gold.digest)
    assert first.provenance["labelled_pairs"] == 21 * 20 // 2
    # The version tells what is decided, not when it was learnt.
    assert train_weights(gold, on=date(2026, 3, 4)).version == first.version
    less = train_weights(gold, on=date(2026, 1, 2), leave_out=["person 2"])
    assert less.provenance["labels"]["human"] == 18
    assert less.provenance["left_out"] == ["person 2"]
    assert less.version != first.version


@pytest.mark.django_db
def test_labels_of_other_papers_teach_nothing(tmp_path: Path) -> None:
    gold = read_gold(_file(tmp_path, HEADER + "10.5555/none\t1\thuman\tada\n"))
    with pytest.raises(TrainingError, match=r"none of the 1 papers labelled in gold\.tsv: harvest them first"):
        train_weights(gold, on=date(2026, 1, 2))
    with pytest.raises(TrainingError, match=r"Nobody in gold\.tsv is called bo"):
        train_weights(gold, on=date(2026, 1, 2), leave_out=["bo"])


@pytest.mark.django_db
def test_one_label_is_too_few(tmp_path: Path) -> None:
    PaperFactory(title="One", doi="10.5555/one", authors=["Yang Liu"])
    gold = read_gold(_file(tmp_path, HEADER + "10.5555/one\t1\thuman\tada\n"))
    with pytest.raises(TrainingError, match="nothing to learn"):
        train_weights(gold, on=date(2026, 1, 2))


@pytest.mark.django_db
def test_the_command_writes_the_instance_s_own_weights(
    tmp_path: Path, settings: LazySettings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.VAR_DIR = tmp_path / "var"
    assert current_weights() is default_weights()
    call_command("train_matching", gold=_file(tmp_path, _catalogue()))
    path = own_weights_file()
    assert path == tmp_path / "var" / "matching" / "weights.json"
    assert [one.name for one in path.parent.iterdir()] == ["weights.json"]
    own = current_weights()
    assert own == Weights.from_json(path.read_text())
    assert f"Learnt from 210 pairs of papers, {own.provenance['labelled_groups']} of groups" in capsys.readouterr().out
    with pytest.raises(CommandError, match="There is no file"):
        call_command("train_matching", gold=tmp_path / "missing")
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("train_matching", gold=tmp_path / "gold.tsv", out=tmp_path / "file" / "w")


def test_own_weights_are_read_again_when_they_change(tmp_path: Path, settings: LazySettings) -> None:
    settings.VAR_DIR = tmp_path
    content = json.loads(default_weights().to_json())
    keep_weights(Weights.from_json(json.dumps({**content, "version": "own"})), own_weights_file())
    assert current_weights().version == "own"
    assert current_weights() is current_weights()
    keep_weights(Weights.from_json(json.dumps({**content, "version": "newer"})), own_weights_file())
    assert current_weights().version == "newer"
    own_weights_file().write_text("{")
    with pytest.raises(ValueError, match=r"matching/weights\.json: .*training command.* delete the file"):
        current_weights()
    own_weights_file().unlink()
    assert current_weights() is default_weights()
