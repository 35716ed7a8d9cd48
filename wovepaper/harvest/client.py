"""A polite HTTP client: one request at a time to a host, in its rhythm, to allowed hosts only, with caps on answers.

It never retries by itself: the harvest decides, because a page that cannot be read is asked for again as well.
"""

from __future__ import annotations

import datetime as dt
import email.utils
import hashlib
import json
import logging
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx2

from wovepaper.harvest.confidential import Confidential
from wovepaper.harvest.contracts import PageRequest
from wovepaper.harvest.errors import AnswerTooLarge, HostNotAllowed, UpstreamFailed, UpstreamUnavailable
from wovepaper.harvest.interruption import Interruption
from wovepaper.harvest.lease import HostTurn, host_turn
from wovepaper.harvest.options import HarvestOptions

_RETRY = frozenset({408, 425, 429, 500, 502, 503, 504})
_UNAVAILABLE = frozenset({429, 503})
_REDIRECT = frozenset({301, 302, 303, 307, 308})
_SAME_METHOD = frozenset({307, 308})
_KEPT = ("date", "age", "content-type", "etag", "last-modified", "retry-after", "x-cache")
_QUOTA = ("x-ratelimit-", "x-rate-limit-", "ratelimit")
_YEAR = 366 * 86_400.0
_ERROR_WORDS = 300
_ERROR_BYTES = 8 * 1024
# They write every address they ask, and every header they send, into the log, keys and all.
for _name in ("httpx2", "httpcore2"):
    logging.getLogger(_name).setLevel(logging.WARNING)
_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class AllowedHosts:
    """The hosts of a source's base URLs. Plain http only where a base URL itself is http."""

    origins: frozenset[tuple[str, str, int]]

    @classmethod
    def of(cls, *base_urls: str) -> AllowedHosts:
        """Raises ``HostNotAllowed`` for something that is no absolute http(s) address."""
        return cls(frozenset(_origin(httpx2.URL(url)) for url in base_urls))

    def check(self, url: httpx2.URL) -> None:
        """Raises ``HostNotAllowed``. The change from http to https on the default ports is allowed."""
        scheme, host, port = _origin(url)
        if (scheme, host, port) in self.origins:
            return
        if scheme == "https" and port == 443 and ("http", host, 80) in self.origins:
            return
        allowed = ", ".join(sorted(f"{scheme}://{host}:{port}" for scheme, host, port in self.origins))
        raise HostNotAllowed(f"{scheme}://{host}:{port} is not a host of this source (allowed: {allowed}).")


def _origin(url: httpx2.URL) -> tuple[str, str, int]:
    if url.scheme not in _DEFAULT_PORTS or not url.host:
        raise HostNotAllowed(f"{str(url)[:200]!r} is not an absolute http(s) address.")
    return url.scheme, url.host, url.port or _DEFAULT_PORTS[url.scheme]


@dataclass(frozen=True, slots=True)
class Answer:
    """A complete answer, unpacked. No key stands in any of it."""

    url: str
    headers: Mapping[str, str]
    body: bytes
    fetched_at: dt.datetime
    sha256: str
    status: int = 200


