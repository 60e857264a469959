"""Many shards read as one list, however the pages are cut."""

import hashlib
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from edgewise.dynamodb import merge
from edgewise.dynamodb.attributes import Item, n, s
from edgewise.dynamodb.queries import Page, Position, Query
from edgewise.dynamodb.schema import BY_NUMBER
from functions.replay.memory import MemoryTable


class CutTable(MemoryTable):
    """A table whose pages end after a few items, as they do at 1 MB."""

    def __init__(self, page: int) -> None:
        super().__init__()
        self.page = page

    def query(self, query: Query) -> Page:
        self.usage.requests += 1
        assert query.limit is not None
        return super().query(replace(query, limit=min(query.limit, self.page)))


def item(shard: int, number: int) -> Item:
    return {"PK": {"S": f"CHAT#r-{shard}"}, "SK": {"S": f"{number:03d}"}}


def walk(table: MemoryTable, shards: list[Query], limit: int) -> list[str]:
    """All pages, one after the other; each within the limit."""
    found: list[str] = []
    after: Position | None = None
    while True:
        page = merge.page(table, shards, limit, after)
        assert len(page.items) <= limit
        assert page.items or page.next is None
        found += [one["SK"]["S"] for one in page.items]
        if page.next is None:
            return found
        after = page.next


@given(
    numbers=st.dictionaries(st.integers(0, 999), st.integers(1, 5), max_size=40),
    limit=st.integers(1, 12),
    cut=st.integers(1, 12),
    forward=st.booleans(),
)
def test_the_pages_are_the_whole_list_in_order(numbers: dict[int, int], limit: int, cut: int, forward: bool) -> None:
    table = CutTable(cut)
    table.put_many([item(shard, number) for number, shard in numbers.items()])
    shards = [Query(f"CHAT#r-{shard}", forward=forward) for shard in range(1, 6)]
    expected = [f"{number:03d}" for number in sorted(numbers, reverse=not forward)]
    assert walk(table, shards, limit) == expected


def test_a_page_asks_each_shard_once() -> None:
    table = CutTable(1)
    table.put_many([item(shard, shard) for shard in range(1, 6)])
    page = merge.page(table, [Query(f"CHAT#r-{shard}") for shard in range(1, 6)], 3)
    assert table.usage.requests == 5
    assert [one["SK"]["S"] for one in page.items] == ["001"]
    assert page.next == {"PK": "CHAT#r-1", "SK": "001"}


def test_nothing_follows_the_last_item() -> None:
    table = CutTable(9)
    table.put_many([item(1, 1), item(2, 2)])
    assert merge.page(table, [Query("CHAT#r-1"), Query("CHAT#r-2")], 2).next is None


class ShuffledTable(MemoryTable):
    """Within a shard, items of one sort key stand in an order of their own, as they may in an index."""

    def query(self, query: Query) -> Page:
        found = super().query(replace(query, limit=None)).items
        shuffled = sorted(found, key=lambda one: hashlib.sha256(one["PK"]["S"].encode()).digest())
        ordered = sorted(shuffled, key=lambda one: query.order(one)[0], reverse=not query.forward)
        return Page(ordered[: query.limit], {"cut": "short"} if len(ordered) > (query.limit or 0) else None)


@given(
    numbers=st.lists(st.tuples(st.integers(0, 3), st.integers(1, 3)), max_size=40),
    limit=st.integers(1, 12),
    forward=st.booleans(),
)
def test_the_top_is_full_and_right_however_equals_stand(
    numbers: list[tuple[int, int]], limit: int, forward: bool
) -> None:
    table = ShuffledTable()
    table.put_many(
        [
            {"PK": s(f"NODE#{place}"), "SK": s("x"), "GSI3PK": s(f"RANK#{shard}"), "GSI3SK": n(number)}
            for place, (number, shard) in enumerate(numbers)
        ]
    )
    shards = [Query(f"RANK#{shard}", None, BY_NUMBER, forward) for shard in range(1, 4)]
    found = [int(one["GSI3SK"]["N"]) for one in merge.top(table, shards, limit)]
    assert found == sorted((number for number, _ in numbers), reverse=not forward)[:limit]
