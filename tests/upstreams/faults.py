"""Everything that sources are known to get wrong, each switched on by appending it to ``upstream.faults``."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from lxml import etree

from tests.upstreams.render import OAI
from tests.upstreams.web import Fault, Reply, Seen, gzipped

When = Callable[[Seen], bool]
_TOKEN = re.compile(rb"(<resumptionToken[^>]*>)[^<]*(</resumptionToken>)")


def always(_seen: Seen) -> bool:
    return True


def continuing(seen: Seen) -> bool:
    """Requests with a token: every page but the first."""
    return "resumptionToken" in seen.params


def opening(seen: Seen) -> bool:
    """Requests that open a list."""
    return seen.params.get("verb", "").startswith("List") and not continuing(seen)


def mentions(text: str) -> When:
    """Requests with this text in one of their arguments, for example a day or ``skip%3D20``."""
    return lambda seen: any(text in value for value in seen.params.values())


# --- tokens --------------------------------------------------------------------------------------------------


def expired_token(on: When = continuing, times: int | None = 1) -> Fault:
    """Also the cursor that dies after many pages: choose the page by ``on``."""
    body = (
        b'<?xml version="1.0" encoding="UTF-8"?>\n<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">'
        b"<responseDate>2025-07-01T00:00:00Z</responseDate><request>http://localhost/oai</request>"
        b'<error code="badResumptionToken">The resumptionToken supplied has expired</error></OAI-PMH>'
    )
    return Fault(lambda _seen, _reply: Reply(body), on, times)


def same_page_for_ever() -> Fault:
    """Every continuation gets the first continuation again, but with a fresh token each time."""
    first: list[Reply] = []

    def spoil(seen: Seen, reply: Callable[[], Reply]) -> Reply:
        if not first:
            first.append(reply())
        return first[0].with_body(_with_token(first[0].body, f"{seen.params['resumptionToken']}x".encode()))

    return Fault(spoil, continuing)


def own_token_for_ever() -> Fault:
    """Every page names the token it was asked with as the next."""

    def spoil(seen: Seen, reply: Callable[[], Reply]) -> Reply:
        answer = reply()
        return answer.with_body(_with_token(answer.body, seen.params["resumptionToken"].encode()))

    return Fault(spoil, continuing)


def looping_tokens(back_to_after: int) -> Fault:
    """After that many continuations, the next token is that of the second page again."""
    tokens: list[str] = []

    def spoil(seen: Seen, reply: Callable[[], Reply]) -> Reply:
        tokens.append(seen.params["resumptionToken"])
        answer = reply()
        if len(tokens) >= back_to_after:
            return answer.with_body(_with_token(answer.body, tokens[0].encode()))
        return answer

    return Fault(spoil, continuing)


def _with_token(body: bytes, token: bytes) -> bytes:
    escaped = token.replace(b"&", b"&amp;")
    if _TOKEN.search(body):
        return _TOKEN.sub(lambda found: found[1] + escaped + found[2], body)
    # A single page, or pretty-printed <resumptionToken/>.
    body = re.sub(rb"<resumptionToken[^>]*/>", b"", body)
    return re.sub(
        rb"</(ListRecords|ListIdentifiers)>",
        lambda found: b"<resumptionToken>" + escaped + b"</resumptionToken></" + found[1] + b">",
        body,
    )


# --- what is not XML, or not all of it -----------------------------------------------------------------------


def truncated_xml(on: When = always, times: int | None = 1) -> Fault:
    return _body(lambda body: body[: len(body) * 2 // 3], on, times)


def garbage_after_xml(on: When = always, times: int | None = None) -> Fault:
    return _body(lambda body: body + b"\n<!-- cache -->\nWarning: connection lost <br>\n", on, times)


def html_with_200(on: When = always, times: int | None = 1) -> Fault:
    page = b"<!DOCTYPE html><html><head><title>Down for maintenance</title></head><body><p>Back soon<br></body></html>"
    return Fault(lambda _seen, _reply: Reply(page, content_type="text/html"), on, times)


def empty_object(on: When = always, times: int | None = 1) -> Fault:
    return Fault(lambda _seen, _reply: Reply(b"{}", content_type="application/json"), on, times)


def empty_body(on: When = always, times: int | None = 1) -> Fault:
    return Fault(lambda _seen, _reply: Reply(b""), on, times)


def _body(change: Callable[[bytes], bytes], on: When, times: int | None) -> Fault:
    def spoil(_seen: Seen, reply: Callable[[], Reply]) -> Reply:
        answer = reply()
        return answer.with_body(change(answer.body))

    return Fault(spoil, on, times)


# --- status --------------------------------------------------------------------------------------------------


def status(
    code: int, on: When = always, times: int | None = 1, *, retry_after: float | None = None, as_date: bool = False
) -> Fault:
    """An error status, with ``Retry-After`` in seconds or as an HTTP date, or without."""
    headers = {}
    if retry_after is not None:
        moment = datetime.now(UTC) + timedelta(seconds=retry_after)
        headers["Retry-After"] = format_datetime(moment, usegmt=True) if as_date else f"{retry_after:.0f}"
    return Fault(lambda _seen, _reply: Reply(b"No.", code, headers, "text/plain"), on, times)


def internal_error_on_record(oai_id: str) -> Fault:
    """500 for every page that would hold this record, and for the record itself."""

    def spoil(seen: Seen, reply: Callable[[], Reply]) -> Reply:
        answer = reply()
        if oai_id.encode() in answer.body and seen.params.get("verb") != "ListIdentifiers":
            return Reply(b"Internal Server Error", 500, {}, "text/plain")
        return answer

    return Fault(spoil)


def redirect(to: str, on: When = always, times: int | None = 1, code: int = 302) -> Fault:
    return Fault(lambda _seen, _reply: Reply(b"", code, {"Location": to}), on, times)


def redirect_in_circles() -> Fault:
    return Fault(lambda seen, _reply: Reply(b"", 302, {"Location": f"{seen.path}?verb=Identify&n={seen.number}"}))


# --- lists ---------------------------------------------------------------------------------------------------


def _records(root: etree._Element) -> list[etree._Element]:
    return root.findall(f".//{{{OAI}}}record")


def _list_fault(change: Callable[[etree._Element, list[etree._Element]], None], on: When, times: int | None) -> Fault:
    def spoil(_seen: Seen, reply: Callable[[], Reply]) -> Reply:
        answer = reply()
        root = etree.fromstring(answer.body)
        records = _records(root)
        if not records:
            return answer
        change(records[0].getparent(), records)
        return answer.with_body(etree.tostring(root, xml_declaration=True, encoding="UTF-8"))

    return Fault(spoil, on, times)


def empty_page(on: When = continuing, times: int | None = 1) -> Fault:
    """The page is there, with its token, but without its records."""

    def change(parent: etree._Element, records: list[etree._Element]) -> None:
        for record in records:
            parent.remove(record)

    return _list_fault(change, on, times)


def delivered_twice(on: When = always, times: int | None = None) -> Fault:
    """Every record of a page once more, in the same page."""

    def change(_parent: etree._Element, records: list[etree._Element]) -> None:
        for record in records:
            record.addnext(etree.fromstring(etree.tostring(record, with_tail=False)))

    return _list_fault(change, on, times)


def out_of_order(on: When = always, times: int | None = None) -> Fault:
    """The last record of a page first."""

    def change(parent: etree._Element, records: list[etree._Element]) -> None:
        tokens = [each for each in parent if each.tag.endswith("resumptionToken")]
        parent[:] = [*reversed(records), *tokens]

    return _list_fault(change, on, times)


def field_vanishes(name: str, on: When = always, times: int | None = None) -> Fault:
    """An element of that name is empty in every record, as when a server's template breaks."""

    def change(parent: etree._Element, _records: list[etree._Element]) -> None:
        for element in list(parent.iter(f"{{*}}{name}")):
            for child in list(element):
                element.remove(child)
            element.text = None

    return _list_fault(change, on, times)


