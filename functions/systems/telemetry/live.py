"""What a device's aggregates have not absorbed yet, for readers: its open hour, and closings that are on their way.

An aggregate holds the number of the last closing that it has absorbed, and a device keeps its closings until they are.
So a reader knows which of them to add, and the numbers never dip while an hour closes.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from edgewise import Cell, Fed, Item, Table, clock
from edgewise.aggregates import keys
from edgewise.aggregates.checkpoints import LATEST_DELIVERY
from edgewise.aggregates.measures import Delta, Extremes
from edgewise.aggregates.open_hours.attributes import Wanted, for_reader
from edgewise.dynamodb.attributes import integer
from functions.systems.telemetry.entity import Closed, open_start
from functions.systems.telemetry.system import DEVICE


@dataclass(frozen=True)
class Live:
    """A device's closings, the newest last, and at the end what is open, which has a number above all closings."""

    closings: tuple[Closed, ...]

    def pending(self, into: Callable[[Closed], Fed]) -> "Pending":
        """What these closings feed, by what it is about and by cell, each with the number of its closing."""
        found: Pending = {}
        for closed in self.closings:
            for about, cells in into(closed):
                for name, observation in cells.items():
                    delta = Delta()
                    delta.add(observation)
                    found.setdefault(about, {}).setdefault(name, []).append((closed.number, delta))
        return found


Pending = dict[tuple[object, ...], dict[str, list[tuple[int, Delta]]]]


def of(table: Table, device: str, wanted: Wanted) -> Live:
    """What is live of a device, in one strongly consistent request: read it after the aggregates that it feeds."""
    key = keys.of(DEVICE(device))
    item = table.get_many([key], consistent=True).get(key)
    return of_item(device, item, wanted) if item else Live(())


def of_item(device: str, item: Item, wanted: Wanted) -> Live:
    """What is live of a device, from its item, as far as the names of open cells are wanted."""
    part = for_reader(item, open_start, wanted)
    # Older ones are absorbed, or passed over. Perhaps the aggregate that did so was emptied since, and is removed.
    expected = (closing for closing in part.closings if clock.now() - closing.at <= LATEST_DELIVERY)
    closings = (Closed(device, closing.number, closing.cells) for closing in expected)
    return Live((*closings, Closed(device, integer(item["Version"]) + 1, part.changes)))


def with_pending(cell: Cell | None, absorbed: int, pending: Mapping[str, list[tuple[int, Delta]]], name: str) -> Cell:
    """A stored cell with what its aggregate, which has `absorbed` closings up to this number, is still to absorb."""
    whole = cell or Cell()
    for number, delta in pending.get(name, ()):
        if number > absorbed:
            whole = _joined(whole, delta)
    return whole


def _joined(cell: Cell, delta: Delta) -> Cell:
    """The cell after the delta; its extremes stay unknown, or become so, until they are recounted."""
    after, stale = cell.absorbed(delta)
    unknown = stale or (cell.counts and cell.extremes == Extremes())
    return replace(after, extremes=Extremes()) if unknown else after
