"""The extremes of one aggregate, counted anew from its sources.

Needed when what was taken away may have been a minimum, maximum, first or last. The sources are read strongly
consistent, after the aggregate's version was read. They may already show changes whose records are still to come:
those only widen the extremes to where they already are, or ask for another recount.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice

from functions.domain.aggregates import AggregateId, Contributions
from functions.domain.catalog import contributions
from functions.domain.chat import Room
from functions.domain.continuations import whole
from functions.domain.errors import MalformedRecordError
from functions.domain.measures import Cell, Observation
from functions.domain.telemetry import GRAINS
from functions.store import codec, patterns, rooms
from functions.store.aggregate_items import bucket_start
from functions.store.attributes import Item, string
from functions.store.failures import PoisonError, sorted_out
from functions.store.queries import Query
from functions.store.table import Table

_PAGE = 100


def recount(table: Table, aggregate_id: AggregateId, names: Iterable[str]) -> dict[str, Cell]:
    """The named cells with the extremes that their sources have now.

    A cell without sources is absent, and so is one of whose sources some can't be understood.
    """
    about = whole(aggregate_id)
    sources = _SOURCES[about.kind]
    cells = {name: _cell(sources(table, about, name)) for name in names}
    return {name: cell for name, cell in cells.items() if cell is not None and cell.count}


def source_contributions(item: Item) -> Contributions:
    """What a stored item contributes to its aggregates; raises MalformedRecordError if it can't be understood."""
    try:
        with sorted_out():
            kind = string(item["Type"])
            return contributions(kind, codec.SOURCES[kind](item)) if kind in codec.SOURCES else {}
    except PoisonError as poison:
        raise MalformedRecordError(poison.reason) from poison


def _bucket(table: Table, aggregate_id: AggregateId, name: str) -> Iterator[Observation]:
    """Every observation of a rollup's cell: the device's events in that hour or day."""
    device = str(aggregate_id.parts[0])
    start = bucket_start(aggregate_id, name)
    end = start + GRAINS[aggregate_id.kind.removeprefix("ROLLUP_").lower()].bucket
    return _observations(table, patterns.telemetry.device_events(device, start - 1, end), aggregate_id, name)


def _of_device(table: Table, aggregate_id: AggregateId, name: str) -> Iterator[Observation]:
    events = patterns.telemetry.device_events(str(aggregate_id.parts[0]), None, None)
    return _ends(table, events, aggregate_id, name)


def _of_user(table: Table, aggregate_id: AggregateId, name: str) -> Iterator[Observation]:
    user, room_name = map(str, aggregate_id.parts)
    room = rooms.find(table, room_name) or Room.starting_with(room_name, 1)
    for shard in patterns.chat.messages_during(room, "", user):
        yield from _ends(table, shard, aggregate_id, name)


def _of_player(table: Table, aggregate_id: AggregateId, name: str) -> Iterator[Observation]:
    """Every observation of a player's scores in a game: the best may be anywhere among the plays."""
    player, game = map(str, aggregate_id.parts)
    return _observations(table, patterns.games.plays(player, game), aggregate_id, name)


def _ends(table: Table, timeline: Query, aggregate_id: AggregateId, name: str) -> Iterator[Observation]:
    """The first and last observation of a cell that knows instants only: reads from both ends until it finds one."""
    for forward in (True, False):
        found = _observations(table, replace(timeline, forward=forward, limit=_PAGE), aggregate_id, name)
        yield from islice(found, 1)


def _observations(table: Table, query: Query, aggregate_id: AggregateId, name: str) -> Iterator[Observation]:
    for item in _items(table, replace(query, consistent=True)):
        fed = source_contributions(item).get(aggregate_id, {})
        if name in fed:
            yield fed[name]


def _items(table: Table, query: Query) -> Iterator[Item]:
    while True:
        page = table.query(query)
        yield from page.items
        if page.next is None:
            return
        query = replace(query, after=page.next)


def _cell(observations: Iterator[Observation]) -> Cell | None:
    cell = Cell()
    try:
        for observation in observations:
            cell.add(observation)
    except MalformedRecordError:
        return None
    return cell


# The aggregates with minimum and maximum, or first and last, and where to find what they were made of.
_SOURCES: Mapping[str, Callable[[Table, AggregateId, str], Iterator[Observation]]] = {
    "ROLLUP_HOUR": _bucket,
    "ROLLUP_DAY": _bucket,
    "DEVICE": _of_device,
    "REPORTED_FROM": _of_device,
    "POSTED_IN": _of_user,
    "PLAYED": _of_player,
}
