"""``manage.py reindex``: aside, in the order of the keys, in one step, and nothing lost meanwhile."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from haystack import connections
from haystack.exceptions import SearchBackendError
from haystack.query import SearchQuerySet

from papers.models import Category, Paper
from tests.wovepaper.search.conftest import found, pks
from tests.wovepaper.search.indexes import CategoryIndex, PaperIndex
from wovepaper.search import rebuild as rebuilding
from wovepaper.search.backend import TantivySearchBackend
from wovepaper.search.rebuild import in_key_order, rebuild
from wovepaper.search.services import update_documents
from wovepaper.search.store import held_lock

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[3]


def _papers(count: int) -> list[Paper]:
    return Paper.objects.bulk_create(Paper(title=f"Paper {number}", kind="book") for number in range(count))


def _leftovers(folder: Path) -> list[str]:
    known = {"current", "writer.lock", "rebuild.lock", (folder / "current").readlink().name}
    return sorted(path.name for path in folder.iterdir() if path.name not in known)


class Watching(PaperIndex):
    """Does something once, when a certain paper is prepared: in the middle of a rebuild."""

    def __init__(self, at: int, act) -> None:
        super().__init__()
        self.at, self.act = at, act

    def prepare(self, obj):
        if obj.pk == self.at and self.act is not None:
            act, self.act = self.act, None
            act()
        return super().prepare(obj)


def test_rebuild(backend, folder):
    papers = _papers(25)
    update_documents(model=Paper, ids=[papers[0].pk])
    Paper.objects.filter(pk=papers[0].pk).delete()
    before = backend.store.current_generation()
    assert found() == [papers[0].pk]

    told: list[tuple[str, int]] = []
    result = rebuild(backend, batch_size=10, progress=lambda label, done: told.append((label, done)))

    assert (result.documents, result.replayed) == (24, 0)
    assert told == [("papers.paper", 10), ("papers.paper", 20), ("papers.paper", 24)]
    assert found() == [paper.pk for paper in papers[1:]]
    assert backend.store.current_generation() != before
    assert _leftovers(folder) == []


def test_all_models_are_built(connect):
    backend = connect(PaperIndex(), CategoryIndex())
    _papers(3)
    Category.objects.get_or_create(code="zz.TT", defaults={"name": "Test"})
    assert rebuild(backend).documents == 3 + Category.objects.count()
    assert "zz.TT" in [hit.pk for hit in SearchQuerySet().models(Category)]


def test_an_empty_catalogue_gives_an_empty_index(backend):
    assert rebuild(backend).documents == 0
    assert found() == []


def test_batches_follow_the_key(backend, django_assert_num_queries):
    papers = _papers(7)
    index = connections["default"].get_unified_index().get_index(Paper)
    with django_assert_num_queries(3) as queries:
        batches = [[paper.pk for paper in batch] for batch in in_key_order(index, "default", 3)]
    keys = [paper.pk for paper in papers]
    assert batches == [keys[:3], keys[3:6], keys[6:]]
    assert not any("OFFSET" in query["sql"] for query in queries)
    assert sum(f'"papers_paper"."id" > {keys[2]}' in query["sql"] for query in queries) == 1


def test_the_site_goes_on_while_it_is_built(connect, folder):
    """A search in the middle of a rebuild finds the old index; what is written meanwhile is there at the end."""
    papers = _papers(12)
    keys = [paper.pk for paper in papers]
    seen: list[list[int]] = []

    def meanwhile() -> None:
        seen.append(found())
        # Already read by the rebuild: changed, deleted, and hidden by its identifier alone.
        Paper.objects.filter(pk=keys[0]).update(title="Changed")
        Paper.objects.filter(pk=keys[1]).delete()
        update_documents(model=Paper, ids=keys[:2])
        backend.remove(f"papers.paper.{keys[2]}")
        # Not read yet, and new.
        Paper.objects.filter(pk=keys[10]).update(title="Changed")
        update_documents(model=Paper, ids=[keys[10]])
        new.append(Paper.objects.create(title="New"))
        backend.update(PaperIndex(), new)
        seen.append(found(title="changed"))

    new: list[Paper] = []
    backend = connect(Watching(keys[6], meanwhile))
    backend.update(PaperIndex(), papers)
    result = rebuild(backend, batch_size=3)

    assert seen == [keys, [keys[0], keys[10]]]
    assert result.replayed == 4
    assert found() == sorted({*keys, new[0].pk} - {keys[1], keys[2]})
    assert found(title="changed") == [keys[0], keys[10]]
    assert found(title="new") == [new[0].pk]
    assert _leftovers(folder) == []
    # With no rebuild running, nothing is noted.
    update_documents(model=Paper, ids=keys)
    assert _leftovers(folder) == []


@pytest.mark.parametrize("models", [None, [Paper]])
def test_clearing_while_it_is_built(connect, models):
    papers = _papers(6)

    def meanwhile() -> None:
        backend.clear(models)
        update_documents(model=Paper, ids=[papers[0].pk])

    backend = connect(Watching(papers[4].pk, meanwhile))
    rebuild(backend, batch_size=2)
    assert found() == [papers[0].pk]


def test_what_comes_at_the_last_moment_is_not_lost(backend, monkeypatch):
    """Written after the journal was first done again, and before the switch."""
    papers = _papers(4)
    original = rebuilding._replay
    rounds = []

    def replay(backend, generation, journal, start):
        done = original(backend, generation, journal, start)
        rounds.append(done)
        if len(rounds) == 1:
            Paper.objects.filter(pk=papers[0].pk).update(title="Late")
            update_documents(model=Paper, ids=[papers[0].pk])
        return done

    monkeypatch.setattr(rebuilding, "_replay", replay)
    assert rebuild(backend).replayed == 1
    assert rounds == [0, 1]
    assert found(title="late") == [papers[0].pk]


def test_a_rebuild_that_fails_leaves_the_index_in_use(connect, folder):
    papers = _papers(6)

    def fail() -> None:
        raise RuntimeError("broken")

    backend = connect(Watching(papers[4].pk, fail))
    backend.update(PaperIndex(), papers[:2])
    before = backend.store.current_generation()
    with pytest.raises(RuntimeError, match="broken"):
        rebuild(backend, batch_size=2)
    assert backend.store.current_generation() == before
    assert found() == [paper.pk for paper in papers[:2]]
    assert _leftovers(folder) == []


def test_one_rebuild_at_a_time(backend, folder):
    backend.setup()
    with held_lock(folder / "rebuild.lock", 0), pytest.raises(SearchBackendError, match=r"rebuild\.lock has been held"):
        rebuild(backend)


_KILLED = """
import sys
from pathlib import Path
from tests.wovepaper.search.worker import SCHEMA, document
from wovepaper.search.journal import Journal
from wovepaper.search.store import held_lock, store_at
store = store_at(sys.argv[1])
with held_lock(store.root / "rebuild.lock", 1):
    with store.lease():
        Journal(store.root).start()
    generation = store.make_generation(SCHEMA)
    with store.writing(generation) as writing:
        for number in range(1000):
            writing.add(document(number))
        writing.commit()
        print(generation, flush=True)
        sys.stdin.read()
