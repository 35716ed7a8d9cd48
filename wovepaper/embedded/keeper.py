"""Stops the embedded PostgreSQL once the last process that used it is gone, even if that one was killed.

Run as a script with the standard library alone, so that it costs a few megabytes:
``python -I -S keeper.py KEEPER_FD USERS_LOCK UID:GID PG_CTL DATA_DIR [REMOVE]``. ``KEEPER_FD`` is an inherited lock
that says a keeper is there; ``USERS_LOCK`` is held, shared, by everyone who uses the server.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sys


def main(arguments: list[str]) -> None:
    """Wait for the exclusive lock, which comes when nobody is left, and stop the server."""
    keeper_lock, users_path, account, pg_ctl, data_dir, *remove = arguments
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    os.chdir("/")
    users = os.open(users_path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(users, fcntl.LOCK_EX)
    if os.path.exists(os.path.join(data_dir, "postmaster.pid")):  # noqa: PTH110, PTH118 (pathlib costs memory here)
        uid, gid = (int(part) for part in account.split(":"))
        as_account = {"user": uid, "group": gid, "extra_groups": []} if uid != os.getuid() else {}
        subprocess.run(  # type: ignore[call-overload]
            [pg_ctl, "-D", data_dir, "-m", "fast", "-w", "-t", "120", "stop"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
            **as_account,
        )
    for folder in remove:
        shutil.rmtree(folder, ignore_errors=True)
    # In this order: who gets the users' lock next must not take this keeper for one that still watches.
    os.close(int(keeper_lock))
    os.close(users)


if __name__ == "__main__":
    main(sys.argv[1:])
