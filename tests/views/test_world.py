"""What others test their views with: a table in memory under faults, and a plain count."""

import os
from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from delivery import NONE
from edgewise import OwnTable, clock, surroundings
from edgewise.aggregates.catalog import DeclarationError
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.dynamodb import client as dynamodb_client
from edgewise.dynamodb.table import CONFIG
from edgewise.testing import World, WrongError
from edgewise.views import Items, Number, Text, View, count, group_by, sum_of
from tests.views.shop import Customers, Products, Sales, Shoppers, Tagged

VIEWS = (Customers, Sales, Products, Tagged, Shoppers)


def order(random: Random) -> dict[str, Any]:
    return {
        **{"pk": random.choice(["ann", "bob"]), "sk": f"order-{random.randint(1, 6)}"},
        **{"status": random.choice(["open", "paid"]), "product": random.choice(["tea", "mug"])},
        **{"price": {"net": Decimal(random.randint(1, 99))}, "tags": {random.choice("ab"), "c"}},
        "createdAt": f"2026-1{random.randint(0, 2)}-01T12:00:00Z",
    }


def live(world: World, changes: int) -> None:
    random = Random(world.seed)
    for _ in range(changes):
        change = random.choice([world.put, world.put, world.put, world.delete, world.expire])
        change(order(random))


@pytest.mark.parametrize("seed", range(2))
def test_views_are_what_a_plain_count_says_under_faults(seed: int) -> None:
    with World(*VIEWS, seed=seed) as world:
        live(world, 40)
        world.check()
        found = "\n".join(world.log)
    assert "killed" in found
    assert "the same batch again" in found


def test_a_seed_is_the_same_history_each_time() -> None:
    def log(seed: int) -> list[str]:
        with World(Customers, Sales, seed=seed) as world:
            live(world, 15)
            world.deliver()
            return world.log

    assert log(3) == log(3)
    assert log(3) != log(4)


def come_and_go(*, stays: bool) -> None:
    """An order comes and goes, while a record counts as often as it comes."""
    with patch.object(Checkpoint, "covers", lambda *_: False), World(Customers, seed=5) as world:
        for _ in range(20):
            world.put({"pk": "ann", "sk": "order-1", "price": {"net": 12}})
            world.delete({"pk": "ann", "sk": "order-1"})
        if stays:
            world.put({"pk": "ann", "sk": "order-1", "price": {"net": 12}})
        world.check()


def wrong(orders: int) -> str:
    return rf"Customers\(customer='ann'\).orders is -?\d+, and a plain count says {orders}"


def test_what_is_wrong_is_told_with_the_row_and_the_seed() -> None:
    with pytest.raises(WrongError, match=wrong(1)) as raised:
        come_and_go(stays=True)
    assert "World(seed=5), the last of " in raised.value.__notes__[0]


def test_a_row_that_nothing_should_have_is_wrong_too() -> None:
    with pytest.raises(WrongError, match=wrong(0)):
        come_and_go(stays=False)


def test_what_can_not_be_read_is_told_and_operators_put_it_right() -> None:
    with World(Customers, seed=1, faults=NONE) as world:
        world.put({"pk": "ann", "sk": "order-1", "price": {"net": "twelve"}})
        with pytest.raises(WrongError, match=r"a record is set aside: .*price.net must be a number"):
            world.check()
        assert Customers.get(world.table, customer="ann").complete is False
        world.put({"pk": "ann", "sk": "order-1", "price": {"net": "12"}})
        world.deliver()
        for each in world.command("list")["records"]:
            world.command("discard", shard=each["shard"], sequence=each["sequence"])
        world.wait(3600)
        repaired = world.command("recount", kind=Customers.declared.full_name, dimensions=["ann"], repair=True)
        assert repaired["sources"] == 1
        world.check()


class Order(Items, table=OwnTable("pk", "sk"), starts="order-"):
    customer, net = Text("pk"), Number("price.net")


def spent(**more: Any) -> type[View]:
    class Spent(View, of=Order, **more):
        customer = group_by(Order.customer)
        orders, net = count(), sum_of(Order.net)

    return Spent


def test_the_next_release_fills_what_was_there_before() -> None:
    filled = spent(backfill="first")
    with World(Customers, seed=2) as world:
        with world.before():
            world.put({"pk": "ann", "sk": "order-1", "price": {"net": 10}})
        with pytest.raises(WrongError, match=r"Customers\(customer='ann'\).orders is 0, and a plain count says 1"):
            world.check()
        world.deploy(filled)
        world.put({"pk": "ann", "sk": "order-2", "price": {"net": 5}})
        while not world.command("backfill").get("complete"):
            world.deliver()
        world.check()
        row: Any = filled.get(world.table, customer="ann")
        assert (row.orders, row.net) == (2, 15)


def test_time_passes_as_somebody_lets_it_and_heartbeats_tell_until_when_all_is_there() -> None:
    with World(Sales, seed=1) as world:
        began = world.now
        world.wait(3600)
        assert timedelta(hours=1) <= world.now - began < timedelta(hours=2)
        world.put(order(Random(1)))
        fresh = world.beat()
        (row,) = (
            Sales.groups(world.table, fresh=fresh, product="tea").rows
            or Sales.groups(world.table, fresh=fresh, product="mug").rows
        )
        assert row.as_of is not None
        assert row.as_of > began + timedelta(hours=1)


def test_what_the_stream_has_forgotten_is_told() -> None:
    with World(Customers, seed=1, faults=NONE) as world:
        world.put({"pk": "ann", "sk": "order-1"})
        world.wait(25 * 3600)
        world.put({"pk": "bob", "sk": "order-1"})
        with pytest.raises(WrongError, match="the stream has forgotten them: deliver before you wait"):
            world.check()


def test_a_table_whose_keys_leave_no_room_has_a_world_too() -> None:
    class Invoice(Items, table=OwnTable("id")):
        buyer, net = Text(), Number()

    class Buyers(View, of=Invoice):
        buyer = group_by(Invoice.buyer)
        invoices, net = count(), sum_of(Invoice.net)

    with World(Buyers, seed=1) as world:
        for number in range(12):
            world.put({"id": f"{number}", "buyer": "x" if number % 2 else "y", "net": number})
        world.check()
        assert Buyers.get(world.table, buyer="x").net == 36


def test_it_runs_on_dynamodb_local_and_leaves_nothing_there(dynamodb_local: str) -> None:
    with World(Customers, Sales, seed=3, endpoint=dynamodb_local) as world:
        live(world, 10)
        world.check()
        name = world.table.name
    left = dynamodb_client.client(CONFIG, dynamodb_local).list_tables()["TableNames"]
    assert name not in left


def test_what_the_process_had_before_it_has_afterwards() -> None:
    before = dict(os.environ), clock.now, clock.sleep, surroundings.threads
    with suppress(ZeroDivisionError), World(Customers) as world:
        assert clock.now() == int(world.now.timestamp() * 1000)
        _ = 1 / 0
    assert (dict(os.environ), clock.now, clock.sleep, surroundings.threads) == before


def test_what_is_asked_for_wrongly_is_refused() -> None:
    with pytest.raises(DeclarationError, match="World needs the views that it is to keep"):
        World()
    with pytest.raises(RuntimeError, match=r"a world is there within a block: with World\(...\) as world"):
        _ = World(Customers).table
    with World(Customers) as world, pytest.raises(TypeError, match="Float types are not supported"):
        world.put({"pk": "ann", "sk": "order-1", "price": {"net": 12.5}})
