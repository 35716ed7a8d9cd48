"""The OpenAPI document as a page shows it: operations under their tags, with parameters, answers and fields."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Described = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Parameter:
    """Something that can be asked."""

    name: str
    where: str
    """``path`` or ``query``."""
    type: str
    default: str
    description: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A status, and what it means."""

    status: str
    description: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation."""

    anchor: str
    method: str
    path: str
    summary: str
    description: str
    parameters: tuple[Parameter, ...]
    answers: tuple[Answer, ...]
    shape: str
    """The schema of its answer."""


@dataclass(frozen=True, slots=True)
class Member:
    """A field of a schema."""

    name: str
    type: str
    description: str


@dataclass(frozen=True, slots=True)
class Shape:
    """A schema."""

    name: str
    description: str
    fields: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """The operations of one tag, or the schemas."""

    title: str
    operations: tuple[Operation, ...] = ()
    shapes: tuple[Shape, ...] = ()


def read_reference(document: Described) -> tuple[Section, ...]:
    """The sections in the order of the document; the schemas last."""
    by_tag: dict[str, list[Operation]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            tag = (operation.get("tags") or ["Others"])[0]
            by_tag.setdefault(tag, []).append(_operation(path, method, operation))
    shapes = tuple(
        Shape(name, schema.get("description", ""), tuple(_members(schema)))
        for name, schema in sorted(document["components"]["schemas"].items())
        if schema.get("properties")
    )
    return (
        *(Section(tag, tuple(operations)) for tag, operations in by_tag.items()),
        Section("Objects", shapes=shapes),
    )


def _operation(path: str, method: str, operation: Described) -> Operation:
    shape = operation["responses"]["200"]["content"]["application/json"]["schema"].get("$ref", "")
    return Operation(
        anchor=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        description=operation.get("description", ""),
        parameters=tuple(
            Parameter(
                one["name"],
                one["in"],
                _type(one["schema"], without_null=True),
                _default(one["schema"]),
                one.get("description", ""),
            )
            for one in operation["parameters"]
        ),
        answers=tuple(Answer(status, one["description"]) for status, one in operation["responses"].items()),
        shape=shape.rpartition("/")[2],
    )


def _members(schema: Described) -> Iterator[Member]:
    for name, described in schema["properties"].items():
        yield Member(name, _type(described), described.get("description", ""))


def _default(schema: Described) -> str:
    value = schema.get("default")
    return "" if value in (None, "") else json.dumps(value)


def _type(schema: Described, *, without_null: bool = False) -> str:
    """``list of PaperOut``, ``text or null``. A parameter is left out rather than null."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if options := schema.get("anyOf"):
        return " or ".join(_type(option) for option in options if not (without_null and option.get("type") == "null"))
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "const" in schema:
        return str(schema["const"])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    kinds = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}
    formats = {"date": "date", "date-time": "moment"}
    kind = str(schema.get("type", "anything"))
    return formats.get(str(schema.get("format", "")), kinds.get(kind, kind))
