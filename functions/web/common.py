"""Models that responses share: problems, and rejections of single items."""

from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

# Sent as a JSON number with all its digits.
Exact = Annotated[Decimal, WithJsonSchema({"type": "number"})]


def fields_of(model: type[BaseModel], value: object) -> dict[str, Any]:
    """The fields that a model has, of a value that has them, too: for what requests, entities and answers share."""
    return {name: getattr(value, name) for name in model.model_fields}


class Counted(BaseModel):
    """A response with aggregates. `incomplete`: one of its numbers lacks a record until the aggregate is repaired.

    `as_of`: its numbers hold every change until then. `behind`: they are older than promised, or than asked for.
    """

    incomplete: Literal[True] | None = None
    as_of: str | None = None
    behind: Literal[True] | None = None


class FieldProblem(BaseModel):
    """One invalid field, and its error."""

    field: str
    error: str


class Rejection(FieldProblem):
    """An item of the request that was not stored, by its position in the list."""

    index: int


class Accepted(BaseModel):
    """How many items of a list are stored, and why the others were rejected."""

    accepted: int
    rejected: list[Rejection]


class Listed(BaseModel):
    """One page of a list. `left_out`: how many items in its range were not written by this application, if any."""

    left_out: Annotated[int, Field(ge=1)] | None = None


class Problem(BaseModel):
    """RFC 9457 problem details; `errors` names every invalid field. A conflict may add the stored version.

    The problem for a list of which no item is stored adds `accepted` (0) and `rejected`.
    """

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str
    errors: list[FieldProblem] = []
