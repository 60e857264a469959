"""Requests and responses of the proof."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from functions.systems.operations.models import Named, NamedIn
from functions.systems.proof.entity import MOST_NUMBERS, Act, Kind
from functions.web.fields import Id, Line, Request


class NumberIn(Request):
    """A number to watch: the count in one cell of an aggregate, of a kind that `GET /proof` names as watchable."""

    kind: Line
    dimensions: Annotated[list[NamedIn], Field(max_length=8)]
    cell: Line


class WatchIn(Request):
    """What to watch. `plain`: whether a plain ADD counts beside the numbers."""

    numbers: Annotated[list[NumberIn], Field(min_length=1, max_length=MOST_NUMBERS)]
    plain: bool


class FaultIn(Request):
    """What to break. `shard`: where; without it, in the shard that next delivers something."""

    kind: Line
    shard: Id | None = None


class FaultOut(BaseModel):
    """A fault that was asked for. `shard`: null if any will do."""

    id: str
    kind: Kind
    at: str
    shard: str | None


class WatchOut(BaseModel):
    """What is watched: each delivered batch is noted `since` then, `until` nobody watches any more."""

    id: str
    since: str
    until: str
    plain: bool


class PlainOut(BaseModel):
    """What a plain ADD has added since the watch began, and by how much that differs from what was delivered."""

    added: int
    drift: int


class RecountedOut(BaseModel):
    """A watched number: as it is stored, and as it should be by a recount of what was delivered up to its checkpoints.

    `expected` and `difference` are null until the comparison begins. `lacks`: how many of the records that it should
    count are in quarantine. `verdict`: `lacks` if there are any, or if it says so itself; nothing is `equal` that was
    not compared.
    """

    kind: str
    dimensions: list[Named]
    cell: str
    stored: int
    expected: int | None
    difference: int | None
    lacks: int
    verdict: Literal["begins", "equal", "lacks", "wrong"]
    plain: PlainOut | None


class ShardOut(BaseModel):
    """How many records of the watched numbers a shard has delivered since the last answer, and how many again."""

    shard: str
    delivered: int
    again: int
    at: str


class DoneOut(BaseModel):
    """A line of the log: a fault, when and in which shard it was done, and what was done."""

    id: str
    kind: Kind
    at: str
    shard: str
    what: str


class LookOut(BaseModel):
    """What is asked for, what was done, and how the watched numbers compare with a recount, at an instant.

    `asked` are the faults that wait for the next delivery. `why` says why nothing is compared yet. `quarantined`: how
    many records are in quarantine, if somebody watches.
    """

    at: str
    slow_until: str | None
    asked: list[FaultOut]
    verdict: Literal["unwatched", "begins", "compared"]
    why: str
    quarantined: int
    numbers: list[RecountedOut]
    shards: list[ShardOut]
    done: list[DoneOut]


class ProofOut(LookOut):
    """The present look. `kinds` are the faults that this stage can do, `watchable` the kinds of numbers to watch.

    `cursor`: give it with the next request, which compares what has come since.
    """

    kinds: list[Kind]
    watchable: list[str]
    watch: WatchOut | None
    cursor: str | None


class FrameOut(LookOut):
    """A look at a simulated run, when so many things were `written`. `done` has what was done since the one before."""

    written: int


class ClickOut(BaseModel):
    """What the script did, and when. `of`: the record that was redriven."""

    at: str
    act: Act
    of: str | None


class EndOut(BaseModel):
    """A number at the end of a run, and a recount of all that was written."""

    kind: str
    dimensions: list[Named]
    cell: str
    stored: int
    recounted: int
    lacks: int
    verdict: Literal["equal", "lacks", "wrong"]


class RunOut(BaseModel):
    """A simulated run, in memory: the same seed and script always give the same answer.

    `frames` are looks, one each second of simulated time. `ends`: the numbers when all was delivered.
    """

    seed: int
    script: str
    kinds: list[Kind]
    watch: WatchOut
    frames: list[FrameOut]
    clicked: list[ClickOut]
    ends: list[EndOut]


class WatchedOut(BaseModel):
    """The watch that goes on, or has begun."""

    watch: WatchOut
