"""What happens to the source items: written, written again, changed, deleted, expired."""

from dataclasses import dataclass
from decimal import Decimal

from hypothesis import strategies as st

from functions.domain.chat import Message, Room
from functions.domain.telemetry import Event
from functions.store import codec, keys
from functions.store.keys import Key
from tests.delivery.recount import Post, Reading
from tests.support.streams import Recording

DEVICES, ROOMS, USERS, METRICS = ("d1", "d2"), ("r1", "r2"), ("amy", "bob", "eve"), ("temp", "hum")
PLACES: tuple[tuple[str, ...], ...] = ((), ("US", "NY", "JFK"), ("US", "NY", "LGA"), ("US", "NJ"), ("FR",))
START = 1_535_500_800_000  # 2018-08-29T00:00:00Z
INSTANTS = tuple(START + minutes * 60_000 for minutes in (0, 1, 59, 60, 239, 240, 1439, 1440))


@dataclass(frozen=True)
class Change:
    """`kind` is event, message, delete or expire; `which` picks what it is about."""

    kind: str
    which: int
    who: int
    at: int
    where: int
    values: dict[str, Decimal]


@dataclass(frozen=True)
class Pass:
    """Some seconds pass, then there is a delivery."""

    seconds: float


numbers = st.decimals(min_value=-5, max_value=5, places=1)
CHANGED = ("event", "event", "event", "message", "message", "delete")


def changes(kinds: tuple[str, ...]) -> st.SearchStrategy[Change]:
    """Changes of these kinds; events and messages of few keys, so that they often change existing items."""
    return st.builds(
        Change,
        kind=st.sampled_from(kinds),
        which=st.integers(0, 5),
        who=st.integers(0, 2),
        at=st.integers(0, len(INSTANTS) - 1),
        where=st.integers(0, len(PLACES) - 1),
        values=st.dictionaries(st.sampled_from(METRICS), numbers),
    )


passes = st.builds(Pass, st.sampled_from((0.0, 1.0, 5.0, 20.0, 3600.0)))


def histories(kinds: tuple[str, ...]) -> st.SearchStrategy[list[Change | Pass]]:
    """Changes and deliveries in any order."""
    return st.lists(st.one_of(changes(kinds), passes), max_size=60)


class Sources:
    """The source items, on the table and in plain Python beside it.

    What expired stays counted; a key that expired is not written again, as that would be another event.
    """

    def __init__(self, table: Recording) -> None:
        self.table = table
        self.live: dict[Key, Reading | Post] = {}
        self.expired: dict[Key, Reading | Post] = {}
        for room in ROOMS:
            table.put_version(codec.chat.room_item(Room.starting_with(room, shards=2)), replaces=0)

    def change(self, change: Change) -> None:
        if change.kind == "event":
            self._write_event(change)
        elif change.kind == "message":
            self._write_message(change)
        elif self.live:
            key = list(self.live)[change.which % len(self.live)]
            gone = self.live.pop(key)
            if change.kind == "expire":
                self.expired[key] = gone
            self.table.delete(key, expired=change.kind == "expire")

    def counted(self) -> tuple[list[Reading], list[Post]]:
        everything = [*self.live.values(), *self.expired.values()]
        return [r for r in everything if isinstance(r, Reading)], [p for p in everything if isinstance(p, Post)]

    def _write_event(self, change: Change) -> None:
        reading = Reading(DEVICES[change.who % 2], INSTANTS[change.at], PLACES[change.where], change.values)
        key = keys.telemetry.event(reading.device, reading.at, f"e{change.which % 2}")
        if key not in self.expired:
            self.live[key] = reading
            event = Event(reading.device, reading.at, f"e{change.which % 2}", reading.place, reading.metrics)
            self.table.put_many([codec.telemetry.event_item(event)])

    def _write_message(self, change: Change) -> None:
        shard = change.which % 2 + 1
        post = Post(ROOMS[change.where % 2], USERS[change.who], INSTANTS[change.at])
        message = Message(post.room, shard, post.user, post.at, f"m{change.which}", f"{change.values}")
        item = codec.chat.message_item(message)
        key = Key(item["PK"]["S"], item["SK"]["S"])
        if key not in self.expired:
            self.live[key] = post
            self.table.put_many([item])
