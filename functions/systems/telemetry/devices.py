"""Reads a device's edges to places, with what they have not absorbed yet."""

from collections.abc import Iterator, Sequence

from edgewise import COUNT, Cell, Member, Table
from edgewise.aggregates.open_hours.attributes import closed
from edgewise.aggregates.open_hours.readers import item_with, pending, with_pending
from edgewise.dynamodb.attributes import integer
from functions.place import Place
from functions.systems.telemetry.entity import is_place
from functions.systems.telemetry.system import DEVICE, REPORTED_FROM


def edges(table: Table, device: str, summary: Member | None, stored: Sequence[Member]) -> Iterator[tuple[Place, Cell]]:
    """The places of these edges and how often the device was seen there.

    A closing passes on all that is open of a place. So an edge that has absorbed one which the summary does not know,
    because the summary was read from a copy that is behind, lacks nothing.
    """
    if summary is None and not stored:
        return
    about = DEVICE(device)
    waiting = pending(REPORTED_FROM, about, summary.item if summary else item_with(table, about), is_place)
    for edge in stored:
        behind = summary is not None and closed(edge.item) > integer(summary.item["Version"])
        its = {} if behind else waiting.get((device, edge.target), {})
        seen = with_pending(edge.cells[COUNT], closed(edge.item), its, COUNT)
        if seen.count > 0:
            yield edge.target, seen
