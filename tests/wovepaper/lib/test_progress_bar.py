"""A bar for people, a line below it for a long step, and nothing where nobody watches."""

from __future__ import annotations

import io

import pytest
import rich.console

from wovepaper.lib.progress_bar import progress_bar, progress_step


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    shown = io.StringIO()
    real = rich.console.Console

    def console(**options: object) -> rich.console.Console:
        return real(file=shown, force_terminal=True, width=80, legacy_windows=False)

    monkeypatch.setattr("rich.console.Console", console)
    return shown


def test_a_step_is_a_line_of_the_bar_and_goes_with_it(terminal: io.StringIO) -> None:
    with progress_bar() as progress:
        progress.add_task("pipeline", total=2)
        with progress_step("authors", total=7) as advance:
            advance(3)
            assert [(task.description, task.completed, task.total) for task in progress.tasks] == [
                ("pipeline", 0, 2),
                ("authors", 3, 7),
            ]
            progress.refresh()
            assert "3/7" in terminal.getvalue()
        assert [task.description for task in progress.tasks] == ["pipeline"]


def test_a_step_that_fails_leaves_no_line(terminal: io.StringIO) -> None:
    with progress_bar() as progress:
        with pytest.raises(OSError), progress_step("authors", total=7):
            raise OSError
        assert progress.tasks == []


def test_without_a_bar_a_step_shows_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    with progress_step("authors", total=7) as advance:
        advance(7)
    assert capfd.readouterr() == ("", "")


def test_without_a_terminal_nothing_is_shown(capfd: pytest.CaptureFixture[str]) -> None:
    with progress_bar(), progress_step("authors", total=7) as advance:
        advance(7)
    assert capfd.readouterr() == ("", "")
