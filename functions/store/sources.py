"""Where the sources of each kind of aggregate are: everything that one of its kind may have been made of.

For people who want an aggregate counted anew. What is found through an index is read again from the table itself,
so that it is seen as it is now; an entry that the index does not have yet is not found.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from functions.domain.aggregates import AggregateId, Part
from functions.domain.chat import Room
from functions.domain.graph import Direction, NodeId
from functions.domain.places import RESIDENT_KINDS, Place
from functions.domain.telemetry import DAILY, HOURLY, Grain
from functions.domain.times import Millis, from_rfc_3339
from functions.store import keys, patterns, rooms
from functions.store.attributes import Item, string
from functions.store.failures import PoisonError, sorted_out
from functions.store.keys import Key
from functions.store.queries import Query
from functions.store.table import Table


class StoppedError(Exception):
    """There was no time to read everything."""


@dataclass
class Reader:
    """Reads source items, as long as `may_go_on` says so, and counts them."""

    table: Table
    may_go_on: Callable[[], bool]
    items: int = field(default=0, init=False)

    def read(self, *queries: Query) -> Iterator[Item]:
        """Every item of the queries, strongly consistent; raises StoppedError before the page that is too much."""
        for query in queries:
            for item in self._pages(query if query.index else replace(query, consistent=True)):
                current = self.table.get(Key(string(item["PK"]), string(item["SK"]))) if query.index else item
                if current is not None:
                    self.items += 1
                    yield current

    def _pages(self, query: Query) -> Iterator[Item]:
        while self.may_go_on():
            page = self.table.query(query)
            yield from page.items
            if page.next is None:
                return
            query = replace(query, after=page.next)
        raise StoppedError


def _rollup(grain: Grain) -> Callable[[Reader, str, Millis], Iterator[Item]]:
    def find(reader: Reader, device: str, block: Millis) -> Iterator[Item]:
        return reader.read(patterns.telemetry.device_events(device, block - 1, block + grain.block))

    return find


def _events(reader: Reader, device: str, *_: Place) -> Iterator[Item]:
    return reader.read(patterns.telemetry.device_events(device, None, None))


def _device(reader: Reader, device: str) -> Iterator[Item]:
    return chain(_events(reader, device), _places_of(reader, device))


def _places_of(reader: Reader, device: str) -> Iterator[Item]:
    return reader.read(patterns.telemetry.device(device))


def _messages(reader: Reader, user: str, room_name: str) -> Iterator[Item]:
    room = rooms.find(reader.table, room_name) or Room.starting_with(room_name, 1)
    return reader.read(*patterns.chat.messages_during(room, "", user))


def _place(reader: Reader, path: Place) -> Iterator[Item]:
    """Its devices; the edges by which they report, from here or below; and whatever else lives here or below."""
    for item in reader.read(patterns.places.place(path)):
        yield item
        for device in _hosted(item):
            yield from _places_of(reader, device)
    yield from reader.read(*(patterns.places.residents(path, kind) for kind in RESIDENT_KINDS))


def _hosted(item: Item) -> tuple[str, ...]:
    """The device of an item that says so; none of an item that can't be understood."""
    try:
        with sorted_out():
            return keys.nodes.edge_target(string(item["SK"])) if string(item["Type"]) == "HOSTS" else ()
    except PoisonError:
        return ()


def _edges(reader: Reader, of: NodeId, direction: Direction, label: str) -> Iterator[Item]:
    return reader.read(patterns.graph.edges(of, direction, label))


_BLOCKS = frozenset({"ROLLUP_HOUR", "ROLLUP_DAY"})
_OF_NODES = frozenset({"DEGREE", "STRENGTH"})
FINDERS: Mapping[str, Callable[..., Iterator[Item]]] = {
    "REPORTED_FROM": _events,
    "ROLLUP_HOUR": _rollup(HOURLY),
    "ROLLUP_DAY": _rollup(DAILY),
    "DEVICE": _device,
    "POSTED_IN": _messages,
    "ROOM": lambda reader, room: reader.read(patterns.chat.room_users(room)),
    "USER": lambda reader, user: reader.read(patterns.chat.user_rooms(user)),
    "HOSTS": lambda reader, _, device: _places_of(reader, device),
    "PLACE": _place,
    "CONTAINS": lambda reader, path, child: _place(reader, (*path, child)),
    "DEGREE": _edges,
    "STRENGTH": _edges,
    "INVOICE": lambda reader, invoice: reader.read(patterns.billing.invoice(invoice)),
    "BILL": lambda reader, bill: reader.read(patterns.billing.invoices_of(bill)),
    "CUSTOMER": lambda reader, customer: reader.read(patterns.orders.customer(customer)),
    "PLAYED": lambda reader, player, game: reader.read(patterns.games.plays(player, game)),
    "PLAYER": lambda reader, player: reader.read(patterns.games.player(player)),
    "GAME": lambda reader, game: reader.read(patterns.games.leaderboard(game)),
    "SCORES": lambda reader, game, _: reader.read(patterns.games.leaderboard(game)),
    "EQUIPMENT": lambda reader, equipment: reader.read(Query(keys.audits.equipment(equipment))),
    "DOCUMENT": lambda reader, document: reader.read(patterns.documents.revisions(document)),
}


def named(kind: str, parts: Sequence[str | int | Sequence[str]]) -> AggregateId:
    """An aggregate as people name it: paths as lists, the start of a rollup's block as RFC 3339 or milliseconds.

    Raises TypeError or ValueError if no aggregate of the kind has such a name.
    """
    plain: tuple[Part, ...] = tuple(part if isinstance(part, str | int) else tuple(part) for part in parts)
    if kind in _BLOCKS and isinstance(plain[-1], str):
        plain = (*plain[:-1], from_rfc_3339(plain[-1]))
    if kind in _OF_NODES:
        plain = (_node(plain[0]), *plain[1:])
    aggregate_id = AggregateId(kind, plain)
    keys.aggregate(aggregate_id)
    return aggregate_id


def _node(path: Part) -> NodeId:
    if not isinstance(path, tuple):
        raise TypeError("a node is a list of its type and its id")
    return NodeId(*path)


def find(reader: Reader, aggregate_id: AggregateId) -> Iterator[Item]:
    """Every item that an aggregate may have been made of, and some that it was not; raises StoppedError."""
    return FINDERS[aggregate_id.kind](reader, *aggregate_id.parts)
