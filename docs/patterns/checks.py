"""Access patterns of checks."""

from decimal import Decimal

from docs.patterns import example
from docs.patterns.pattern import Read
from edgewise.times import HOUR, from_rfc_3339
from functions.systems.checks import codec, keys, patterns
from functions.systems.checks.entity import Difference, Figures, Lock, Run

_NAME = "20180829T120000Z"
_BEGAN = from_rfc_3339("2018-08-29T12:00:00.000Z")
_COUNTS = {
    "items": 90_000,
    "sources": 60_000,
    "aggregates": 30_000,
    "unsettled": 12,
    "verified": 3,
    "busy": 1,
    "quarantined": 0,
    "unreadable": 0,
}
_FIGURES = Figures(_COUNTS, {"wrong": 1}, {"ROOM": {"wrong": 1}}, seconds=Decimal(61), cost=Decimal("0.21"))
_REACHED = {"shardId-1": {"sequence": "100", "at": "2018-08-29T11:59:58.000Z"}}
_WRONG = Difference(
    "ROOM", "wrong", ["ROOM", ["r1"]], "ROOM#r1", "EDGE#", {"Messages": "3"}, {"Messages": "4"}, _REACHED
)
_KEPT = example.stored(
    codec.lock_item(Lock("20180829T130000Z", "daily", _BEGAN + HOUR, _BEGAN + 4 * HOUR)),
    codec.run_item(Run("20180829T130000Z", "fill", "running", _BEGAN + HOUR)),
    codec.run_item(Run(_NAME, "reconcile", "running", _BEGAN).done(_BEGAN + HOUR // 6, _FIGURES)),
    codec.difference_item(_NAME, 0, _WRONG),
)

_ADMIN = ("admin",)
_RUN = {"run": _NAME}

READS = (
    Read(
        "all checks of the table, the newest first", "GET /checks", {}, {}, [patterns.RUNS], 0.5, _KEPT, groups=_ADMIN
    ),
    Read("what one check counted and found", "GET /checks/{run}", _RUN, {}, [keys.run(_NAME)], 1, _KEPT, groups=_ADMIN),
    Read(
        "what differs, the causes first",
        "GET /checks/{run}/differences",
        _RUN,
        {"why": "wrong"},
        [patterns.differences(_NAME, "wrong")],
        0.5,
        _KEPT,
        groups=_ADMIN,
    ),
)
WRITES = ()
