"""What changes beside a fill, comes late, or dies: each item counts once, and a mutant of each rule is caught."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from typing import Any
from unittest.mock import patch

import pytest

from delivery import NONE, KilledError, Reads
from edgewise.aggregates import aggregate as absorbing
from edgewise.aggregates.latest import NOWHERE, newest
from edgewise.aggregates.stored import LATEST
from edgewise.dynamodb.existing import MAP
from edgewise.dynamodb.writes import Put
from edgewise.own import filling, fills, late, scanning
from edgewise.own.filling import Filling
from edgewise.stream import changes
from edgewise.times import DAY, HOUR, SECOND
from edgewise.views import (
    Number,
    View,
    count,
    each_of,
    group_by,
    sum_of,
)
from tests.support.own_tables import NAME, TOLD, Shop
from tests.views.filled import SHORTLY, Customers, Tagged, ask, fill_all, orders_of, stored
from tests.views.shop import SHOP, Order, put, told


@pytest.mark.parametrize("write", range(12))
def test_a_fill_that_dies_before_a_write_is_taken_up(write: int) -> None:
    shop, left = stored(Customers, Tagged), iter(range(write))

    def dying(real: Callable[..., Any]) -> Callable[..., Any]:
        def write(*arguments: Any) -> Any:
            if next(left, None) is None:
                raise KilledError
            return real(*arguments)

        return write

    with shop.delivered():
        ask(shop, steps=1)
        shop.wait(SHORTLY)
        with (
            patch.object(filling, "PAGE", 1),
            patch.object(filling, "_put", dying(filling._put)),
            patch("edgewise.own.filling.store", dying(fills.store)),
            suppress(KilledError),
        ):
            ask(shop)
        shop.drain()
        fill_all(shop)
        shop.drain()
        assert orders_of(shop, Customers, customer="ann") == (2, True)
        assert orders_of(shop, Tagged, tag="new") == (2, True)


class Statuses(View, of=Order, fill=True):
    status = group_by(Order.status)
    orders, net = count(), sum_of(Order.net)


def _applied_late(pause: float) -> list[tuple[int, bool]]:
    """An order goes from one status to the next; nobody can read it in the second one, until a release can.

    Before the last one, its shard ends, and another goes on.
    """
    shop, statuses = Shop(SHOP, 1, NONE), ("new", "open", "paid", "sent")
    stream = shop.streams[NAME]
    with shop.before():
        put(shop, "ann", 1, net=10, status="new")
    shop.deploy(Statuses)
    with shop.delivered():
        fill_all(shop)
        with patch.object(Number, "decoded", _no_elevens):
            for net, status in zip((11, 12, 13), statuses[1:], strict=True):
                if status == statuses[-1]:
                    stream.roll_over(stream.shard_of({"pk": {"S": "ann"}, "sk": {"S": "order-1"}}))
                put(shop, "ann", 1, net=net, status=status)
                shop.drain()
        assert len(shop.command(do="list")["records"]) == 2
        shop.wait(pause)
        shop.command(do="sweep")
        assert shop.command(do="apply")["applied"] == 2
        shop.drain()
        shop.wait(HOUR // SECOND)
        shop.drain()
        return [orders_of(shop, Statuses, status=status) for status in statuses]


def _no_elevens(field: Number, found: Any) -> Decimal:
    if found["N"] == "11":
        raise ValueError("can't be read")
    return Decimal(found["N"])


RIGHT = [(0, True), (0, True), (0, True), (1, True)]


@pytest.mark.parametrize("days", [0, 3])
def test_what_is_applied_late_replaces_nothing_that_is_later(days: int) -> None:
    assert _applied_late(days * DAY / SECOND) == RIGHT


def test_a_mutant_of_that_is_caught_an_older_record_replaces_a_newer_one() -> None:
    with patch.object(absorbing, "newest", lambda effects, _: newest(effects, NOWHERE)):
        assert _applied_late(0) != RIGHT


def test_a_mutant_of_that_is_caught_what_is_applied_days_later_says_what_the_item_was() -> None:
    with patch.object(late, "as_by_now", lambda _, records: records):
        assert _applied_late(3 * DAY / SECOND) != RIGHT


def test_what_has_left_a_group_leaves_the_table_though_a_record_is_set_aside() -> None:
    shop = stored(Tags)
    with shop.delivered():
        fill_all(shop)
        with patch.object(Number, "decoded", _no_elevens):
            put(shop, "bob", 2, net=11, tags=["new"])
            shop.drain()
        put(shop, "ann", 1, net=12, tags=["gift"])
        shop.drain()
        entries = f"{Tags.declared.full_name}#new"
        assert len(shop.all(lambda item: entries in item["pk"]["S"] and item["sk"]["S"].startswith("ITEM#"))) == 2
        shop.wait(37 * HOUR // SECOND)
        shop.command(do="sweep")
        assert len(shop.all(lambda item: entries in item["pk"]["S"] and item["sk"]["S"].startswith("ITEM#"))) == 1
        assert shop.command(do="apply")["applied"] == 1
        shop.drain()
        assert (Tags.get(shop.table, tag="new").orders, Tags.get(shop.table, tag="gift").orders) == (2, 2)


def test_a_stream_that_is_made_anew_numbers_from_the_beginning() -> None:
    shop = stored(Customers)
    with shop.delivered():
        fill_all(shop)
        put(shop, "ann", 1, net=11)
        shop.drain()
        stream = shop.streams[NAME]
        later = stream.source.arn.replace("2026-11-01", "2026-11-29")
        stream.source, stream._sequence = replace(stream.source, arn=later), 1000
        for shard in stream.open_shards:
            stream.roll_over(shard)
        shop.reads = Reads(stream)
        put(shop, "ann", 1, net=50)
        shop.drain()
        row = Customers.get(shop.table, fresh=TOLD, customer="ann")
        assert told(row.orders, row.net, row.complete) == (2, 50 + 30, True)


def _move(shop: Shop) -> None:
    put(shop, "ann", 1, net=12, tags=["gift"])


def _remove(shop: Shop) -> None:
    shop.owner.delete_item(TableName=NAME, Key={"pk": {"S": "ann"}, "sk": {"S": "order-1"}})


def _raise(shop: Shop) -> None:
    """The count stays as it is."""
    put(shop, "ann", 1, net=12, tags=["new"])


class Tags(View, of=Order, fill=True):
    tag = group_by(each_of(Order.tags))
    orders, net = count(), sum_of(Order.net)


Told = dict[str, tuple[int, int]]
BESIDE: list[tuple[Callable[[Shop], None], Told]] = [
    (_move, {"new": (1, 30), "gift": (2, 42)}),
    (_remove, {"new": (1, 30), "gift": (1, 30)}),
    (_raise, {"new": (2, 42), "gift": (1, 30)}),
]


def _beside(change: Callable[[Shop], None], *, before: bool, forget: bool = False) -> Told:
    """What rows tell if a change comes by the stream before a fill reads its item, or before it puts what it has read.

    `forget`: what has left a group leaves nothing.
    """
    shop, real, changed = stored(Tags), scanning.page, list[None]()

    def happen() -> None:
        if not changed:
            changed.append(None)
            change(shop)
            shop.drain()
            for item in shop.all(lambda item: forget and LATEST in item.get(MAP, {}).get("M", {})):
                if "Cells" not in item[MAP]["M"]:
                    shop.engine.delete_item(TableName=NAME, Key={name: item[name] for name in ("pk", "sk")})

    def page(*arguments: Any, **more: Any) -> Any:
        if before:
            happen()
        found = real(*arguments, **more)
        happen()
        return found

    with shop.delivered():
        with patch.object(filling, "page", page):
            fill_all(shop)
        shop.drain()
        rows = {tag: Tags.get(shop.table, fresh=TOLD, tag=tag) for tag in ("new", "gift")}
    assert all(row.complete for row in rows.values())
    return {tag: (row.orders, int(row.net)) for tag, row in rows.items()}


@pytest.mark.parametrize(("change", "right"), BESIDE)
@pytest.mark.parametrize("before", [True, False])
def test_what_changes_beside_a_fill_counts_once(change: Callable[[Shop], None], right: Told, before: bool) -> None:
    assert _beside(change, before=before) == right


MUTANTS: dict[str, tuple[tuple[Any, str, Any], tuple[Callable[[Shop], None], Told], dict[str, bool]]] = {
    "an entry is put although there is one": (
        (filling, "Put", lambda item, _: Put(item)), BESIDE[0], {"before": False},
    ),
    "what has left a group leaves nothing": (
        (filling, "PAGE", 100), BESIDE[1], {"before": False, "forget": True},
    ),
    "a record tells only what it changes": (
        (changes, "_whole", lambda *what, stream, **more: changes._correction(*what, **more)), BESIDE[2],
        {"before": True},
    ),
    "items are read before records count": (
        (Filling, "_wait_for", lambda *_: True), BESIDE[0], {"before": False},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(name: str) -> None:
    mutation, (change, right), when = MUTANTS[name]
    with patch.object(*mutation):
        assert _beside(change, **when) != right
