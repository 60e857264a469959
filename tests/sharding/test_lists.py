"""Lists that grow while they are written and read: nothing is missed, nothing moves, every page is in order."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from edgewise import clock
from edgewise.dynamodb import merge
from edgewise.dynamodb.attributes import Item, n, s
from edgewise.dynamodb.keys import Key, Partitions
from edgewise.dynamodb.queries import Position, Query
from edgewise.dynamodb.schema import BY_VALUE
from edgewise.dynamodb.table import Table
from edgewise.errors import ShrinkRefusedError
from edgewise.sharding import listing, relief
from edgewise.sharding.lists import MAX_SHARDS, ShardedList
from edgewise.sharding.sharding import COOL_DOWN
from edgewise.times import SECOND
from functions.replay.memory import MemoryTable
from functions.settings import HTTP_TIMEOUT_SECONDS

NOON = 1_535_544_000_000
SKILLS = ShardedList(Partitions("FIND"), ("skill",))
NAMES = ShardedList(Partitions("FIND"), ("name",))
# The longest that a request of the API may run.
REQUEST = HTTP_TIMEOUT_SECONDS * SECOND


class Time:
    """The time of all functions."""

    def __init__(self) -> None:
        self.now = NOON

    @contextmanager
    def passing(self) -> Iterator["Time"]:
        with patch.object(clock, "now", lambda: self.now):
            yield self


class Function(MemoryTable):
    """The one table, as one function sees it: each remembers for itself what it has read of a list."""

    def __init__(self, items: dict[Key, Item]) -> None:
        super().__init__()
        self.items, self.reads = items, 0

    def get_many(self, wanted: object, *, consistent: bool = False) -> dict[Key, Item]:
        assert consistent
        self.reads += 1
        return super().get_many(wanted, consistent=consistent)  # type: ignore[arg-type]


def entry(name: str, of: ShardedList, shard: int) -> Item:
    return {"PK": s(f"P#{name}"), "SK": s("x"), "GSI1PK": s(of.shard(shard)), "GSI1SK": s(name)}


def pages(table: Table, partitions: list[str], limit: int) -> list[str]:
    found: list[str] = []
    after: Position | None = None
    while True:
        page = merge.page(table, [Query(each, None, BY_VALUE) for each in partitions], limit, after)
        assert len(page.items) <= limit
        found += [item["GSI1SK"]["S"] for item in page.items]
        if page.next is None:
            return found
        after = page.next


# A write or a widening begins, and takes some time until it reaches the table; so does a read, of pages of some size.
WAIT = st.sampled_from([0, 1, SECOND, 5 * SECOND, REQUEST - 1, REQUEST, 60 * SECOND])
LASTS = st.sampled_from([0, 1, 5 * SECOND, REQUEST - 1, REQUEST])
HAPPENINGS = st.lists(
    st.one_of(
        st.tuples(st.just("write"), WAIT, LASTS, st.integers(0, 2)),
        st.tuples(st.just("read"), WAIT, LASTS, st.integers(1, 9)),
        st.tuples(st.just("widen"), WAIT, LASTS, st.integers(1, MAX_SHARDS)),
    ),
    max_size=60,
)


class History:
    """What begins now ends up to a request's time later, in any order with what else is under way."""

    def __init__(self, time: Time) -> None:
        items: dict[Key, Item] = {}
        self.time, self.written = time, list[str]()
        self.writers, self.reader = [Function(items) for _ in range(3)], Function(items)
        self.under_way: list[tuple[int, int, object]] = []

    def play(self, happenings: list[tuple[str, int, int, int]]) -> None:
        for number, (what, wait, lasts, how) in enumerate(happenings):
            self.until(self.time.now + wait)
            ending = getattr(self, what)(number, how)
            self.under_way.append((self.time.now + lasts, number, ending))
        self.until(self.time.now + REQUEST)
        self.under_way.append((self.time.now, len(happenings), self.read(0, 3)))
        self.until(self.time.now)

    def until(self, instant: int) -> None:
        self.under_way.sort(key=lambda each: each[:2])
        while self.under_way and self.under_way[0][0] <= instant:
            self.time.now, _, ending = self.under_way.pop(0)
            ending()  # type: ignore[operator]
        self.time.now = instant

    def write(self, number: int, writer: int) -> object:
        # Names in an order other than that of their writing.
        name = f"{number * 7919 % 1000:03d}-{number}"
        shard = listing.shard_for(self.writers[writer], SKILLS, name)

        def ending() -> None:
            self.writers[writer].put_many([entry(name, SKILLS, shard)])
            self.written.append(name)

        return ending

    def widen(self, _: int, shards: int) -> object:
        """The history is read and stored at the end; the instant from which it counts is that of the beginning."""
        began = self.time.now

        def ending() -> None:
            now, self.time.now = self.time.now, began
            try:
                relief.widen(self.writers[0], SKILLS, shards)
            except ShrinkRefusedError:
                pass
            finally:
                self.time.now = now

        return ending

    def read(self, _: int, limit: int) -> object:
        partitions = listing.partitions(self.reader, SKILLS)

        def ending() -> None:
            assert pages(self.reader, partitions, limit) == sorted(self.written)

        return ending


