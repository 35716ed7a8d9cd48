"""A loopback web server for fake sources: it notes every request and can spoil every answer."""

from __future__ import annotations

import gzip
import itertools
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True)
class Seen:
    """One request as it arrived; ``at`` in seconds of the monotonic clock."""

    number: int
    at: float
    path: str
    params: dict[str, str]
    headers: dict[str, str]
    method: str = "GET"
    body: bytes = b""


@dataclass(frozen=True)
class Reply:
    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = "text/xml"
    pieces: Iterable[bytes] | None = None
    """Sent instead of the body, without a length, one by one."""
    piece_delay: float = 0.0

    def with_body(self, body: bytes) -> Reply:
        return replace(self, body=body)


Answerer = Callable[[Seen], Reply]


@dataclass
class Fault:
    """Spoils the replies to the requests it is for: ``times`` of them, or all."""

    spoil: Callable[[Seen, Callable[[], Reply]], Reply]
    on: Callable[[Seen], bool] = lambda _seen: True
    times: int | None = None
    met: int = 0

    def takes(self, seen: Seen) -> bool:
        if self.times is not None and self.met >= self.times:
            return False
        if not self.on(seen):
            return False
        self.met += 1
        return True


class Upstream:
    """Base of the fake sources. Use as a context manager; ``answer`` is for the subclass to write."""

    path = "/"

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.requests: list[Seen] = []
        self._lock = threading.Lock()
        self._server: ThreadingHTTPServer | None = None

    def answer(self, seen: Seen) -> Reply:
        raise NotImplementedError

    @property
    def url(self) -> str:
        """The base URL."""
        assert self._server is not None, "Start the upstream first."
        host, port = self._server.server_address[:2]
        return f"http://{host}:{port}{self.path}"

    @property
    def arrivals(self) -> list[float]:
        return sorted(seen.at for seen in self.requests)

    def smallest_gap(self) -> float:
        """Seconds between the two requests that came closest."""
        arrivals = self.arrivals
        return min(later - earlier for earlier, later in itertools.pairwise(arrivals))

    def __enter__(self):
        upstream = self

        class Handler(_Handler):
            owner = upstream

        self._server = _Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        assert self._server is not None
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def handle(
        self, path: str, params: dict[str, str], headers: dict[str, str], at: float, method: str, body: bytes
    ) -> Reply:
        with self._lock:
            seen = Seen(len(self.requests) + 1, at, path, params, headers, method, body)
            self.requests.append(seen)
            faults = [fault for fault in self.faults if fault.takes(seen)]

            def reply() -> Reply:
                return self.answer(seen)

            for fault in faults:
                reply = _spoiled(fault, seen, reply)
            return reply()


def _spoiled(fault: Fault, seen: Seen, reply: Callable[[], Reply]) -> Callable[[], Reply]:
    return lambda: fault.spoil(seen, reply)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def handle_error(self, request, client_address):
        """A client that was killed or gave up is part of the tests."""


class _Handler(BaseHTTPRequestHandler):
    owner: Upstream
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        at = time.monotonic()
        parts = urlsplit(self.path)
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = self.rfile.read(int(headers.get("content-length", "0")))
        params = dict(parse_qsl(parts.query, keep_blank_values=True))
        reply = self.owner.handle(parts.path, params, headers, at, self.command, body)
        if reply.pieces is None:
            self._send_whole(reply)
        else:
            self._send_pieces(reply)

    do_POST = do_GET

    def _begin(self, reply: Reply) -> None:
        self.send_response(reply.status, HTTPStatus(reply.status).phrase)
        self.send_header("Content-Type", reply.content_type)
        for name, value in reply.headers.items():
            self.send_header(name, value)

    def _send_whole(self, reply: Reply) -> None:
        self._begin(reply)
        self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        self.wfile.write(reply.body)

    def _send_pieces(self, reply: Reply) -> None:
        self._begin(reply)
        self.send_header("Connection", "close")
        self.end_headers()
        for piece in reply.pieces or ():
            self.wfile.write(piece)
            self.wfile.flush()
            if reply.piece_delay:
                time.sleep(reply.piece_delay)
        self.close_connection = True

    def log_message(self, *_arguments: object) -> None:
        """Silent."""


def gzipped(reply: Reply) -> Reply:
    return replace(reply, body=gzip.compress(reply.body), headers={**reply.headers, "Content-Encoding": "gzip"})
