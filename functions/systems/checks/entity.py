"""Runs of the batch side, one at a time: each checks the whole table as of one instant, or summarizes its graph."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Literal, get_args

from edgewise import Millis
from edgewise.times import DAY, HOUR

RunKind = Literal["reconcile", "fill"]
State = Literal["running", "done", "failed"]
# An aggregate is `wrong` by itself, or `follows` a wrong one below it, or is `noted`: it says that it lacks something.
# What is derived may be `wrong`, too. An item may be `unreadable`. In the order in which they are listed: causes first.
Why = Literal["wrong", "follows", "noted", "unreadable"]
WHYS: tuple[Why, ...] = get_args(Why)
# What the runs of each kind count.
COUNTS: Mapping[RunKind, tuple[str, ...]] = {
    "reconcile": (
        "items",
        "sources",
        "aggregates",
        "unsettled",
        "verified",
        "busy",
        "quarantined",
        "expired",
        "unreadable",
        "waiting",
    ),
    "fill": ("items", "nodes", "edges", "components"),
}

# The longest stretch between the lock's last renewal and the run's next step.
LEASE: Millis = 3 * HOUR
KEPT: Millis = 90 * DAY
# Of a run with more differences, the first of these are stored. Of a difference in more cells, or with more shards in
# its checkpoints, so many are kept: an item has at most 400 KB.
MAX_STORED, MAX_CELLS, MAX_SHARDS = 1000, 50, 50
MAX_ERROR = 1000


@dataclass(frozen=True, slots=True)
class Unjudged:
    """What could not be judged of so many items of a type."""

    type: str
    items: int
    what: str


@dataclass(frozen=True, slots=True)
class Figures:
    """What a run found: counts by name (COUNTS), differences by kind of aggregate and by reason, seconds of its job.

    `unlisted` is how many of the differences are not stored, `unjudged` what could not be judged.
    """

    counts: Mapping[str, int]
    differences: Mapping[Why, int] = field(default_factory=dict)
    by_kind: Mapping[str, Mapping[Why, int]] = field(default_factory=dict)
    unlisted: int = 0
    seconds: Decimal = Decimal(0)
    cost: Decimal | None = None
    unjudged: Sequence[Unjudged] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """One run. `name` is the instant that it looks at, as in keys; it has `figures` when it is done.

    `cost` in its figures is in USD, estimated; None: not known. `error`: why it failed.
    """

    name: str
    kind: RunKind
    state: State
    began: Millis
    ended: Millis | None = None
    figures: Figures | None = None
    error: str = ""

    def done(self, at: Millis, figures: Figures) -> "Run":
        """The run when it has ended well."""
        return replace(self, state="done", ended=at, figures=figures)

    def failed(self, at: Millis, error: str) -> "Run":
        """The run when it has failed."""
        return replace(self, state="failed", ended=at, error=error[:MAX_ERROR])


@dataclass(frozen=True, slots=True)
class Difference:
    """An aggregate that is not as its sources say: its name (`about`), its key, and the cells that differ.

    Or an item, by its key: one that can't be understood, for this `reason`; or one of which something is not as what it
    is derived from says, with the attributes or names that differ in place of cells. Of what no plan puts right, the
    `reason` says what to do. `kind` is the item's type.

    Cells are in the short form in which they are stored; an empty one does not exist. `checkpoints` say how far the
    aggregate had absorbed each shard. `more_cells` and `more_shards` are not kept.
    """

    kind: str
    why: Why
    about: Sequence[Any]
    pk: str
    sk: str
    expected: Mapping[str, str]
    stored: Mapping[str, str]
    checkpoints: Mapping[str, Mapping[str, str]]
    reason: str = ""
    more_cells: int = 0
    more_shards: int = 0


# Differences, each with its number among all of a run.
Numbered = Sequence[tuple[int, Difference]]


@dataclass(frozen=True, slots=True)
class Lock:
    """The lock: the run that holds it, on behalf of which execution, since when and until when."""

    run: str
    execution: str
    since: Millis
    until: Millis

    def renewed(self, now: Millis) -> "Lock":
        """The lock for another lease from now on."""
        return replace(self, until=now + LEASE)


def kept(difference: Difference) -> Difference:
    """The difference as it is stored: the first of its cells and shards, by name."""
    cells = sorted({**difference.expected, **difference.stored})
    shards = sorted(difference.checkpoints)
    return replace(
        difference,
        expected=_some(difference.expected, cells[:MAX_CELLS]),
        stored=_some(difference.stored, cells[:MAX_CELLS]),
        checkpoints=_some(difference.checkpoints, shards[:MAX_SHARDS]),
        more_cells=len(cells[MAX_CELLS:]),
        more_shards=len(shards[MAX_SHARDS:]),
    )


def _some(of: Mapping[str, Any], names: Sequence[str]) -> Mapping[str, Any]:
    return {name: of[name] for name in names if name in of}
