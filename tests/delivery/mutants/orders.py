"""Mutants that an unlucky order brings to light: of versions, of what leaves the table, of a repair, of closings."""

from dataclasses import dataclass, replace

from edgewise.aggregates import aggregate, checkpoints, stored
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.rankings.floor import Ranking
from edgewise.stream import consumer, sweep
from edgewise.stream.compare_and_set import _Attempt, _Decided
from edgewise.times import HOUR
from tests.delivery.consuming import Consume
from tests.delivery.interleavings.explore import explore
from tests.delivery.interleavings.opened import CLOSED
from tests.delivery.interleavings.ranked import REFILLED
from tests.delivery.interleavings.scenario import Budget, Scenario
from tests.delivery.interleavings.scenarios import (
    AFTER_26_HOURS,
    AFTER_60_HOURS,
    EMPTIED,
    MADE_ANEW,
    REPAIRED,
)
from tests.delivery.mutants.changes import Edit, Other
from tests.delivery.mutants.mutant import Mutant
from tests.delivery.mutants.trial import Trial


@dataclass(frozen=True)
class Orders(Trial):
    """Every order of a scenario, not one history: the seed is of no account."""

    scenario: Scenario | None = None

    def is_exact(self, _seed: int, _consume: Consume) -> bool:
        assert self.scenario
        return explore(self.scenario).wrong is None

    @property
    def undisturbed(self) -> Trial:
        """Nothing goes wrong, and nothing leaves the table."""
        assert self.scenario
        return replace(self, scenario=replace(self.scenario, budget=Budget()))


def of(scenario: Scenario, **budget: int) -> Orders:
    """A scenario in which no more happens than these."""
    return Orders(scenario=replace(scenario, budget=Budget(**budget)))


def _without_closings(decided: _Decided) -> _Decided:
    if decided.absorbed is None:
        return decided
    written = decided.absorbed.aggregate
    after = replace(written, open=replace(written.open, closings=()))
    return decided._replace(absorbed=replace(decided.absorbed, aggregate=after))


_COMPLETE_FROM = Ranking.complete_from.fget  # type: ignore[attr-defined]
_LATE = {"repeated": 1, "jumps": 1}

ORDERS = (
    Mutant(
        "emptied aggregates expire",
        of(EMPTIED, expired=1, misread=1, jumps=1),
        Edit(
            stored.entries,
            'return {"GSI1PK"',
            'return {"ExpiresAt": n((newest + 50 * 3_600_000) // 1000), "GSI1PK"',
        ),
    ),
    Mutant(
        "first versions are 1",
        of(MADE_ANEW, sweeps=1),
        Edit(Aggregate.next_version, "else now", "else 1"),
    ),
    Mutant(
        "a sweep does not ask for what is quarantined",
        of(EMPTIED, misread=1, jumps=1, sweeps=1),
        Edit(sweep._removing, "may_leave(now, quarantined)", "may_leave(now, {})"),
    ),
    Mutant(
        "a sweep removes what it has not read",
        of(MADE_ANEW, sweeps=1),
        Edit(sweep._removed, ", Condition.at_version(version)", ""),
    ),
    Mutant(
        "checkpoints live for 25 hours",
        of(AFTER_26_HOURS, **_LATE),
        Other(checkpoints, "CHECKPOINT_LIFETIME", 25 * HOUR),
    ),
    Mutant(
        "what comes too late is counted",
        of(AFTER_60_HOURS, **_LATE),
        Other(aggregate, "LATEST_DELIVERY", 100 * HOUR),
    ),
    Mutant(
        "what comes too late is taken because it is quarantined",
        of(AFTER_60_HOURS, misread=1, **_LATE),
        Edit(consumer._without_late, "if quarantined", "if not quarantined"),
    ),
    Mutant(
        "what a repair has counted counts once more when it is delivered",
        of(REPAIRED, repairs=1, jumps=1),
        Edit(Aggregate._repaired_by_hand, "if last and last.at < last.sequence", "if False"),
    ),
    Mutant(
        "nobody doubts what changed while a repair counted",
        of(REPAIRED, repairs=1),
        Edit(Aggregate._absorbed, "IN_DOUBT if self._doubts(shard, fresh) else", ""),
    ),
    Mutant(
        "whoever was refused closes nothing with the next try",
        of(CLOSED, overlapped=1),
        Edit(
            _Attempt._read_and_put,
            "self._absorbed(item, about, effects, lacks)",
            "without(self._absorbed(item, about, effects, lacks))",
            {"without": _without_closings},
        ),
    ),
    Mutant(
        "readers are not told that a ranking is being refilled",
        of(REFILLED),
        Edit(_COMPLETE_FROM, "self.refill.above if self.refill else self.floor", "self.floor"),
    ),
)