def damaged_records(count: int, on: When = always, times: int | None = None) -> Fault:
    """The first ``count`` records of a page have no metadata."""

    def change(_parent: etree._Element, records: list[etree._Element]) -> None:
        for record in records[:count]:
            record.remove(record[1])

    return _list_fault(change, on, times)


# --- bodies that hurt ----------------------------------------------------------------------------------------


def packed(on: When = always, times: int | None = None) -> Fault:
    """No fault: answers packed with gzip."""
    return Fault(lambda _seen, reply: gzipped(reply()), on, times)


def packed_and_cut(on: When = always, times: int | None = 1) -> Fault:
    def spoil(_seen: Seen, reply: Callable[[], Reply]) -> Reply:
        answer = gzipped(reply())
        return answer.with_body(answer.body[: len(answer.body) // 2])

    return Fault(spoil, on, times)


def gzip_bomb(unpacked: int, on: When = always, times: int | None = None) -> Fault:
    """``unpacked`` bytes of zeros, packed about a thousand to one, and never held unpacked here."""

    def pieces() -> Iterator[bytes]:
        packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
        block = bytes(2**20)
        for _ in range(unpacked // len(block)):
            yield packer.compress(block)
        yield packer.flush()

    return Fault(lambda _seen, _reply: Reply(headers={"Content-Encoding": "gzip"}, pieces=pieces()), on, times)


def huge_body(size: int, on: When = always, times: int | None = None) -> Fault:
    block = b" " * 2**16
    return Fault(lambda _seen, _reply: Reply(pieces=(block for _ in range(size // len(block)))), on, times)


def slow_body(pieces: int, delay: float, on: When = always, times: int | None = 1) -> Fault:
    """The real answer in that many pieces, ``delay`` seconds apart."""

    def spoil(_seen: Seen, reply: Callable[[], Reply]) -> Reply:
        answer = reply()
        step = max(1, -(-len(answer.body) // pieces))
        parts = [answer.body[start : start + step] for start in range(0, len(answer.body), step)]
        return replace(answer, pieces=parts, piece_delay=delay)

    return Fault(spoil, on, times)


def broken_off(on: When = always, times: int | None = 1) -> Fault:
    """The connection ends before the announced length."""

    def spoil(_seen: Seen, reply: Callable[[], Reply]) -> Reply:
        answer = reply()
        headers = {**answer.headers, "Content-Length": str(len(answer.body))}
        return replace(answer, headers=headers, pieces=[answer.body[: len(answer.body) // 2]])

    return Fault(spoil, on, times)


def unknown_packing(on: When = always, times: int | None = 1) -> Fault:
    return Fault(lambda _seen, reply: replace(reply(), headers={"Content-Encoding": "br"}), on, times)
