"""Parameters and responses of the check routes."""

from typing import Annotated, Any

from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from pydantic import AfterValidator, BaseModel, WithJsonSchema

from functions.systems.checks import keys
from functions.systems.checks.entity import RunKind, State, Why
from functions.web.common import Exact, Listed
from functions.web.fields import Line


def run_name(text: str) -> str:
    """The name of a run; raises ValueError for any other text."""
    try:
        keys.instant(text)
    except ValueError as error:
        raise ValueError("must be the instant of a run, such as 20261123T054100Z") from error
    return text


_RUN_SCHEMA = {"type": "string", "pattern": r"^\d{8}T\d{6}Z$", "description": "the instant of the run"}
RunName = Annotated[str, AfterValidator(run_name)]
PathRun = Annotated[RunName, WithJsonSchema(_RUN_SCHEMA), Path()]
WhyText = Annotated[Why | None, Query(description="only those that differ for this reason")]
KindText = Annotated[Line | None, Query(description="only those of this kind of aggregate; needs `why`")]


class Differing(BaseModel):
    """How many aggregates differ: by themselves, as those below them do, or because they lack something noted.

    `wrong` are also what is derived wrongly from items, `unreadable` the items that can't be understood.
    """

    wrong: int
    follows: int
    noted: int
    unreadable: int


class CheckEntry(BaseModel):
    """A check: a `reconcile` counts all aggregates anew, a `fill` summarizes the graph. It looks at one `instant`.

    Its numbers are null until it is done, and where another kind of check has them. `unsettled` aggregates differ, but
    were being changed. Those unsettled three times in a row were verified directly: some are `verified`, so they are
    right, some were `busy` all the time, and those that are wrong are differences. `expired` count more than their
    sources, which have a time to live. `waiting` repairs are in no plan, because what they feed is not settled.
    `unlisted`: how many differences are not stored. `cost` is estimated, in USD.
    """

    run: str
    kind: RunKind
    state: State
    instant: str
    began: str
    ended: str | None
    items: int | None
    sources: int | None
    aggregates: int | None
    unsettled: int | None
    verified: int | None
    busy: int | None
    quarantined: int | None
    expired: int | None
    unreadable: int | None
    waiting: int | None
    nodes: int | None
    edges: int | None
    components: int | None
    differences: Differing | None
    unlisted: int | None
    seconds: Exact | None
    cost: Exact | None
    error: str | None


class ChecksOut(Listed):
    """One page of the checks."""

    checks: list[CheckEntry]
    cursor: str | None


class UnjudgedOut(BaseModel):
    """What could not be judged of so many items of a type."""

    type: str
    items: int
    what: str


class CheckOut(CheckEntry):
    """A check, with its differences by kind of aggregate or type of item; those without differences are not named.

    `unjudged` is what no check can judge of items that are stored.
    """

    by_kind: dict[str, Differing] | None
    unjudged: list[UnjudgedOut] | None


class Reached(BaseModel):
    """The last change of a shard that an aggregate had absorbed."""

    sequence: str
    at: str


class DifferenceOut(BaseModel):
    """An aggregate that differs: its name as a recount takes it, its key, and the cells that differ.

    Or an item, of which `kind` is the type and `about` is empty. It can't be understood, for this `reason`; or it is a
    copy, a list or an index entry that is wrong, with the attributes or names that differ as cells. Where no plan puts
    that right, `reason` says what to do.

    Cells are in the form in which they are stored; an empty one does not exist. `checkpoints` say how far the aggregate
    had absorbed each shard. `more_cells` and `more_shards` are not stored.
    """

    kind: str
    why: Why
    about: list[Any]
    pk: str
    sk: str
    expected: dict[str, str]
    stored: dict[str, str]
    checkpoints: dict[str, Reached]
    reason: str
    more_cells: int
    more_shards: int


class DifferencesOut(Listed):
    """One page of the differences of a check."""

    run: str
    differences: list[DifferenceOut]
    cursor: str | None
