"""The commands for operators on the quarantine, on single aggregates and on sharded lists, and their answers."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, TypeAdapter

from edgewise.sharding.lists import MAX_SHARDS
from functions.systems.operations.models import DescentOut
from functions.web.fields import Request

# One dimension of an aggregate: a text, the start of a rollup's block, or the path of a place or a node.
Dimension = str | int | list[str]


class ListCommand(Request):
    """List the records in quarantine, the oldest first."""

    do: Literal["list"]
    limit: Annotated[int, Field(ge=1, le=1000)] = 100
    after: dict[str, str] | None = None


class ApplyAllCommand(Request):
    """Apply every record in quarantine, the oldest first."""

    do: Literal["apply_all"]


class RecordCommand(Request):
    """Apply one record; or discard one that can't be understood from quarantine without applying it."""

    do: Literal["apply", "discard"]
    shard: str
    sequence: str


class RecountCommand(Request):
    """Recount one aggregate from its stored sources; `repair` also writes the result."""

    do: Literal["recount"]
    kind: str
    dimensions: list[Dimension]
    repair: bool = False


class WidenCommand(Request):
    """Give a sharded list in an index this many shards; `of` names it, such as FIND, skill."""

    do: Literal["widen"]
    of: list[str]
    shards: Annotated[int, Field(ge=1, le=MAX_SHARDS, strict=True)]


Command = ListCommand | ApplyAllCommand | RecordCommand | RecountCommand | WidenCommand
COMMANDS: TypeAdapter[Command] = TypeAdapter(Annotated[Command, Field(discriminator="do")])


class QuarantinedOut(BaseModel):
    """A record in quarantine."""

    shard: str
    sequence: str
    at: str
    error: str


class IncompleteOut(BaseModel):
    """An incomplete aggregate: its kind and dimensions, as a recount takes them, and what it lacks."""

    kind: str
    dimensions: Any
    why: str


class ListOut(BaseModel):
    """Some records, how many there are in all, the `after` for the next page; and incomplete aggregates.

    The first page has the first thousand incomplete aggregates, further pages none.
    """

    records: list[QuarantinedOut]
    count: int
    incomplete: list[IncompleteOut]
    after: dict[str, str] | None


class AppliedOut(BaseModel):
    """How many records were applied or discarded, which still can't be understood, and how many are left in all.

    Not `finished`: the time ran out; ask again.
    """

    done: int
    malformed: list[QuarantinedOut]
    count: int
    finished: bool


class RecountOut(DescentOut):
    """What was counted; `repaired`: it was also written."""

    repaired: bool


class ShardsOut(BaseModel):
    """How many shards a list has, now or from `since` on."""

    of: list[str]
    shards: int
    since: str


class RefusedOut(BaseModel):
    """Why nothing was done."""

    error: str
