"""The extremes of some cells of one aggregate, read anew from its sources, a bounded number of items at a time.

Needed when what was taken away may have been a minimum, maximum, first or last. The sources are read strongly
consistent, after the aggregate's version was read. They may already show changes whose records are still to come:
those only widen the extremes to where they already are, or ask for another recount.
"""

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, replace

from functions.domain.aggregates import AggregateId, Contributions
from functions.domain.catalog import contributions
from functions.domain.chat import Room
from functions.domain.continuations import continuation, whole
from functions.domain.errors import MalformedRecordError
from functions.domain.measures import Extremes, joined
from functions.domain.recounts import START, Position, Step
from functions.domain.telemetry import DAILY, HOURLY
from functions.domain.times import Millis
from functions.store import codec, continuations, keys, pages, patterns, rooms
from functions.store.aggregate_items import is_elsewhere, is_lacking, stored_cell
from functions.store.attributes import Item, string
from functions.store.failures import PoisonError, sorted_out
from functions.store.queries import Query
from functions.store.table import Table
from functions.store.unknowns import unknown

# The least that is asked for where the first item found is enough, but need not be one of the aggregate's.
_FEW = 100
MayGoOn = Callable[[], bool]


def step(
    table: Table,
    aggregate_id: AggregateId,
    names: Set[str],
    position: Position = START,
    items: int = 1000,
    may_go_on: MayGoOn = lambda: True,
) -> Step | None:
    """Read on from a position, up to so many items, or until `may_go_on` says no; None if one can't be understood.

    A request counts as one item at least.
    """
    about = whole(aggregate_id)
    if about.kind in _FROM_OTHERS:
        return _FROM_OTHERS[about.kind](table, about, names)
    try:
        return _Reader(table, about, names, items, may_go_on).read_from(position)
    except MalformedRecordError:
        return None


def followers(aggregate_id: AggregateId) -> list[AggregateId]:
    """The aggregates whose extremes are made of this one's, or of what this one continues."""
    kind, parts = whole(aggregate_id)
    if kind != "ROLLUP_HOUR":
        return []
    device, block = str(parts[0]), int(str(parts[1]))
    return [AggregateId("ROLLUP_DAY", (device, block - block % DAILY.block))]


def source_contributions(item: Item) -> Contributions:
    """What a stored item contributes to its aggregates; raises MalformedRecordError if it can't be understood."""
    try:
        with sorted_out():
            kind = string(item["Type"])
            return contributions(kind, codec.SOURCES[kind](item)) if kind in codec.SOURCES else {}
    except PoisonError as poison:
        raise MalformedRecordError(poison.reason) from poison


@dataclass(frozen=True)
class Read:
    """One query for sources of the cells whose names begin with `of`. `page`: how many items to ask for at once.

    `first`: what comes first for a cell is all that it needs of this query.
    """

    query: Query
    of: str = ""
    page: int = 1000
    first: bool = False


class _Reader:
    """Reads the sources of some cells, as long as there are items left and `may_go_on` says so."""

    def __init__(
        self, table: Table, aggregate_id: AggregateId, names: Set[str], items: int, may_go_on: MayGoOn
    ) -> None:
        self._table, self._id, self._names = table, aggregate_id, names
        self._left, self._may_go_on = items, may_go_on
        self._found: dict[str, Extremes] = {}

    def read_from(self, position: Position) -> Step:
        """What is found from there on; raises MalformedRecordError."""
        after = position.after
        for number, read in enumerate(_READS[self._id.kind](self._table, self._id)):
            if number >= position.query:
                stopped = self._read(read, {name for name in self._names if name.startswith(read.of)}, after)
                if stopped is not None:
                    return Step(self._found, Position(number, stopped))
                after = ""
        return Step(self._found)

    def _read(self, read: Read, names: set[str], after: str) -> str | None:
        """Make one query to its end (None), or to the sort key after which it is to go on."""
        while names:
            if self._left <= 0 or not self._may_go_on():
                return after
            page = self._table.query(_resumed(read.query, after, min(read.page, self._left)))
            self._left -= max(1, len(page.items))
            for item in page.items:
                seen = self._widen(item, names)
                names -= seen if read.first else set()
            if page.next is None:
                break
            after = page.next["SK"]
        return None

    def _widen(self, item: Item, names: set[str]) -> set[str]:
        """Take in what an item contributes to these cells; gives those to which it does."""
        fed = source_contributions(item).get(self._id, {})
        for name in names & fed.keys():
            self._found.setdefault(name, Extremes()).widen(fed[name])
        return names & fed.keys()


