"""What responses share: problems, and per-item rejections."""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

# Sent as a JSON number with all its digits.
Exact = Annotated[Decimal, WithJsonSchema({"type": "number"})]


class Counted(BaseModel):
    """An answer with numbers that the stream keeps. `incomplete`: one of them lacks something until it is repaired."""

    incomplete: Literal[True] | None = None


class FieldProblem(BaseModel):
    """One field at fault, and why."""

    field: str
    error: str


class Rejection(FieldProblem):
    """An item of the request that was not stored, by its position in the list."""

    index: int


class Accepted(BaseModel):
    """How many items of a list are stored, and what was wrong with the others."""

    accepted: int
    rejected: list[Rejection]


class Listed(BaseModel):
    """One page of a list. `left_out`: how many items stand there that this application did not write, if any."""

    left_out: Annotated[int, Field(ge=1)] | None = None


class Problem(BaseModel):
    """RFC 9457 problem details; `errors` names every field at fault. A conflict may add what is there now.

    A list of which nothing is stored adds `accepted` (0) and `rejected`.
    """

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str
    errors: list[FieldProblem] = []
