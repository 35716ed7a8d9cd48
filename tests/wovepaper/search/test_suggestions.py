"""Did you mean, and more like this."""

from __future__ import annotations

import pytest
from haystack.exceptions import MoreLikeThisError
from haystack.query import SearchQuerySet

from tests.wovepaper.search.conftest import pks
from tests.wovepaper.search.indexes import PaperIndex, paper
from wovepaper.search.similar import LEAST_DOCUMENTS


@pytest.fixture
def words(add):
    add(
        paper(1, "Structured neural networks", "Entanglement of e-mail routing in Schrödinger's café"),
        paper(2, "Neural network routing", "abcd abce abce"),
        paper(3, "Routine", "theory theories"),
    )


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("structurd", "structured"),
        ("nueral netwroks", "neural networks"),
        ("Entanglment", "entanglement"),
        ("schroedinger", "schrodinger"),
        ("schrodinger", None),
        ("cafe", None),
        ("neural networks", None),
        ("routin", "routing"),
        ("routng", "routing"),
        ("abcx", "abcd"),
        ("neural xyzzyx", None),
        ("netwrk xyzzyx", "network xyzzyx"),
        ("emial", "email"),
        ("xx", None),
        ("123456", None),
        ("", None),
        ("?!", None),
        ("structurd " * 13, None),
    ],
)
def test_spelling(words, typed, meant):
    assert SearchQuerySet().spelling_suggestion(typed) == meant
    assert SearchQuerySet().auto_query(typed).spelling_suggestion() == meant


def test_spelling_leaves_out_what_is_excluded(words):
    assert SearchQuerySet().auto_query("nueral -netwroks").spelling_suggestion() == "neural"


def test_spelling_of_another_text(words):
    results = SearchQuerySet().filter(content="nothing").set_spelling_query("nueral")
    assert results.spelling_suggestion() == "neural"
    assert len(results) == 0
    assert results.spelling_suggestion("routng") == "routing"


def test_spelling_is_off_without_the_option(connect, words):
    connect(PaperIndex(), INCLUDE_SPELLING=False)
    assert SearchQuerySet().spelling_suggestion("nueral") is None


def test_spelling_in_an_empty_index(backend):
    assert SearchQuerySet().spelling_suggestion("nueral") is None


@pytest.fixture
def subjects(add):
    """Six papers on optics, six on sound, and two that stand alone."""
    optics = [paper(n, f"Lens prism mirror {n}", "light through glass", kind="article") for n in range(1, 7)]
    sound = [paper(n, f"Drum string pipe {n}", "waves through air", kind="book") for n in range(11, 17)]
    papers = [*optics, *sound, paper(20, "Quaternions"), paper(21, "Lens and drum")]
    add(*papers)
    return {each.pk: each for each in papers}


def test_more_like_this(subjects):
    alike = SearchQuerySet().more_like_this(subjects[1])
    assert sorted(pks(alike)) == [2, 3, 4, 5, 6]
    assert alike.count() == 5
    assert pks(SearchQuerySet().more_like_this(subjects[20])) == []
    assert sorted(pks(SearchQuerySet().more_like_this(subjects[21]))) == [*range(1, 7), *range(11, 17)]
    assert len(SearchQuerySet().more_like_this(subjects[11])[:2]) == 2
    assert len(SearchQuerySet().more_like_this(subjects[11])[3:10]) == 2


def test_more_like_this_is_narrowed_by_filters(subjects):
    alike = SearchQuerySet().filter(title="5").more_like_this(subjects[1])
    assert pks(alike) == [5]
    assert pks(SearchQuerySet().filter(kind_exact="book").more_like_this(subjects[1])) == []


def test_nothing_is_like_what_is_not_indexed(subjects, backend):
    assert pks(SearchQuerySet().more_like_this(paper(99, "Lens prism mirror"))) == []
    backend.remove(subjects[1])
    assert pks(SearchQuerySet().more_like_this(subjects[1])) == []
    query = SearchQuerySet().query
    query._more_like_this = True
    with pytest.raises(MoreLikeThisError):
        query.run_mlt()


def test_words_in_few_documents_tell_nothing(add):
    papers = [paper(number, "rare") for number in range(1, LEAST_DOCUMENTS)]
    add(*papers)
    assert pks(SearchQuerySet().more_like_this(papers[0])) == []
    add(paper(90, "rare"))
    assert len(pks(SearchQuerySet().more_like_this(papers[0]))) == LEAST_DOCUMENTS - 1


def test_more_like_this_of_a_document_that_is_not_stored(everything):
    everything(*({"text": "lens prism"} for _ in range(6)))
    assert sorted(pks(SearchQuerySet().more_like_this(paper(1, given={"text": "lens prism"})))) == [2, 3, 4, 5, 6]
