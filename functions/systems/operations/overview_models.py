"""The response that tells what the application does at present."""

from typing import Literal

from pydantic import BaseModel

from functions.web.common import Exact


class SourceOut(BaseModel):
    """Where figures come from, and what it costs to have them once, in USD."""

    text: str
    cost: Exact


class SourcesOut(BaseModel):
    """`metrics` of CloudWatch; `quarantine`, `notes` and `checks` are items of the table."""

    metrics: SourceOut
    quarantine: SourceOut
    notes: SourceOut
    checks: SourceOut


class FlowOut(BaseModel):
    """How many of something there were in each minute of the last hour, the oldest first, and in all.

    The last minute is not over yet.
    """

    name: Literal["requests", "delivered", "written", "followed_up"]
    total: Exact
    minutes: list[Exact]


class AgeOut(BaseModel):
    """An age in milliseconds in the last minute that has one, when that was, and the greatest of the hour."""

    name: str
    latest: Exact | None
    at: str | None
    greatest: Exact | None


class UnitsOut(BaseModel):
    """The units that a function took in the last hour, and what they cost, in USD; `api`: all functions of the API.

    `requests`: how many the API answered.
    """

    function: str
    requests: Exact
    read_units: Exact
    write_units: Exact
    cost: Exact


class LastCheckOut(BaseModel):
    """The last check of the whole table that was done: how many aggregates there were, and how many differed."""

    run: str
    instant: str
    aggregates: int
    differences: int


class OverviewOut(BaseModel):
    """What the application does.

    Not `measured`: nothing has counted any request for an hour, so the figures of `metrics` say nothing. `freshness` is
    the age of changes when they are absorbed (p50, p99, Maximum), `shards` the same by shard of the stream. `lags` are
    the ages of the oldest record that each reader of the stream has not finished with; an age without a value is not
    measured here, or nothing was delivered. `incomplete`: how many aggregates lack something; 100 stand for more, too.
    """

    at: str
    measured: bool
    flows: list[FlowOut]
    freshness: list[AgeOut]
    shards: list[AgeOut]
    lags: list[AgeOut]
    quarantined: int
    incomplete: int
    check: LastCheckOut | None
    units: list[UnitsOut]
    cost: Exact
    sources: SourcesOut
