"""What a repair adds to an aggregate: the difference between its numbers and those that it should have.

The difference was found at one instant, and is added at another. That is right all the same, because whatever comes to
the aggregate meanwhile comes to its sources too. Only extremes can't be added: where they differ, they are recounted.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from edgewise.aggregates.cells import pack_extremes, unpack_extremes
from edgewise.aggregates.measures import EXACT, Cell, Extremes, Observation, Observations, Passed, joined
from edgewise.dynamodb.attributes import s, string


@dataclass(frozen=True, slots=True)
class Added:
    """What is added to a cell.

    `doubted`: its extremes must be recounted: those stored, and those that it should have. `closing`: the number of the
    last closing that readers may still add to it, and that it has now.
    """

    count: int
    total: Decimal
    doubted: Extremes | None = None
    closing: int = 0

    @property
    def observation(self) -> Observation:
        """The same as one observation: as if the doubted extremes had been removed, so that they are recounted."""
        passed = Passed(Extremes(), self.doubted or Extremes(), self.closing)
        return Observation(self.count, amount=self.total, passed=passed)


Addition = Mapping[str, Added]


def addition(stored: Mapping[str, Cell], right: Mapping[str, Cell], closing: int = 0) -> Addition:
    """What makes these cells right; nothing for those that are."""
    pairs = {name: (stored.get(name, Cell()), right.get(name, Cell())) for name in {**stored, **right}}
    return {name: _added(*pair, closing) for name, pair in pairs.items() if pair[0] != pair[1]}


def observations(of: Addition) -> Observations:
    """An addition as what one record would bring."""
    return {name: added.observation for name, added in of.items()}


def plain(of: Addition) -> dict[str, Any]:
    """An addition as plain JSON values: by cell its count, its sum, the extremes in doubt, the number of a closing."""
    return {
        name: [added.count, str(added.total), _packed(added.doubted), added.closing]
        for name, added in sorted(of.items())
    }


def of_plain(plain: Mapping[str, Any]) -> Addition:
    """The inverse of `plain`; raises TypeError or ValueError for anything else."""
    return {name: _of_plain(*told) for name, told in plain.items()}


def _added(stored: Cell, right: Cell, closing: int) -> Added:
    # Even if they are right now: they are gone if the cell counts nothing for a moment before this is added.
    both = joined(stored.extremes, right.extremes)
    doubted = both if right.counts and both != Extremes() else None
    return Added(right.count - stored.count, EXACT.subtract(right.total, stored.total), doubted, closing)


def _packed(extremes: Extremes | None) -> str | None:
    return None if extremes is None else string(pack_extremes(extremes))


def _of_plain(count: int, total: str, doubted: str | None, closing: int) -> Added:
    return Added(int(count), Decimal(total), None if doubted is None else unpack_extremes(s(doubted)), int(closing))
