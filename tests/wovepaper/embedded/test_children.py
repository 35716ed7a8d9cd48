from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import psutil
import pytest

from tests.processes import wait_until
from wovepaper.embedded import children
from wovepaper.embedded.children import Child, rotate


def child(tmp_path: Path, code: str, patience: float = 5.0) -> Child:
    log = tmp_path / "logs" / "one.log"
    return Child("one", [sys.executable, "-S", "-c", code], {"PATH": os.defpath}, log, tmp_path, patience)


def test_a_child_runs_with_its_output_in_its_log(tmp_path: Path) -> None:
    one = child(tmp_path, "import os; print('hello', flush=True); print(os.getcwd()); print()")
    assert not one.is_running()
    one.start()
    assert one.process is not None
    assert one.process.wait(10) == 0
    assert not one.is_running()
    assert one.log.read_text() == f"hello\n{tmp_path}\n\n"
    assert one.last_words() == str(tmp_path)
    one.stop()
    one.stop()


def test_stop_asks_first(tmp_path: Path) -> None:
    one = child(
        tmp_path,
        "import signal, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: (print('bye', flush=True), sys.exit(0)))\n"
        "print('up', flush=True)\ntime.sleep(60)",
    )
    one.start()
    assert wait_until(lambda: one.last_words() == "up", seconds=10)
    one.stop()
    assert one.last_words() == "bye"


@pytest.mark.parametrize("hurried", [True, False])
def test_stop_kills_what_does_not_listen_and_its_children(tmp_path: Path, hurried: bool) -> None:
    one = child(
        tmp_path,
        "import signal, subprocess, sys, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "other = subprocess.Popen(['sleep', '60'])\nprint(other.pid, flush=True)\ntime.sleep(60)",
        patience=60.0 if hurried else 0.2,
    )
    one.start()
    assert wait_until(lambda: one.last_words().isdigit(), seconds=10)
    grandchild = psutil.Process(int(one.last_words()))
    one.stop(hurry=lambda: hurried)
    assert wait_until(lambda: not grandchild.is_running() or grandchild.status() == psutil.STATUS_ZOMBIE, seconds=5), (
        "the grandchild survived"
    )


def test_a_child_ends_with_its_parent(tmp_path: Path) -> None:
    pid = os.fork()
    if pid == 0:
        one = child(tmp_path, "import time; print('up', flush=True); time.sleep(60)")
        one.start()
        assert one.process is not None
        (tmp_path / "pid").write_text(str(one.process.pid))
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(pid, 0)
    orphan = int((tmp_path / "pid").read_text())
    assert wait_until(
        lambda: not psutil.pid_exists(orphan) or psutil.Process(orphan).status() == psutil.STATUS_ZOMBIE, seconds=5
    )


def test_restarting_is_given_up_when_it_does_not_help(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = child(tmp_path, "")
    now = [1000.0]
    monkeypatch.setattr(children.time, "monotonic", lambda: now[0])
    assert [one.may_restart() for _ in range(4)] == [True, True, True, False]
    now[0] += children.RESTART_WINDOW + 1
    assert one.may_restart()


def test_a_large_log_is_set_aside_under_its_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "LARGEST_LOG", 10)
    log = tmp_path / "one.log"
    rotate(log)
    with log.open("ab", buffering=0) as writer:
        writer.write(b"0123456789")
        rotate(log)
        assert not (tmp_path / "one.log.1").exists()
        writer.write(b"more")
        rotate(log)
        writer.write(b"new")
    assert (tmp_path / "one.log.1").read_bytes() == b"0123456789more"
    assert log.read_bytes() == b"new"
