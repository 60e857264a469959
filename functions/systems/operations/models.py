"""Requests and responses about single aggregates."""

from typing import Annotated, Literal

from aws_lambda_powertools.event_handler.openapi.params import Query
from pydantic import BaseModel, Field

from functions.place import MAX_LEVELS
from functions.web.common import Counted, Exact, Listed
from functions.web.fields import Line, Request

# One part of what an aggregate is about: a text, an instant, or the components of a path.
Named = str | list[str]
NamedIn = Line | Annotated[list[Line], Field(max_length=MAX_LEVELS)]
KindText = Annotated[str, Query(description="a kind of aggregate, as `GET /aggregates/kinds` lists them")]
DimensionsText = Annotated[
    str, Query(description='what the aggregate is about, as a JSON array: `["amy"]`, `[["US", "Texas"]]`')
]


class CountIn(Request):
    """Which aggregate to count anew; with the `cursor` of an answer about it, the count goes on from there."""

    kind: Line
    dimensions: Annotated[list[NamedIn], Field(min_length=1, max_length=8)]
    cursor: str | None = None


class PartOut(BaseModel):
    """One part of what names an aggregate of a kind."""

    name: str
    form: Literal["text", "path", "instant"]


class KindOut(BaseModel):
    """A kind of aggregate: what it counts, of which items it is made, and what names an aggregate of it."""

    kind: str
    cells: str
    rank: int
    sources: list[str]
    parts: list[PartOut]


class KindsOut(BaseModel):
    """All kinds, those that are made of other aggregates after these."""

    kinds: list[KindOut]


class MomentOut(BaseModel):
    """The first or the last of what a cell counts: when it was, and its value if it has one."""

    at: str
    value: Exact | None


class CellOut(BaseModel):
    """One cell. `stored` is the short form in which it is stored.

    Not `known`: its least, greatest, first and last are being read again from the sources.
    """

    name: str
    stored: str
    count: int
    sum: Exact
    least: Exact | None
    greatest: Exact | None
    first: MomentOut | None
    last: MomentOut | None
    known: bool


class CheckpointOut(BaseModel):
    """How far a shard of the stream has been absorbed: the last record and its time.

    `missing` are earlier records that were in quarantine when the checkpoint passed them.
    """

    shard: str
    sequence: str
    at: str
    missing: list[str]


class AggregateOut(Counted):
    """One aggregate opened up.

    `version` 0: it is not stored yet, but something waits for it. `lacks` says why it does not count all that it
    should. `recounting` are cells whose extremes are read again. `waiting`: net counts, by cell, that readers add to it
    because another aggregate has not passed them on yet. `continuations`: how many further items hold cells of it. At
    most 1,000 cells are listed; `more_cells` are not.
    """

    kind: str
    dimensions: list[Named]
    pk: str
    sk: str
    version: int
    cells: list[CellOut]
    more_cells: int
    checkpoints: list[CheckpointOut]
    lacks: str | None
    recounting: list[str]
    waiting: dict[str, int]
    continuations: int


class ComparedOut(BaseModel):
    """An aggregate's cells as stored and as recounted from `sources` items.

    `recounting` names the cells of which only counts and sums are known now. `unreadable` is how many sources can't be
    read and so are not in `recounted`; `named` has the keys of the first of them.
    """

    kind: str
    dimensions: list[Named]
    stored: dict[str, str]
    recounted: dict[str, str]
    recounting: list[str]
    sources: int
    unreadable: int
    named: list[str]


class CountedLevel(BaseModel):
    """How many aggregates of one kind were compared with their sources, how many are wrong, and the first of these."""

    kind: str
    compared: int
    wrong: int
    first_wrong: list[ComparedOut]


class DescentOut(ComparedOut):
    """The aggregate asked about, then all levels from there down; `differs` names the lowest level with a wrong one.

    `equal`: every aggregate on every level equals what its sources say. Not `complete`: there was no time for all.
    """

    levels: list[CountedLevel]
    differs: str | None
    complete: bool
    equal: bool


class CountOut(DescentOut):
    """A count as far as it has come: all numbers are those of this request and of those that it goes on from.

    But `first_wrong` has those that this request has found. `cursor`: where the count goes on, null at its end. Neither
    `complete` nor a cursor: it can't go on within the time of a request; `make redrive DO="recount …"` has ten minutes.
    """

    cursor: str | None


class IncompleteOut(BaseModel):
    """An aggregate that lacks something, and what. One whose name is too long to be noted has no `kind`."""

    kind: str | None
    dimensions: list[Named]
    why: str


class IncompletesOut(Listed):
    """One page of the notes."""

    incomplete: list[IncompleteOut]
    cursor: str | None
