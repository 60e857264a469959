"""What people may ask of the quarantine and of single aggregates, and the answers."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, TypeAdapter

from functions.web.fields import Request

# An element of an aggregate's name: a text, the start of a rollup's block, the path of a place or a node.
Dimension = str | int | list[str]


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
    shard: str
    sequence: str


class RecountCommand(Request):
    """Count one aggregate anew from its stored sources; with `repair` write what they say."""

    do: Literal["recount"]
    kind: str
    dimensions: list[Dimension]
    repair: bool = False


Command = ListCommand | ApplyAllCommand | RecordCommand | RecountCommand
COMMANDS: TypeAdapter[Command] = TypeAdapter(Annotated[Command, Field(discriminator="do")])


class QuarantinedOut(BaseModel):
    """A record in quarantine."""

    shard: str
    sequence: str
    at: str
    error: str


class IncompleteOut(BaseModel):
    """An aggregate that lacks something: what to give to a recount, and why."""

    kind: str
    dimensions: Any
    why: str


class ListOut(BaseModel):
    """Some records, how many there are in all, what to give as `after` for the next ones; and incomplete aggregates.

    Of these the first thousand stand on the first page.
    """

    records: list[QuarantinedOut]
    count: int
    incomplete: list[IncompleteOut]
    after: dict[str, str] | None


class AppliedOut(BaseModel):
    """How many records were applied or discarded, those that still can't be understood, and how many are left in all.

    Not `finished`: the time was over; ask again.
    """

    done: int
    malformed: list[QuarantinedOut]
    count: int
    finished: bool


class ComparedOut(BaseModel):
    """An aggregate's cells as stored and as counted from `sources` items.

    `recounting` names the cells of which only counts and sums are known now; `unreadable` is how many sources can't be
    read, and are not in `recounted`; `named` are the keys of the first of them.
    """

    kind: str
    dimensions: Any
    stored: dict[str, Any]
    recounted: dict[str, Any]
    recounting: list[str]
    sources: int
    unreadable: int
    named: list[str]


class LevelOut(BaseModel):
    """The aggregates of one kind that were compared with their sources, and the first of those that are wrong."""

    kind: str
    compared: int
    wrong: int
    first_wrong: list[ComparedOut]


class RecountOut(ComparedOut):
    """The aggregate asked about, then all levels from there down; `differs` names the lowest level that is wrong.

    `equal`: everything on every level says what its sources say. Not `complete`: the time was over.
    """

    levels: list[LevelOut]
    differs: str | None
    complete: bool
    equal: bool
    repaired: bool


class RefusedOut(BaseModel):
    """Why nothing was done."""

    error: str
