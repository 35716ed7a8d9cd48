"""What becomes of OpenAlex's lists of merged works: names of papers that are here, and nothing else."""

from __future__ import annotations

import gzip
import json
from itertools import permutations

import pytest

from papers.models import Paper, PaperIdentifier, SourceRecord
from tests.papers.sources.openalex_documents import work
from wovepaper.harvest.services import harvest_files, replay_pages

pytestmark = pytest.mark.django_db
NAMES = ("at dawn", "in the evening", "under glass", "without thread")
HEADER = "merge_date,id,merge_into_id"


def numbered(number: int, **values):
    ids = {"openalex": f"https://openalex.org/W{number}"}
    return work(number, doi=None, ids=ids, title=f"A lattice woven by hand {NAMES[number % 4]}", **values)


@pytest.fixture
def harvest(tmp_path):
    def run(name, content):
        path = tmp_path / name
        path.write_bytes(gzip.compress(content.encode()) if name.endswith(".gz") else content.encode())
        summary = harvest_files(name="openalex", paths=[path])
        assert summary.ok, summary.problems
        return summary.line.removeprefix("openalex: ")

    return run


def works(*said):
    return "".join(json.dumps(each) + "\n" for each in said)


def names(paper=None):
    found = PaperIdentifier.objects.filter(scheme="openalex")
    return set((found.filter(paper=paper) if paper else found).values_list("value", flat=True))


def test_the_old_id_stays_and_the_new_one_becomes_a_name_of_the_paper(harvest):
    harvest("works", works(numbered(1), numbered(2)))
    paper = Paper.objects.get(identifiers__value="W1")
    lines = f"{HEADER}\n2024-01-01,W1,W79\n2024-01-01,W500,W501\n2024-01-02,W600,W600\n"

    line = harvest("2024-01-01.csv.gz", lines)

    assert line == "seen 3, new 1, changed 0, unchanged 1, quarantined 1"
    assert names(paper) == {"W1", "W79"}
    assert (Paper.objects.count(), SourceRecord.objects.count()) == (2, 3)
    title = Paper.objects.get(pk=paper.pk).title
    assert title == "A lattice woven by hand in the evening"
    # What W1 became part of says of itself nothing that W1 said.
    assert harvest("later", works(numbered(79))) == "seen 1, new 1, changed 0, unchanged 0, quarantined 0"
    assert Paper.objects.count() == 2
    assert harvest("again", lines) == "seen 3, new 0, changed 0, unchanged 2, quarantined 1"
    assert replay_pages(name="openalex").counts.new == 0
    assert names(paper) == {"W1", "W79"}


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_one_name_leads_to_the_next_in_any_order(harvest, order):
    harvest("works", works(numbered(9)))
    lines = ["2024-01-01,W9,W10", "2024-02-01,W10,W11", "2024-03-01,W11,W8"]
    harvest("merged", "\n".join([HEADER, *(lines[index] for index in order)]))
    assert names(Paper.objects.get()) == {"W9", "W10", "W11", "W8"}
    harvest("later", works(numbered(8)))
    assert Paper.objects.count() == 1


def test_papers_that_are_here_already_are_not_fused_without_a_person(harvest):
    harvest("works", works(numbered(1), numbered(2)))
    harvest("merged", f"{HEADER}\n2024-01-01,W1,W2\n")
    assert Paper.objects.filter(redirect_to=None).count() in (1, 2)
    assert names() == {"W1", "W2"}