@dataclass(slots=True)
class PoliteClient:
    """Use as a context manager. ``requests`` counts every request sent, ``bytes_received`` the bytes as transferred.

    ``before_request`` is called before each request and may raise to give up; ``on_headers`` is told the headers of
    each answer, failures too, and may name an interval in seconds that is longer than ``interval``.
    """

    allowed: AllowedHosts
    interval: float
    options: HarvestOptions
    user_agent: str
    interruption: Interruption = field(default_factory=Interruption)
    requests: int = 0
    bytes_received: int = 0
    quota: dict[str, str] = field(default_factory=dict)
    before_request: Callable[[], None] = lambda: None
    on_headers: Callable[[Mapping[str, str]], float | None] = lambda _headers: None
    _longer_interval: float = 0.0
    _client: httpx2.Client = field(init=False)

    def __post_init__(self) -> None:
        options = self.options
        self._client = httpx2.Client(
            headers={"User-Agent": self.user_agent, "Accept-Encoding": "gzip"},
            timeout=httpx2.Timeout(options.read_timeout, connect=options.connect_timeout),
            trust_env=False,
            follow_redirects=False,
            limits=httpx2.Limits(max_connections=1, max_keepalive_connections=1),
        )

    def __enter__(self) -> PoliteClient:
        return self

    def __exit__(self, *exception: object) -> None:
        self._client.close()

    def get(self, url: str, params: Mapping[str, str]) -> Answer:
        """Fetch one page without a key. Raises what ``fetch`` raises."""
        return self.fetch(PageRequest(url, params))

    def fetch(self, request: PageRequest) -> Answer:
        """Fetch one page, following redirects on the allowed hosts.

        Raises ``HostNotAllowed``, ``UpstreamFailed`` (``UpstreamUnavailable`` without an answer), ``AnswerTooLarge``.
        """
        confidential = Confidential((*request.secret_params.values(), *request.secret_headers.values()))
        target = httpx2.URL(request.url)
        if request.params:
            target = target.copy_merge_params(request.params)
        for _ in range(self.options.max_redirects + 1):
            self.allowed.check(target)
            answer = self._send(target, request, confidential)
            if isinstance(answer, Answer):
                return answer
            target = answer
        raise UpstreamFailed(
            f"{target.host} redirected more than {self.options.max_redirects} times in a row.", retry=False
        )

    def _send(self, url: httpx2.URL, request: PageRequest, confidential: Confidential) -> Answer | httpx2.URL:
        """One request: the answer, or where it redirects to."""
        deadline = self.options.answer_timeout
        host = f"{url.host}:{url.port or _DEFAULT_PORTS[url.scheme]}"
        with host_turn(host, interval=max(self.interval, self._longer_interval), wait=self.interruption.sleep) as turn:
            self.before_request()
            started = time.monotonic()
            self.requests += 1
            try:
                with self.interruption.idle(), self._client.stream(**_sent(url, request, turn)) as response:
                    turn.arrived()
                    self._note_quota(confidential.headers(response.headers), turn)
                    if response.status_code in _REDIRECT and "location" in response.headers:
                        return _redirected(url, response, request)
                    if response.status_code not in request.statuses:
                        raise _status_error(response, confidential.text(self._error_words(response)))
                    body = b"".join(self._unpack(response, started + deadline))
            except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
                raise UpstreamUnavailable(f"{host} cannot be reached: {_words(error)}.", retry=True) from error
            except httpx2.TimeoutException as error:
                raise UpstreamFailed(f"{host} did not answer in time ({_words(error)}).", retry=True) from error
            except httpx2.TransportError as error:
                raise UpstreamFailed(f"The answer of {host} broke off: {_words(error)}.", retry=True) from error
            except httpx2.InvalidURL as error:
                raise UpstreamFailed(f"{host} redirected to no valid address: {_words(error)}.", retry=False) from error
        kept = {name: value for name, value in response.headers.items() if name in _KEPT or name.startswith(_QUOTA)}
        body = confidential.body(body)
        return Answer(
            confidential.address(url, request.secret_params),
            confidential.headers(kept),
            body,
            dt.datetime.now(dt.UTC),
            hashlib.sha256(body).hexdigest(),
            response.status_code,
        )

    def _error_words(self, response: httpx2.Response) -> str:
        """What a failure says in JSON, in its own words; empty where it says nothing that can be read."""
        if "json" not in response.headers.get("content-type", ""):
            return ""
        body = b""
        try:
            for block in self._unpack(response, time.monotonic() + self.options.read_timeout):
                body += block
                if len(body) > _ERROR_BYTES:
                    return ""
            said = json.loads(body)
        except (UpstreamFailed, AnswerTooLarge, httpx2.HTTPError, ValueError, RecursionError):
            return ""
        given = [said.get(key) for key in ("message", "error", "detail")] if isinstance(said, dict) else []
        words = next((each for each in given if isinstance(each, str) and each.strip()), "")
        return " ".join(words.split())[:_ERROR_WORDS]

    def _unpack(self, response: httpx2.Response, deadline: float) -> Iterator[bytes]:
        """The body, unpacked piece by piece, never holding more than the cap allows."""
        unpacker = _Unpacker(response.headers.get("content-encoding", "identity").strip().lower())
        packed = unpacked = 0
        for piece in response.iter_raw():
            packed += len(piece)
            self.bytes_received += len(piece)
            if packed > self.options.max_packed:
                raise AnswerTooLarge(f"The answer is larger than {self.options.max_packed} bytes.")
            if time.monotonic() > deadline:
                raise UpstreamFailed(
                    f"The answer was not complete after {self.options.answer_timeout:g} seconds.", retry=True
                )
            block = unpacker.feed(piece, self.options.max_unpacked + 1 - unpacked)
            unpacked += len(block)
            if unpacked > self.options.max_unpacked:
                raise AnswerTooLarge(f"The answer is larger than {self.options.max_unpacked} bytes when unpacked.")
            yield block
        unpacker.finish()

    def _note_quota(self, headers: Mapping[str, str], turn: HostTurn) -> None:
        found = {name: value for name, value in headers.items() if name.startswith(_QUOTA)}
        if found:
            self.quota = found
        longer = self.on_headers(headers)
        if longer is not None:
            self._longer_interval = longer
            turn.interval = max(self.interval, longer)


