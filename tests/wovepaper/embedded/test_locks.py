from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from wovepaper.embedded.locks import FileLock


def test_shared_holders_keep_an_exclusive_one_out(tmp_path: Path) -> None:
    first, second, third = (FileLock(tmp_path / "lock") for _ in range(3))
    assert first.acquire(shared=True)
    assert second.acquire(shared=True)
    assert not third.acquire()
    first.release()
    assert not third.acquire()
    second.release()
    assert third.acquire()
    assert not first.acquire(shared=True)
    third.release()


def test_the_last_shared_holder_becomes_the_exclusive_one(tmp_path: Path) -> None:
    first, second = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    assert first.acquire(shared=True)
    assert first.acquire()
    assert not second.acquire(shared=True)
    first.release()


def test_hold_gives_up_with_the_name_of_the_file(tmp_path: Path) -> None:
    first, second = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    with (
        first.hold(timeout=0),
        pytest.raises(TimeoutError, match="lock is held by another process"),
        second.hold(timeout=0),
    ):
        pass
    with second.hold(timeout=0):
        assert second.fileno() > 2
    with pytest.raises(ValueError, match="not held"):
        second.fileno()


def test_a_killed_holder_holds_nothing(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from wovepaper.embedded.locks import FileLock; "
        "lock = FileLock(Path(sys.argv[1])); lock.acquire(); print('held', flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "lock")], stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        lock = FileLock(tmp_path / "lock")
        assert not lock.acquire()
        holder.kill()
        holder.wait()
        assert lock.acquire(timeout=5)
        lock.release()
