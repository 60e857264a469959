"""Load on one room, simulated: it grows until throttling ends, and no further."""

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.throttling import Shortage, ThrottledError
from edgewise.times import SECOND, Millis
from functions.replay.memory import MemoryTable
from functions.systems.chat import posting, rooms
from functions.systems.chat.models import MessagesIn
from functions.systems.chat.posting import Post
from functions.web.admission import Caller
from tests.support.throttles import ARN, HOT_TABLE

AMY = Caller("amy", "amy", frozenset(), issued=0)


class SlowTable(MemoryTable):
    """Stores so many messages of each partition a second, and throttles what goes beyond."""

    def __init__(self, capacity: int) -> None:
        super().__init__()
        self.capacity, self.now = capacity, 1_535_544_000_000
        self.throttled = Counter[Millis]()
        self._stored = Counter[str]()

    def tick(self) -> None:
        """The next second."""
        self.now += SECOND
        self._stored.clear()

    def put_many(self, items: Sequence[Item]) -> None:
        taken = [item for item in items if self._takes(item["PK"]["S"])]
        super().put_many(taken)
        if len(taken) < len(items):
            self.throttled[self.now] += len(items) - len(taken)
            raise ThrottledError((Shortage(HOT_TABLE, ARN),))

    def _takes(self, partition: str) -> bool:
        self._stored[partition] += 1
        return self._stored[partition] <= self.capacity


@pytest.fixture(autouse=True)
def ids(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same message ids every time: shards follow from them."""
    seeded = random.Random(4)
    monkeypatch.setattr("secrets.token_hex", lambda size: seeded.randbytes(size).hex())


def under_load(capacity: int, posts: int, messages: int, seconds: int) -> SlowTable:
    """A table after so many seconds of so many posts of so many messages each, all into one room."""
    table, body = SlowTable(capacity), MessagesIn(messages=[{"text": "hi"}] * messages)
    for _ in range(seconds):
        table.tick()
        for _ in range(posts):
            try:
                posting.store(table, Post(AMY, None, lambda: table.now, lambda _: None), "seattle", body)
            except ThrottledError:
                continue
    return table


def growth(table: SlowTable) -> list[int]:
    room = rooms.find(table, "seattle")
    assert room is not None
    return [step.shards for step in room.history]


def test_a_room_grows_until_throttling_ends_and_no_further() -> None:
    """120 a second are too many for two partitions of 50, and few enough for four, unevenly filled as they are.

    The first doubling counts from second 10 on, the next is made when that has been in force for a minute.
    """
    table = under_load(capacity=50, posts=6, messages=20, seconds=160)
    assert growth(table) == [1, 2, 4]
    start = min(table.throttled)
    assert max(table.throttled) == start + (10 + 60 + 10 - 1) * SECOND


def test_a_room_that_is_not_throttled_does_not_grow() -> None:
    table = under_load(capacity=120, posts=6, messages=20, seconds=80)
    assert growth(table) == [1]
    assert not table.throttled


def test_load_beyond_all_bounds_stops_at_64_shards() -> None:
    table = under_load(capacity=1, posts=1, messages=80, seconds=400)
    assert growth(table) == [1, 2, 4, 8, 16, 32, 64]
    assert max(table.throttled) == table.now
