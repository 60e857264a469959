"""Checks a number level by level: the aggregate, the aggregates that feed it, and so on down to the first sources.

An aggregate that equals its sources is still wrong if these are aggregates that are wrong themselves.

One call may not have the time for all of them. So what is left can be kept, and is little: of an aggregate, those below
are found a part at a time, and compared before the next part is read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.cells import pack, unpack
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.kinds import Kind
from edgewise.clock import MayGoOn
from edgewise.dynamodb.table import Table
from edgewise.stream.sources import Reached
from edgewise.stream.verification import NOTHING, Begun, Verification, verify

# How many wrong aggregates of a level are reported, and after how many below an aggregate these are compared first.
MOST_TOLD, MOST_BELOW = 10, 500


@dataclass
class Level:
    """The aggregates of one kind: how many were compared, how many are wrong, and the first found of these."""

    kind: Kind
    compared: int = 0
    wrong: int = 0
    first_wrong: list[Verification] = field(default_factory=list)

    def add(self, found: Verification) -> None:
        """Add one comparison."""
        self.compared += 1
        if not found.equal:
            self.wrong += 1
            self.first_wrong += [found] if len(self.first_wrong) < MOST_TOLD else []


class Ahead(NamedTuple):
    """An aggregate that is still to be compared, and how much of its sources has been read."""

    about: AggregateId
    begun: Begun = NOTHING


@dataclass
class Descent:
    """A check as far as it has come: what is ahead, the next one last, and what was found on each level.

    `asked` is the aggregate asked about, as this call has found it; None if an earlier one has.
    """

    ahead: list[Ahead]
    found: dict[Kind, Level] = field(default_factory=dict)
    asked: Verification | None = None

    @classmethod
    def of(cls, about: AggregateId) -> Self:
        """A check of an aggregate that is to begin."""
        return cls([Ahead(about)])

    @classmethod
    def of_plain(cls, catalog: Catalog, plain: Mapping[str, Any]) -> Self:
        """The inverse of `plain`; raises KeyError, TypeError or ValueError, also if the catalog has changed since."""
        ahead = [_ahead(catalog.named(about), *begun) for about, begun in plain["ahead"]]
        levels = (Level(catalog.kinds[name], *numbers) for name, *numbers in plain["levels"])
        return cls(ahead, {level.kind: level for level in levels})

    @property
    def plain(self) -> dict[str, Any]:
        """What the next call needs to go on, as plain JSON values: without the wrong aggregates found so far."""
        return {
            "ahead": [[each.about.plain, _plain(each)] for each in self.ahead],
            "levels": [[level.kind.name, level.compared, level.wrong] for level in self.levels],
        }

    @property
    def levels(self) -> Sequence[Level]:
        """The levels, from the aggregate asked about down."""
        return sorted(self.found.values(), key=lambda level: -level.kind.rank)

    @property
    def complete(self) -> bool:
        """Whether everything was compared."""
        return not self.ahead

    @property
    def equal(self) -> bool:
        """Whether all aggregates, on every level, equal what their sources say."""
        return self.complete and not any(level.wrong for level in self.levels)

    @property
    def lowest_wrong(self) -> Level | None:
        """The level to repair first: it may be the cause of errors above it."""
        return next((level for level in reversed(self.levels) if level.wrong), None)

    def go_on(self, table: Table, about: AggregateId, may_go_on: MayGoOn) -> None:
        """Compare what is ahead while `may_go_on`; `about` is the aggregate asked about."""
        in_time = True
        while self.ahead and in_time:
            current, begun = self.ahead.pop()
            found = verify(table, current, may_go_on, begun, MOST_BELOW)
            self.asked = found if current == about else self.asked
            if found.complete:
                self.found.setdefault(current.kind, Level(current.kind)).add(found)
            else:
                self.ahead.append(Ahead(current, found.begun))
            self._add(found.below)
            in_time = found.complete or len(found.below) >= MOST_BELOW

    def _add(self, below: Sequence[AggregateId]) -> None:
        """Put these before all else that is ahead, unless they are; the first of them comes next."""
        known = {each.about for each in self.ahead} if below else set()
        self.ahead += reversed([Ahead(each) for each in dict.fromkeys(below) if each not in known])


def descend(table: Table, aggregate_id: AggregateId, may_go_on: MayGoOn) -> Descent:
    """Compare an aggregate with its sources, and the aggregates among these with theirs, while `may_go_on`.

    This can't find an edge that should exist but does not, because its sources are not read.
    """
    descent = Descent.of(aggregate_id)
    descent.go_on(table, aggregate_id, may_go_on)
    return descent


def _plain(ahead: Ahead) -> list[Any]:
    about, begun = ahead
    cells = {name: pack(cell, about.bucket_start(name)) for name, cell in begun.cells.items()}
    return [cells, begun.sources, begun.unreadable, list(begun.named), begun.read]


def _ahead(about: AggregateId, cells: Mapping[str, Any], sources: int, unreadable: int, named: Any, read: Any) -> Ahead:
    counted = {name: unpack(packed, about.bucket_start(name)) for name, packed in cells.items()}
    return Ahead(about, Begun(counted, sources, unreadable, tuple(named), Reached(*read)))