def _resumed(query: Query, after: str, limit: int) -> Query:
    position = {"PK": query.partition, "SK": after} if after else None
    return replace(query, consistent=True, limit=limit, after=position)


def _hour(_: Table, aggregate_id: AggregateId) -> Iterator[Read]:
    """The readings of each bucket."""
    device, block = str(aggregate_id.parts[0]), int(str(aggregate_id.parts[1]))
    for bucket in range(HOURLY.block // HOURLY.bucket):
        start = block + bucket * HOURLY.bucket
        yield Read(patterns.telemetry.device_events(device, start - 1, start + HOURLY.bucket), f"{bucket}.")


def _device(_: Table, aggregate_id: AggregateId) -> Iterator[Read]:
    return _ends(patterns.telemetry.device_events(str(aggregate_id.parts[0]), None, None), 1)


def _device_at_place(_: Table, aggregate_id: AggregateId) -> Iterator[Read]:
    return _ends(patterns.telemetry.device_events(str(aggregate_id.parts[0]), None, None), _FEW)


def _user_in_room(table: Table, aggregate_id: AggregateId) -> Iterator[Read]:
    """Each shard from both ends; a room that is widened meanwhile gets more of them, at the end."""
    user, room_name = map(str, aggregate_id.parts)
    room = rooms.find(table, room_name) or Room.starting_with(room_name, 1)
    for shard in patterns.chat.messages_during(room, "", user):
        yield from _ends(shard, 1)


def _player_in_game(_: Table, aggregate_id: AggregateId) -> Iterator[Read]:
    """Every play: the best score may be anywhere among them."""
    player, game = map(str, aggregate_id.parts)
    yield Read(patterns.games.plays(player, game))


def _ends(timeline: Query, page: int) -> Iterator[Read]:
    """Of cells that know instants only, what is found first from both ends."""
    return (Read(replace(timeline, forward=forward), page=page, first=True) for forward in (True, False))


def _day_from_hours(table: Table, aggregate_id: AggregateId, names: Set[str]) -> Step:
    """A day's extremes are those of its hours, which are never behind it (docs/exactly-once.md).

    What one of them does not know now, the day can't know either.
    """
    device, day = str(aggregate_id.parts[0]), int(str(aggregate_id.parts[1]))
    in_hours = {hour: name for name in names for hour in _of_hours(name)}
    found, waiting = dict[str, Extremes](), set[str]()
    for about, item in _hours(table, device, day, in_hours.keys()):
        unknown_here = unknown(item)
        for hour, name in in_hours.items():
            if cell := stored_cell(about, item, hour):
                found[name] = joined(found.get(name, Extremes()), cell.extremes)
            if hour in unknown_here or is_lacking(item):
                waiting.add(name)
    return Step(found, waiting=frozenset(waiting))


def _hours(table: Table, device: str, day: Millis, names: Set[str]) -> Iterator[tuple[AggregateId, Item]]:
    """The blocks of a day's hours, and those of their continuations that may have one of these cells."""
    items = dict(_blocks(table, device, day))
    while items:
        yield from items.items()
        further = {
            continuation(about, name) for about, item in items.items() for name in names if is_elsewhere(item, name)
        }
        items = continuations.read(table, further)


def _blocks(table: Table, device: str, day: Millis) -> Iterator[tuple[AggregateId, Item]]:
    blocks = patterns.telemetry.rollups(device, HOURLY.name.upper(), day, day + DAILY.block - HOURLY.block)
    for page in pages.every(table, replace(blocks, consistent=True)):
        for item in page.items:
            yield AggregateId("ROLLUP_HOUR", (device, keys.telemetry.parse_rollup(string(item["SK"])))), item


def _of_hours(name: str) -> list[str]:
    """What the cell of a day is called in a block of hours, in each of its buckets."""
    metric = name.partition(".")[2]
    return [f"{bucket}.{metric}" for bucket in range(HOURLY.block // HOURLY.bucket)]


# The aggregates with minimum and maximum, or first and last: the queries that find what they were made of, always in
# the same order, or how to make them of other aggregates' extremes.
_READS: Mapping[str, Callable[[Table, AggregateId], Iterator[Read]]] = {
    "ROLLUP_HOUR": _hour,
    "DEVICE": _device,
    "REPORTED_FROM": _device_at_place,
    "POSTED_IN": _user_in_room,
    "PLAYED": _player_in_game,
}
_FROM_OTHERS: Mapping[str, Callable[[Table, AggregateId, Set[str]], Step]] = {"ROLLUP_DAY": _day_from_hours}
