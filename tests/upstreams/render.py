"""OAI-PMH documents as arXiv's two servers write them. Everything is escaped by the library that builds them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from email.utils import format_datetime

from lxml import etree
from lxml.builder import ElementMaker

from tests.upstreams.catalogue import Author, Paper

OAI = "http://www.openarchives.org/OAI/2.0/"
ARXIV = "http://arxiv.org/OAI/arXiv/"
RAW = "http://arxiv.org/OAI/arXivRaw/"
OAI_DC = "http://www.openarchives.org/OAI/2.0/oai_dc/"
DC = "http://purl.org/dc/elements/1.1/"
FORMATS = {"oai_dc": OAI_DC, "arXiv": ARXIV, "arXivRaw": RAW}

_oai = ElementMaker(namespace=OAI, nsmap={None: OAI})
_arxiv = ElementMaker(namespace=ARXIV, nsmap={None: ARXIV})
_raw = ElementMaker(namespace=RAW, nsmap={None: RAW})
_dc = ElementMaker(namespace=DC, nsmap={"oai_dc": OAI_DC, "dc": DC})


def document(verb: str, content: Iterable[etree._Element], request: dict[str, str], base_url: str, now: dt.datetime):
    root = _oai("OAI-PMH")
    root.append(_oai("responseDate", now.strftime("%Y-%m-%dT%H:%M:%SZ")))
    root.append(_oai("request", base_url, **request))
    body = _oai(verb)
    body.extend(content)
    root.append(body)
    return _bytes(root)


def error(code: str, message: str, request: dict[str, str], base_url: str, now: dt.datetime) -> bytes:
    root = _oai("OAI-PMH")
    root.append(_oai("responseDate", now.strftime("%Y-%m-%dT%H:%M:%SZ")))
    attributes = {} if code in {"badVerb", "badArgument"} else request
    root.append(_oai("request", base_url, **attributes))
    root.append(_oai("error", message, code=code))
    return _bytes(root)


def _bytes(root: etree._Element) -> bytes:
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True)


def header(paper: Paper, *, classic: bool) -> etree._Element:
    sets = dict.fromkeys(":".join(spec.split(":")[: 2 if spec.startswith("physics") else 1]) for spec in paper.sets)
    specs = list(sets) if classic else list(paper.sets)
    return _oai(
        "header",
        _oai("identifier", paper.oai_id),
        _oai("datestamp", paper.datestamp.isoformat()),
        *(_oai("setSpec", spec) for spec in specs),
    )


def record(paper: Paper, prefix: str, *, classic: bool) -> etree._Element:
    body = {"arXiv": _as_arxiv, "arXivRaw": _as_raw, "oai_dc": _as_dc}[prefix](paper, classic)
    for element in list(body):
        if etree.QName(element).localname in paper.hidden:
            body.remove(element)
    return _oai("record", header(paper, classic=classic), _oai("metadata", body))


def _optional(make: ElementMaker, paper: Paper) -> list[etree._Element]:
    pairs = (
        ("comments", paper.comments),
        ("report-no", paper.report_no),
        ("acm-class", paper.acm_class),
        ("msc-class", paper.msc_class),
        ("journal-ref", paper.journal_ref),
        ("doi", paper.doi),
        ("license", paper.license),
    )
    return [make(name, text) for name, text in pairs if text]


def _as_arxiv(paper: Paper, classic: bool) -> etree._Element:
    versions = paper.all_versions
    # The new server prints the current version's day as created, and the datestamp as updated.
    created = versions[0] if classic else versions[-1]
    updated = versions[-1].submitted.date() if classic else paper.datestamp
    parts = [_arxiv("id", paper.arxiv_id), _arxiv("created", created.submitted.date().isoformat())]
    if not classic or len(versions) > 1:
        parts.append(_arxiv("updated", updated.isoformat()))
    if paper.authors:
        parts.append(_arxiv("authors", *(_author(each, classic) for each in paper.authors)))
    title = (paper.title_tex or paper.title) if classic else paper.title
    parts += [_arxiv("title", title), _arxiv("categories", " ".join(paper.categories))]
    return _arxiv("arXiv", *parts, *_optional(_arxiv, paper), _arxiv("abstract", f"  {paper.abstract}\n"))


def _author(author: Author, classic: bool) -> etree._Element:
    parts = [_arxiv("keyname", author.keyname)]
    if author.forenames:
        parts.append(_arxiv("forenames", author.forenames))
    if author.suffix:
        parts.append(_arxiv("suffix", author.suffix))
    if classic:
        parts += [_arxiv("affiliation", each) for each in author.affiliations]
    return _arxiv("author", *parts)


def _as_raw(paper: Paper, _classic: bool) -> etree._Element:
    parts = [_raw("id", paper.arxiv_id), _raw("submitter", paper.submitter)]
    for version in paper.all_versions:
        parts.append(
            _raw(
                "version",
                _raw("date", format_datetime(version.submitted, usegmt=True)),
                _raw("size", f"{version.size_kb}kb"),
                _raw("source_type", version.source_type),
                version=f"v{version.number}",
            )
        )
    parts += [
        _raw("title", paper.title_tex or paper.title),
        _raw("authors", ", ".join(author.raw for author in paper.authors)),
        _raw("categories", " ".join(paper.categories)),
    ]
    return _raw("arXivRaw", *parts, *_optional(_raw, paper), _raw("abstract", f"  {paper.abstract}\n"))


def _as_dc(paper: Paper, _classic: bool) -> etree._Element:
    parts = [_dc("title", paper.title)]
    parts += [_dc("creator", ", ".join(filter(None, [each.keyname, each.forenames]))) for each in paper.authors]
    parts += [_dc("subject", category) for category in paper.categories]
    parts.append(_dc("description", paper.abstract))
    if paper.comments:
        parts.append(_dc("description", f"Comment: {paper.comments}"))
    parts.append(_dc("date", paper.all_versions[0].submitted.date().isoformat()))
    parts += [_dc("type", "text"), _dc("identifier", f"http://arxiv.org/abs/{paper.arxiv_id}")]
    if paper.doi:
        parts.append(_dc("identifier", f"doi:{paper.doi}"))
    whole = ElementMaker(namespace=OAI_DC, nsmap={"oai_dc": OAI_DC, "dc": DC})("dc")
    whole.extend(parts)
    return whole


def resumption_token(token: str, **attributes: str) -> etree._Element:
    return _oai("resumptionToken", token, **attributes)


def set_element(spec: str, name: str) -> etree._Element:
    return _oai("set", _oai("setSpec", spec), _oai("setName", name))


def format_element(prefix: str) -> etree._Element:
    namespace = FORMATS[prefix]
    return _oai(
        "metadataFormat",
        _oai("metadataPrefix", prefix),
        _oai("schema", f"{namespace.rstrip('/')}.xsd"),
        _oai("metadataNamespace", namespace),
    )


def identify_elements(base_url: str, earliest: str) -> list[etree._Element]:
    pairs = (
        ("repositoryName", "An arXiv that is not there"),
        ("baseURL", base_url),
        ("protocolVersion", "2.0"),
        ("adminEmail", "nobody@example.org"),
        ("earliestDatestamp", earliest),
        ("deletedRecord", "persistent"),
        ("granularity", "YYYY-MM-DD"),
    )
    return [_oai(name, text) for name, text in pairs]