# The worst that can happen: a widening is stored ten seconds after it was asked for; a moment before, a reader learns
# the old history, and ten seconds later, just before forgetting it, begins to read for ten seconds.
WORST = [("widen", 0, REQUEST, MAX_SHARDS), ("read", REQUEST - 1, 0, 9), ("read", REQUEST - 1, REQUEST, 9)]


@given(HAPPENINGS)
@example([*WORST, *[("write", wait, 0, 0) for wait in (REQUEST - 2, 0, 0, 2, 0, 0)]])
@settings(max_examples=300)
def test_whatever_is_widened_and_written_every_reader_finds_all_in_order(
    happenings: list[tuple[str, int, int, int]],
) -> None:
    """Also a reader that began with a history ten seconds old and is slow, while a slow widening is being stored."""
    with Time().passing() as time:
        History(time).play(happenings)


def test_an_item_stays_in_its_shard_and_later_ones_are_spread() -> None:
    with Time().passing() as time:
        table = Function({})
        before = [listing.shard_for(table, SKILLS, str(number)) for number in range(100)]
        relief.widen(table, SKILLS, 8)
        time.now += listing.LEAD - 1
        assert {listing.shard_for(table, SKILLS, str(number)) for number in range(100)} == set(before) == {1}
        time.now += 1
        assert {listing.shard_for(table, SKILLS, str(number)) for number in range(100)} == set(range(1, 9))
        assert listing.partitions(table, SKILLS) == [f"FIND#skill#{shard}" for shard in range(1, 9)]
        assert listing.partitions(table, NAMES) == ["FIND#name#1"]


def test_the_members_of_a_list_share_its_shards_equally() -> None:
    with Time().passing() as time:
        table = Function({})
        relief.widen(table, SKILLS, 16)
        time.now += listing.LEAD
        shards = listing.shards_for(table, [(SKILLS, str(number)) for number in range(16_000)])
        assert all(850 < shards.count(shard) < 1150 for shard in range(1, 17))


def test_a_history_is_read_once_in_ten_seconds_several_in_one_request() -> None:
    with Time().passing() as time:
        table = Function({})
        for wait, reads in ((0, 1), (9_999, 1), (1, 2), (0, 2)):
            time.now += wait
            assert listing.shards_for(table, [(SKILLS, "a"), (NAMES, "b"), (SKILLS, "c")]) == [1, 1, 1]
            assert table.reads == reads


def test_what_is_remembered_has_a_bound() -> None:
    with Time().passing():
        table = Function({})
        for number in range(3_000):
            listing.partitions(table, ShardedList(Partitions("AWARD"), (str(number),)))
        assert len(listing._known[table]) <= listing.MOST_KNOWN


def test_a_list_never_gets_fewer_shards() -> None:
    with Time().passing():
        table = Function({})
        assert relief.widen(table, SKILLS, 1).version == 0  # nothing to store
        assert not table.items
        assert relief.widen(table, SKILLS, 4).shards == 4
        assert relief.widen(table, SKILLS, 4).version == 1
        with pytest.raises(ShrinkRefusedError, match="'FIND#skill' has 4 shards and can't go down to 3"):
            relief.widen(table, SKILLS, 3)


def test_relief_doubles_up_to_the_maximum_and_pauses_in_between() -> None:
    with Time().passing() as time:
        table, shards = Function({}), []
        for _ in range(9):
            relief.relieve(table, [SKILLS])
            relief.relieve(table, [SKILLS])
            time.now += listing.LEAD + COOL_DOWN - 1
            relief.relieve(table, [SKILLS])  # a moment too early
            time.now += 1
            shards.append(len(listing.partitions(table, SKILLS)))
        assert shards == [2, 4, 8, 16, 16, 16, 16, 16, 16]


def test_of_functions_that_see_the_same_heat_one_widens() -> None:
    with Time().passing() as time:
        items: dict[Key, Item] = {}
        functions = [Function(items) for _ in range(3)]
        for each in functions:
            listing.partitions(each, SKILLS)
        for each in functions:
            relief.relieve(each, [SKILLS])
        time.now += listing.KNOWN_FOR
        assert listing.partitions(functions[2], SKILLS) == ["FIND#skill#1", "FIND#skill#2"]


def test_a_history_is_stored_as_documented() -> None:
    with Time().passing():
        table = Function({})
        relief.widen(table, SKILLS, 4)
    assert table.items == {
        Key("FIND#SHARDS#skill", "HISTORY"): {
            "PK": s("FIND#SHARDS#skill"),
            "SK": s("HISTORY"),
            "Type": s("LIST_SHARDS"),
            "Version": n(1),
            "History": {
                "L": [
                    {"M": {"Since": s("0001-01-01T00:00:00.000Z"), "Shards": n(1)}},
                    {"M": {"Since": s("2018-08-29T12:00:30.000Z"), "Shards": n(4)}},
                ]
            },
        }
    }
