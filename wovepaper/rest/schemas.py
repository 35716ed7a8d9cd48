"""Shapes that all parts of the interface share."""

from __future__ import annotations

import datetime as dt
from typing import Any, Generic, TypeVar

from ninja import Field, Schema
from pydantic import BaseModel, GetJsonSchemaHandler
from pydantic_core import CoreSchema

DEFAULT_LIMIT = 24
MOST = 100

Item = TypeVar("Item")


class Shape(BaseModel):
    """Something that is sent. Plain pydantic: Ninja's own base looks values up in objects, which takes far longer."""


class Selectable(Shape):
    """Something of which ``select`` can leave fields out; without it all of them are there."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """As pydantic has it, but with no field required."""
        described = handler.resolve_ref_schema(handler(core))
        described.pop("required", None)
        return described


class ListOf(Shape, Generic[Item]):
    """One page of a list."""

    items: list[Item]
    next: str | None = Field(description="The address of the next page; null on the last.")
    count: int = Field(description="How many there are on all pages together.")
    count_is_exact: bool = Field(description="False where counting would take long and count is an estimate.")


class FaultOut(Shape):
    """What is wrong with one parameter."""

    name: str
    message: str


class ProblemOut(Shape):
    """A problem, as RFC 9457 has it."""

    type: str = Field(description="An address where the code is explained.")
    title: str
    status: int
    code: str = Field(description="For programs: it stays the same whatever the words are.")
    detail: str
    advice: str = Field(description="What to do about it.")
    errors: list[FaultOut] = Field(default_factory=list, description="The parameters that cannot be read.")


class SelectParameters(Schema):
    """What every operation takes."""

    select: str = Field("", max_length=500, description="Fields to send, separated by commas; all if left out.")


class PageParameters(SelectParameters):
    """What every list takes."""

    limit: int = Field(DEFAULT_LIMIT, ge=1, le=MOST, description="Items on a page.")
    cursor: str = Field("", description="The place where the page begins; comes with the address in next.")


Moment = dt.datetime
