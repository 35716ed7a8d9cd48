"""XML elements of arXiv's records, whatever their namespaces."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from lxml import etree

Element = Any
"""An element of lxml, whose stubs do not agree on one class."""

PARSER = etree.XMLParser(
    resolve_entities=False, no_network=True, huge_tree=False, remove_comments=True, remove_pis=True
)
"""Reads one record: no entities, no network, no huge trees."""


def local_name(element: Element) -> str:
    """The name without its namespace: upstream documents disagree about namespaces."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def parts_of(root: Element) -> tuple[Element | None, Element | None]:
    """The header and the element inside ``<metadata>``."""
    header = metadata = None
    for child in root:
        name = local_name(child)
        if name == "header":
            header = child
        elif name == "metadata":
            metadata = next((inside for inside in child if isinstance(inside.tag, str)), None)
    if local_name(root) == "header":
        header = root
    return header, metadata


def header_identifier(header: Element | None) -> str:
    """The identifier that a header gives, as written; empty where there is none."""
    if header is not None:
        for child in header:
            if local_name(child) == "identifier":
                return child.text or ""
    return ""


def texts_of(metadata: Element) -> dict[str, str]:
    """The text of every simple child by name; the first where there are several."""
    found: dict[str, str] = {}
    for child in metadata:
        name = local_name(child)
        if len(child) == 0:
            found.setdefault(name, child.text or "")
        elif name not in ("authors", "version"):  # markup where there should be none
            found.setdefault(name, "".join(child.itertext()))
    return found


def digest(pieces: Iterator[str], kind: str) -> str:
    """SHA-256 of what a record of a kind says, in hexadecimal digits."""
    return hashlib.sha256("\x00".join((kind, *pieces)).encode("utf-8", "replace")).hexdigest()


def content_of(metadata: Element, *, ignored: tuple[str, ...] = ()) -> Iterator[str]:
    """What the metadata says, element by element, white space folded."""
    for element in metadata.iter():
        name = local_name(element)
        if name and name not in ignored:
            yield name
            yield " ".join((element.text or "").split())
            if element.attrib and "version" in element.attrib:
                yield element.attrib["version"]
