import json

import bibtexparser
import pytest
import rispy

from papers.citations import STREAMED, stream
from papers.citations.bibtex import to_bibtex
from papers.citations.csl import csl_items
from papers.citations.data import CitationData, CitedName
from papers.citations.keys import RunningKeys
from papers.citations.ris import to_ris
from papers.sources.records import PartialDate


def paper(family="Weaver", year=2020, title="Loom"):
    return CitationData(
        title=title, authors=(CitedName(family=family, given="Ada"),), kind="preprint", date=PartialDate(year)
    )


def test_running_keys_are_each_used_once():
    keys = RunningKeys()
    assert keys.take([paper(), paper(), paper(year=2021)]) == ["weaver2020loom", "weaver2020loomb", "weaver2021loom"]
    assert keys.take([paper(), paper(title="Loomb"), paper(title="Loomb")]) == [
        "weaver2020loomc", "weaver2020loombb", "weaver2020loombc",
    ]  # fmt: skip
    many = RunningKeys()
    taken = [key for _ in range(60) for key in many.take([paper()])]
    assert len(set(taken)) == 60


@pytest.mark.parametrize(("name", "write"), [("bibtex", to_bibtex), ("ris", to_ris)])
def test_pieces_of_one_paper_each_make_the_file_of_all(name, write):
    papers = [paper(year=year) for year in range(2000, 2005)]
    assert "".join(stream([[one] for one in papers], name)) == write(papers)
    assert "".join(stream([papers[:2], [], papers[2:]], name)) == write(papers)
    assert "".join(stream([], name)) == ""


def test_keys_differ_between_pieces():
    bibtex = "".join(stream([[paper()], [paper()]], "bibtex"))
    assert [entry.key for entry in bibtexparser.parse_string(bibtex).entries] == ["weaver2020loom", "weaver2020loomb"]
    assert len(rispy.loads("".join(stream([[paper()], [paper()]], "ris")))) == 2


def test_a_json_list_is_whole_however_it_is_cut():
    papers = [paper(year=year) for year in range(2000, 2005)]
    for batches in ([papers], [[one] for one in papers], [papers[:2], [], papers[2:]]):
        assert json.loads("".join(stream(batches, "csl-json"))) == csl_items(papers)
    for batches in ([], [[]]):
        assert json.loads("".join(stream(batches, "csl-json"))) == []


def test_styles_of_text_are_not_streamed():
    assert set(STREAMED) == {"bibtex", "ris", "csl-json"}
    with pytest.raises(KeyError):
        list(stream([[paper()]], "apa"))
