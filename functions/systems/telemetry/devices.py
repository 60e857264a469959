"""Reads a device's edges to places, with what they have not absorbed yet."""

from collections.abc import Iterator, Sequence

from edgewise import COUNT, Cell, Member, Table
from edgewise.aggregates.open_hours.attributes import closed
from edgewise.dynamodb.attributes import integer
from functions.place import Place
from functions.systems.telemetry import live
from functions.systems.telemetry.entity import is_place, of_closed_place


def edges(table: Table, device: str, summary: Member | None, stored: Sequence[Member]) -> Iterator[tuple[Place, Cell]]:
    """The places of these edges and how often the device was seen there.

    A closing passes on all that is open of a place. So an edge that has absorbed one which the summary does not know,
    because the summary was read from a copy that is behind, lacks nothing.
    """
    if summary is None and not stored:
        return
    now = live.of_item(device, summary.item, is_place) if summary else live.of(table, device, is_place)
    pending = now.pending(of_closed_place)
    for edge in stored:
        behind = summary is not None and closed(edge.item) > integer(summary.item["Version"])
        waiting = {} if behind else pending.get((device, edge.target), {})
        seen = live.with_pending(edge.cells[COUNT], closed(edge.item), waiting, COUNT)
        if seen.count > 0:
            yield edge.target, seen
