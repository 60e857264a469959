"""What aggregates have not absorbed yet, for readers: what is open, and closings that are on their way.

An aggregate holds the number of the last closing that it has absorbed, and an item keeps its closings until all whom
they feed have absorbed them. So a reader knows which of them to add, and numbers never dip while an hour closes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from edgewise import clock
from edgewise.aggregates import keys
from edgewise.aggregates.checkpoints import LATEST_DELIVERY
from edgewise.aggregates.keys import AggregateId, Dimension
from edgewise.aggregates.kinds import Kind
from edgewise.aggregates.measures import Cell, Delta, Extremes
from edgewise.aggregates.open_hours import attributes
from edgewise.aggregates.open_hours.attributes import Wanted
from edgewise.aggregates.open_hours.declaration import addressed, start_in
from edgewise.dynamodb.attributes import Item, integer
from edgewise.dynamodb.table import Table

# By cell the changes that wait for an aggregate, each with the number of its closing; and by what aggregates are about.
Waiting = Mapping[str, Sequence[tuple[int, Delta]]]
Pending = Mapping[tuple[Dimension, ...], Waiting]


def item_with(table: Table, about: AggregateId) -> Item | None:
    """The item of an aggregate with open hours, consistent: read it after the aggregates that it feeds."""
    key = keys.of(about)
    return table.get_many([key], consistent=True).get(key)


def pending(kind: Kind, of: AggregateId, item: Item | None, wanted: Wanted) -> Pending:
    """What the item `of` an aggregate has for those of a kind, as far as the names of open cells are wanted.

    What is open has a number above those of closings.
    """
    found: dict[tuple[Dimension, ...], dict[str, list[tuple[int, Delta]]]] = {}
    if item is None:
        return found
    part, now = attributes.for_reader(item, start_in(of), wanted), clock.now()
    # Older ones are absorbed, or passed over. Perhaps the aggregate that did so was emptied since, and is removed.
    expected = [(each.number, each.cells) for each in part.closings if now - each.at <= LATEST_DELIVERY]
    for number, cells in [*expected, (integer(item["Version"]) + 1, part.changes)]:
        for about, changes in addressed(of, cells, (kind,)).items():
            for name, delta in changes.items():
                found.setdefault(about.dimensions, {}).setdefault(name, []).append((number, delta))
    return found


def with_pending(cell: Cell | None, absorbed: int, waiting: Waiting, name: str) -> Cell:
    """A stored cell with what its aggregate, which has `absorbed` closings up to this number, is still to absorb."""
    whole = cell or Cell()
    for number, delta in waiting.get(name, ()):
        if number > absorbed:
            whole = _joined(whole, delta)
    return whole


def _joined(cell: Cell, delta: Delta) -> Cell:
    """The cell after the delta; its extremes stay unknown, or become so, until they are recounted."""
    after, stale = cell.absorbed(delta)
    unknown = stale or (cell.counts and cell.extremes == Extremes())
    return replace(after, extremes=Extremes()) if unknown else after