"""


def test_what_a_killed_rebuild_leaves_is_cleaned_by_the_next(backend, folder):
    papers = _papers(3)
    update_documents(model=Paper, ids=[papers[0].pk])
    command = [sys.executable, "-c", _KILLED, str(folder)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        generation = process.stdout.readline().strip()
        # While it runs, what is written is noted; once it is dead, no more.
        update_documents(model=Paper, ids=[papers[1].pk])
        noted = (folder / "journal.jsonl").read_text()
        process.send_signal(signal.SIGKILL)
        process.wait(10)
    update_documents(model=Paper, ids=[papers[2].pk])
    assert noted == f'{{"model": "papers.paper", "keys": ["{papers[1].pk}"]}}\n'
    assert (folder / "journal.jsonl").read_text() == noted
    assert _leftovers(folder) == [generation, "journal.jsonl"]
    assert found() == [paper.pk for paper in papers]

    result = rebuild(backend)
    assert (result.documents, result.replayed) == (3, 0)
    assert _leftovers(folder) == []
    assert found() == [paper.pk for paper in papers]


def test_searches_under_way_keep_their_index(backend):
    papers = _papers(3)
    rebuild(backend)
    old = backend._snapshot()
    rebuild(backend)
    from tantivy import Query

    assert old.searcher.search(Query.all_query(), 10).count == 3
    assert found() == [paper.pk for paper in papers]


def test_searches_from_threads_during_rebuilds(backend):
    _papers(5)
    rebuild(backend)
    path = str(backend.path)
    errors: list[BaseException] = []
    stop = threading.Event()

    def search() -> None:
        own = TantivySearchBackend("default", PATH=path, SILENTLY_FAIL=False)
        try:
            while not stop.is_set():
                snapshot = own.store.snapshot()
                assert snapshot is not None
                assert snapshot.searcher.num_docs == 5
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(5):
        rebuild(backend)
    stop.set()
    for thread in threads:
        thread.join()
    assert errors == []


# --- the command ---------------------------------------------------------------------------------------------


def test_reindex_says_what_it_did(backend, capsys):
    papers = _papers(5)
    out = io.StringIO()
    call_command("reindex", "--batch-size", "2", stdout=out)
    words = out.getvalue().split()
    assert words[:5] == ["Indexed", "5", "documents", "in", words[4]]
    assert out.getvalue().endswith("0 changes came in meanwhile.\n")
    assert out.getvalue().count("\n") == 1
    # Not a terminal: no progress bar.
    assert capsys.readouterr().err == ""
    assert pks(SearchQuerySet().order_by("-id"))[-1] in {paper.pk for paper in papers}


def test_reindex_shows_a_progress_bar_on_a_terminal(backend, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    _papers(5)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    call_command("reindex", stdout=io.StringIO())
    assert "papers.paper" in terminal.getvalue()
    assert "5/5" in terminal.getvalue()


def test_reindex_refuses_nonsense(backend, folder, settings, monkeypatch):
    with pytest.raises(CommandError, match="--batch-size must be at least 1"):
        call_command("reindex", "--batch-size", "0")
    with pytest.raises(CommandError, match="no search connection 'other'"):
        call_command("reindex", "--using", "other")
    backend.setup()
    with (
        held_lock(folder / "rebuild.lock", 0),
        pytest.raises(CommandError, match=r"^Another process rebuilds the search index: wait for it to end"),
    ):
        call_command("reindex")
    monkeypatch.setattr(connections["default"], "_backend", object())
    with pytest.raises(CommandError, match=r"manage\.py update_index"):
        call_command("reindex")


def test_haystacks_own_commands_work(backend):
    papers = _papers(4)
    call_command("update_index", verbosity=0, batchsize=2)
    assert found() == [paper.pk for paper in papers]
    papers[0].delete()
    call_command("update_index", verbosity=0, remove=True)
    assert found() == [paper.pk for paper in papers[1:]]
    call_command("clear_index", interactive=False, verbosity=0)
    assert found() == []
    call_command("rebuild_index", interactive=False, verbosity=0)
    assert found() == [paper.pk for paper in papers[1:]]
    assert connection.in_atomic_block
