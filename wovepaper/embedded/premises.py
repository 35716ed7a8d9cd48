"""Whether the place where an instance shall live will do, found out before anything is started there."""

from __future__ import annotations

import errno
import os
import shutil
import socket
import tempfile
from pathlib import Path

from wovepaper.embedded.errors import EmbeddedServerError, describe_full_disk, describe_os_error

LEAST_FREE = 300 * 1024 * 1024
"""Bytes of free disk space without which nothing is started: an empty instance takes about half of it."""


def require_writable_folder(folder: Path) -> None:
    """Make ``folder`` and write a file in it. Raises ``EmbeddedServerError``."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"\0" * 65536)
            probe.flush()
            os.fsync(probe.fileno())
    except OSError as error:
        raise EmbeddedServerError(describe_os_error(error, folder)) from error


def require_free_space(folder: Path) -> None:
    """Raises ``EmbeddedServerError`` when the disk that holds ``folder`` is nearly full."""
    free = shutil.disk_usage(folder).free
    if free < LEAST_FREE:
        room = f"only {free // 2**20} MB are free, {LEAST_FREE // 2**20} MB are needed"
        raise EmbeddedServerError(describe_full_disk(folder, room))


def require_free_port(host: str, port: int) -> None:
    """Raises ``EmbeddedServerError`` when nothing of ours can listen at ``host`` and ``port``."""
    if not 0 < port < 65536:
        raise EmbeddedServerError(f"{port} is no port: choose one from 1 to 65535 with --port.")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except socket.gaierror as error:
        raise EmbeddedServerError(f"{host} is no address of this machine: choose another with --host.") from error
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            sentence = f"Port {port} is taken by another program: stop that, or choose another port with --port."
        elif error.errno == errno.EACCES:
            sentence = f"Port {port} may not be used by this user: choose one above 1023 with --port."
        else:
            sentence = f"{host} cannot be listened on ({error.strerror}): choose another address with --host."
        raise EmbeddedServerError(sentence) from error
