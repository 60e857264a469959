"""Checks a number level by level: the aggregate, the aggregates that feed it, and so on down to the first sources.

An aggregate that equals its sources is still wrong if these are aggregates that are wrong themselves.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from functions.aggregates.ids import AggregateId
from functions.dynamodb.table import Table
from functions.stream.verification import MayGoOn, Verification, verify

# How many wrong aggregates of a level are reported, and how many aggregates are compared in one call.
MOST_TOLD, MOST_COMPARED = 10, 10_000


@dataclass
class Level:
    """The aggregates of one kind: how many were compared, how many are wrong, and the first of these."""

    kind: str
    compared: int = 0
    wrong: int = 0
    first_wrong: list[Verification] = field(default_factory=list)

    def add(self, found: Verification) -> None:
        """Add one comparison."""
        self.compared += 1
        if not found.equal:
            self.wrong += 1
            self.first_wrong += [found] if len(self.first_wrong) < MOST_TOLD else []


@dataclass(frozen=True)
class Descent:
    """The aggregate asked about, then each level from there down; not `complete`: there was no time for everything."""

    asked: Verification
    levels: Sequence[Level]
    complete: bool

    @property
    def equal(self) -> bool:
        """Whether all aggregates, on every level, equal what their sources say."""
        return self.complete and not any(level.wrong for level in self.levels)

    @property
    def lowest_wrong(self) -> Level | None:
        """The level to repair first: it may be the cause of errors above it."""
        return next((level for level in reversed(self.levels) if level.wrong), None)


def descend(table: Table, aggregate_id: AggregateId, may_go_on: MayGoOn) -> Descent:
    """Compare an aggregate with its sources, and the aggregates among these with theirs, while `may_go_on`.

    This can't find an edge that should exist but does not, because its sources are not read.
    """
    asked = verify(table, aggregate_id, may_go_on)
    levels: dict[str, Level] = {}
    ahead, known, complete = deque([aggregate_id]), {aggregate_id}, True
    while ahead and complete:
        current = ahead.popleft()
        found = asked if current == aggregate_id else verify(table, current, may_go_on)
        complete = found.complete and len(known) <= MOST_COMPARED
        if found.complete:
            levels.setdefault(current.kind.name, Level(current.kind.name)).add(found)
        further = dict.fromkeys(each for each in found.below if each not in known)
        known |= further.keys()
        ahead += further
    return Descent(asked, list(levels.values()), complete)
