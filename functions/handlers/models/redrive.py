"""What people may ask of the quarantine and of single aggregates, and the answers."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, TypeAdapter

from functions.handlers.models.fields import Request

# An element of an aggregate's name: a text, the start of a rollup's block, the path of a place or a node.
Part = str | int | list[str]


class ListCommand(Request):
    """The records in quarantine, the oldest first."""

    do: Literal["list"]
    limit: Annotated[int, Field(ge=1, le=1000)] = 100
    after: dict[str, str] | None = None


class ApplyAllCommand(Request):
    """Apply every record in quarantine, the oldest first."""

    do: Literal["apply_all"]


class RecordCommand(Request):
    """Apply one record; or take one that can't be understood out of quarantine, unapplied."""

    do: Literal["apply", "discard"]
    lane: str
    sequence: str


class RecountCommand(Request):
    """Count one aggregate anew from its stored sources; with `repair` write what they say."""

    do: Literal["recount"]
    kind: str
    parts: list[Part]
    repair: bool = False


Command = ListCommand | ApplyAllCommand | RecordCommand | RecountCommand
COMMANDS: TypeAdapter[Command] = TypeAdapter(Annotated[Command, Field(discriminator="do")])


class HeldOut(BaseModel):
    """A record in quarantine."""

    lane: str
    sequence: str
    at: str
    error: str


class IncompleteOut(BaseModel):
    """An aggregate that lacks something: what to give to a recount, and why."""

    kind: str
    parts: Any
    why: str


class ListOut(BaseModel):
    """Some records, how many there are in all, what to give as `after` for the next ones; and incomplete aggregates.

    Of these the first thousand stand on the first page.
    """

    records: list[HeldOut]
    count: int
    incomplete: list[IncompleteOut]
    after: dict[str, str] | None


class AppliedOut(BaseModel):
    """How many records were applied or discarded, those that still can't be understood, and how many are left in all.

    Not `finished`: the time was over; ask again.
    """

    done: int
    malformed: list[HeldOut]
    count: int
    finished: bool


class RecountOut(BaseModel):
    """An aggregate's cells as stored and as counted from `sources` items; not `complete`: the time was over."""

    stored: dict[str, Any]
    recounted: dict[str, Any]
    sources: int
    complete: bool
    equal: bool
    repaired: bool


class RefusedOut(BaseModel):
    """Why nothing was done."""

    error: str