def _sent(url: httpx2.URL, request: PageRequest, turn: HostTurn) -> dict[str, Any]:
    """What goes out. A key that the address has already, as after a redirect, is not added twice."""
    url = url.copy_merge_params(request.secret_params) if request.secret_params else url
    sent: dict[str, Any] = {
        "method": request.method,
        "url": url,
        "headers": {**request.headers, **request.secret_headers},
        "extensions": {"trace": _trace(turn)},
    }
    if request.method == "POST":
        sent["json"] = request.json_body
    return sent


def _redirected(url: httpx2.URL, response: httpx2.Response, request: PageRequest) -> httpx2.URL:
    """Raises ``UpstreamFailed`` where following would turn what was sent into another request (RFC 9110, 15.4)."""
    if request.method != "GET" and response.status_code not in _SAME_METHOD:
        raise UpstreamFailed(f"{url.host} redirected a request that carries a body.", retry=False)
    return url.join(response.headers["location"])


def _trace(turn: HostTurn) -> Callable[[str, Any], None]:
    def note(event: str, _info: Any) -> None:
        if event.endswith("send_request_headers.complete"):
            turn.sent()

    return note


class _Unpacker:
    """Unpacks one answer piece by piece. Raises ``UpstreamFailed`` for a packing not asked for or a damaged one."""

    def __init__(self, encoding: str) -> None:
        if encoding not in {"", "identity", "gzip", "x-gzip"}:
            raise UpstreamFailed(f"The answer is packed with {encoding[:40]!r}, which was not asked for.", retry=False)
        self._gzip = zlib.decompressobj(zlib.MAX_WBITS | 16) if "gzip" in encoding else None

    def feed(self, piece: bytes, room: int) -> bytes:
        """At most ``room`` bytes (more than nothing); what exceeds them is not unpacked at all."""
        if self._gzip is None:
            return piece
        try:
            return self._gzip.decompress(piece, max(room, 1))
        except zlib.error as error:
            raise UpstreamFailed(f"The packed answer is damaged ({error}).", retry=True) from error

    def finish(self) -> None:
        """The last piece has come."""
        if self._gzip is not None and not self._gzip.eof:
            raise UpstreamFailed("The packed answer broke off.", retry=True)


def _words(error: Exception) -> str:
    return str(error).rstrip(".") or type(error).__name__


def _status_error(response: httpx2.Response, words: str) -> UpstreamFailed:
    status = response.status_code
    reason = f"{response.url.host} answered with status {status} {response.reason_phrase}".rstrip() + "."
    if words:
        reason += f" It says: {words.rstrip('.')}."
    kind = UpstreamUnavailable if status in _UNAVAILABLE else UpstreamFailed
    return kind(reason, retry=status in _RETRY, retry_after=_retry_after(response.headers), status=status)


def _retry_after(headers: httpx2.Headers) -> float | None:
    """Seconds to wait, from seconds or an HTTP date (RFC 9110, 10.2.3); ``None`` where absent or unreadable."""
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    if value.isascii() and value.isdigit():
        return min(float(value[:12]), _YEAR)
    try:
        moment = email.utils.parsedate_to_datetime(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=dt.UTC)
    return min(max(0.0, (moment - dt.datetime.now(dt.UTC)).total_seconds()), _YEAR)
