"""OAI-PMH answers, taken apart (https://www.openarchives.org/OAI/openarchivesprotocol.html).

A well-formed document is read as a stream. Where a document breaks, its records are cut out one by one and each is
read by itself, so that what is damaged damages nothing else.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from lxml import etree

from papers.sources.arxiv.elements import Element, local_name
from papers.sources.arxiv.pieces import Piece, Surroundings, cut_records
from wovepaper.harvest.contracts import DamagedRecord, Page, PageRefused, RawRecord, RecordGone, TokenExpired
from wovepaper.lib import arxiv_id, text

PAGE_SIZE = 500
"""Records of a page cut from a file."""

HEADER = "header"
"""The format of a record that is only a header: from ``ListIdentifiers``, or deleted."""

_ADVICE = {
    "badArgument": "the request is wrong: check the dates (from 2005-09-16, until not before from) and the set",
    "badResumptionToken": "the list must be asked for again from its beginning",
    "badVerb": "the request is wrong: the base URL may not be that of an OAI-PMH server",
    "cannotDisseminateFormat": "the server does not offer this metadata format",
    "idDoesNotExist": "the server knows no paper of this id (ids with a version are refused)",
    "noSetHierarchy": "the server has no sets: harvest without one",
    "noMetadataFormats": "the server has no format for this paper",
}
_INTERESTING = ("{*}record", "{*}header", "{*}error", "{*}resumptionToken")
_ENVELOPE_END = re.compile(rb"</(?:[\w.-]+:)?OAI-PMH\s*>")
_TOKEN = re.compile(rb"<(?:[\w.-]+:)?resumptionToken(?:\s[^>]*)?>([^<]{1,8000})</")
_LISTS = frozenset({"ListRecords", "ListIdentifiers"})
_ROOTS = frozenset({"OAI-PMH", "record", "ListRecords", "GetRecord", "ListIdentifiers", "metadata"})


@dataclass(frozen=True, slots=True)
class _Error:
    """An error that the server put into its answer."""

    code: str
    message: str
    payload: bytes

    @property
    def reason(self) -> str:
        """What it means and what to do."""
        said = f"The server answers {self.code or 'an error without code'}"
        said = f"{said} ({self.message})" if self.message else said
        return f"{said}: {_ADVICE.get(self.code, 'see the OAI-PMH specification')}."

    @property
    def means_nothing_there(self) -> bool:
        """Whether the answer is an empty page."""
        return self.code == "noRecordsMatch"


@dataclass(slots=True)
class _Found:
    """What an answer held beside its records."""

    next_token: str | None = None
    complete_size: int | None = None
    errors: list[_Error] = field(default_factory=list)
    kinds: set[str] = field(default_factory=set)

    def judge(self, *, records: int, retry: bool) -> None:
        """Raise where there is neither a record nor an error that says why.

        A list of nothing but a token is an empty page: the last page of an offset is one when the count divides
        evenly.
        """
        if not records and not self.errors and not self.kinds:
            raise PageRefused("The document is XML without records, headers or an error of OAI-PMH.", retry=retry)


def read_answer(body: bytes) -> Page:
    """One answer from the network. Raises ``PageRefused`` or ``TokenExpired``.

    An answer that is cut off, or followed by garbage, is refused and worth another try. One that is complete but
    holds a record that is not well-formed is taken, with that record set apart: it would look the same tomorrow.
    """
    surroundings = _look_at_head(body[:4096], retry=True)
    found = _Found()
    records: list[RawRecord] = []
    damaged: list[DamagedRecord] = []
    try:
        for record in _stream(io.BytesIO(body), found):
            (records if isinstance(record, RawRecord) else damaged).append(record)  # type: ignore[arg-type]
    except etree.XMLSyntaxError as error:
        end = _ENVELOPE_END.search(body)
        if end is None:
            raise PageRefused(f"The answer is cut off or not well-formed XML ({error.msg}).", retry=True) from error
        if body[end.end() :].strip():
            raise PageRefused(f"There is garbage after the end of the XML ({error.msg}).", retry=True) from error
        records, damaged = [], []
        for piece in cut_records(io.BytesIO(body)):
            salvaged = _salvage(piece, surroundings)
            (records if isinstance(salvaged, RawRecord) else damaged).append(salvaged)  # type: ignore[arg-type]
        if not records:
            raise PageRefused(f"The answer is not well-formed XML ({error.msg}).", retry=True) from error
        token = _TOKEN.search(body)
        if token is not None:
            found.next_token = token[1].decode("utf-8", "replace").replace("&amp;", "&").strip()
    for said in found.errors:
        if said.code == "badResumptionToken":
            raise TokenExpired(said.reason)
        if said.code == "idDoesNotExist":
            raise RecordGone(said.reason)
        if not said.means_nothing_there:
            raise PageRefused(said.reason, retry=False)
    found.judge(records=len(records) + len(damaged), retry=True)
    return Page(tuple(records), tuple(damaged), found.next_token, found.complete_size)


def read_document(open_stream: Callable[[], BinaryIO]) -> Iterator[Page]:
    """The pages of a file that is XML, in bounded memory. Raises ``PageRefused`` where nothing can be read.

    An answer that is an error is no fault of the file's: it becomes a damaged record with the reason.
    """
    with open_stream() as stream:
        surroundings = _look_at_head(_head(stream), retry=False)
    found = _Found()
    count = 0
    batch = _Batch()
    broken: etree.XMLSyntaxError | None = None
    with open_stream() as stream:
        try:
            for record in _stream(stream, found):
                count += 1
                yield from batch.add(record)
        except etree.XMLSyntaxError as error:
            broken = error
    if broken is not None:
        records = 0
        with open_stream() as stream:
            for place, piece in enumerate(cut_records(stream)):
                records += piece.problem == ""
                if place >= count:
                    yield from batch.add(_salvage(piece, surroundings))
        if not records and not count:
            raise PageRefused(
                f"The file is not well-formed XML (line {broken.lineno}: {broken.msg}) and holds no complete record.",
                retry=False,
            )
        count = max(records, count)
        found.kinds.add("record")
    found.judge(records=count, retry=False)
    for said in found.errors:
        if not said.means_nothing_there:
            yield from batch.add(DamagedRecord("", "", said.payload, said.reason))
    yield from batch.rest(even_if_empty=count == 0)


class _Batch:
    """Collects records into pages."""

    def __init__(self) -> None:
        self.records: list[RawRecord] = []
        self.damaged: list[DamagedRecord] = []

    def add(self, record: RawRecord | DamagedRecord) -> Iterator[Page]:
        if isinstance(record, RawRecord):
            self.records.append(record)
        else:
            self.damaged.append(record)
        if len(self.records) + len(self.damaged) >= PAGE_SIZE:
            yield from self.rest()

    def rest(self, *, even_if_empty: bool = False) -> Iterator[Page]:
        if self.records or self.damaged or even_if_empty:
            page = Page(tuple(self.records), tuple(self.damaged))
            self.records, self.damaged = [], []
            yield page


def _head(stream: BinaryIO) -> bytes:
    return stream.read(4096)


def _look_at_head(head: bytes, *, retry: bool) -> Surroundings:
    """What the beginning says of the document. Raises ``PageRefused`` for what cannot be OAI-PMH."""
    surroundings = Surroundings.of(head)
    if not head.strip():
        raise PageRefused("The answer is empty." if retry else "The file is empty.", retry=retry)
    if surroundings.is_html:
        raise PageRefused("This is a page of HTML, not XML: perhaps an error page or a captcha.", retry=retry)
    if not surroundings.is_xml:
        shown = text.clean(head[:60].decode("utf-8", "replace"))
        raise PageRefused(f"This is not XML; it begins with {shown!r}.", retry=retry)
    if surroundings.has_doctype:
        raise PageRefused("The document has a DOCTYPE, which OAI-PMH never has: it is not read.", retry=retry)
    if surroundings.root and surroundings.root not in _ROOTS:
        raise PageRefused(f"The root element is <{surroundings.root[:40]}>, not <OAI-PMH>.", retry=retry)
    return surroundings


def _stream(stream: BinaryIO, found: _Found) -> Iterator[RawRecord | DamagedRecord]:
    """The records of a well-formed document, each forgotten when the next is asked for."""
    context = etree.iterparse(
        stream,
        events=("end",),
        tag=_INTERESTING,
        resolve_entities=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    for _, element in context:
        parent = element.getparent()
        name = local_name(element)
        if name == "record":
            if any(local_name(ancestor) == "record" for ancestor in element.iterancestors()):
                continue  # the one around it has no end
            found.kinds.add(name)
            yield _raw_record(element)
        elif name == "header":
            # One inside a record is part of it, and a bare one belongs to a list of identifiers.
            if parent is None or local_name(parent) != "ListIdentifiers":
                continue
            found.kinds.add(name)
            yield _raw_record(element)
        elif name == "error":
            if parent is None or local_name(parent) != "OAI-PMH":
                continue
            message = text.clean(element.text or "")[:300]
            payload = etree.tostring(element, encoding="utf-8", with_tail=False)
            found.errors.append(_Error(element.get("code", ""), message, payload))
        else:
            if parent is None or local_name(parent) not in _LISTS:
                continue
            found.kinds.add(name)
            found.next_token = (element.text or "").strip() or None
            size = element.get("completeListSize", "")
            found.complete_size = int(size) if size.isascii() and size.isdigit() and len(size) < 15 else None
        element.clear(keep_tail=False)
        if parent is not None:
            while element.getprevious() is not None:
                del parent[0]


def _raw_record(element: Element) -> RawRecord | DamagedRecord:
    payload = etree.tostring(element, encoding="utf-8", with_tail=False)
    header: Element | None = element if local_name(element) == "header" else None
    kind = HEADER
    for child in element:
        name = local_name(child)
        if name == "header":
            header = child
        elif name == "metadata":
            metadata = next((inside for inside in child if isinstance(inside.tag, str)), None)
            if metadata is not None:
                kind = {"dc": "oai_dc"}.get(local_name(metadata), local_name(metadata)[:24])
    identifier = stamp = ""
    for child in header if header is not None else ():
        name = local_name(child)
        if name == "identifier":
            identifier = text.clean(child.text or "")
        elif name == "datestamp":
            stamp = text.clean(child.text or "")
    if header is not None and header.get("status") == "deleted":
        kind = HEADER
    if not identifier:
        reason = "The record has no header." if header is None else "The header of the record has no identifier."
        return DamagedRecord("", kind, payload, reason)
    return RawRecord(external_id(identifier), kind, stamp[:40], payload)


def external_id(identifier: str) -> str:
    """The key of a record: the bare arXiv id where it is one, else the identifier as it is, cut to 255 characters."""
    found = arxiv_id.normalise(identifier)
    return found.value if found is not None and found.version is None else identifier[:255]


def _salvage(piece: Piece, surroundings: Surroundings) -> RawRecord | DamagedRecord:
    """One piece of a broken document, read by itself."""
    if not piece.problem:
        try:
            return _raw_record(surroundings.parse(piece.payload))
        except etree.XMLSyntaxError as error:
            problem = f"The record is not well-formed XML: {text.clean(error.msg or '')}."
    else:
        problem = piece.problem
    identifier = external_id(piece.identifier) if piece.identifier else ""
    return DamagedRecord(identifier, "", piece.payload, f"{problem} It begins at line {piece.line} of the document.")
