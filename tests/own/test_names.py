"""What the owner calls keys, attributes and indexes is the owner's alone: nothing of the engine's meets it."""

from typing import Any

import pytest

from edgewise import Item, OwnTable, totals
from edgewise.aggregates import keys
from edgewise.own.totals import Totals
from tests.own.conftest import Opening
from tests.support.own_tables import NAME, TOLD, Shop

OWN = OwnTable("customer", "what")
# What the engine calls its attributes, and its keys, everywhere else.
ATTRIBUTES = {"Version": "S", "Type": "S", "Cells": "N", "Seqs": "S", "GSI1PK": "S"}
OWNERS: dict[str, Any] = {
    "Version": {"S": "v1"},
    "Type": {"S": "ORDER"},
    "Cells": {"N": "5"},
    "Seqs": {"S": "none"},
    "GSI1PK": {"S": "mine"},
    "Lacks": {"S": "nothing"},
}
KEYS = [
    ("customer", "Cells", "SS"),
    ("customer", "Version", "SS"),
    ("customer", "Type", "SB"),
    ("Type", "what", "SS"),
    ("Version", "Item", "SB"),
    ("SK", "PK", "SS"),
    ("GSI1SK", "GSI1PK", "SB"),
]


def is_paid(item: Item) -> bool:
    return item["state"] == {"S": "paid"}


def is_paid_now(item: Item) -> bool:
    return item.get("state", {"S": "paid"}) == {"S": "paid"}


def declared(own: OwnTable, where: Any = is_paid_now, backfill: str = "") -> tuple[Totals, Totals, Totals]:
    """Written directly, with extremes; by edges; and by carriers, with a ranking and its roster."""
    orders = own.items("order", where)
    return (
        totals(orders, "KEY", by=own.partition, of="euros", extremes=True, backfill=backfill),
        totals(orders, "BUYERS", by="product", distinct=own.partition, backfill=backfill),
        totals(orders, "PRODUCT", by="product", of="euros", top=10, backfill=backfill),
    )


def key(own: OwnTable, customer: str, number: int) -> Item:
    sort: Any = {"S": {"S": f"o{number}"}, "B": {"B": bytes([255, number])}}[own.forms[1]]
    return {own.partition: {"S": customer}, own.sort: sort}


def order(shop: Shop, number: int, euros: int, customer: str = "ann", **more: Any) -> None:
    item: Any = {"product": {"S": "tea"}, "euros": {"N": str(euros)}, **more}
    shop.owner.put_item(TableName=NAME, Item={**item, **key(shop.own, customer, number)})


def cancel(shop: Shop, number: int, customer: str = "ann") -> None:
    shop.owner.delete_item(TableName=NAME, Key=key(shop.own, customer, number))


def told(shop: Shop) -> list[tuple[int, int, bool]]:
    """Count, sum, and whether it is complete: of ann, and twice of tea, of which edges count customers alone."""
    by_key, buyers, product = declared(shop.own)
    read = by_key.read(shop.table, "ann"), buyers.read(shop.table, "tea", TOLD), product.read(shop.table, "tea", TOLD)
    return [(each.count, each.distinct or int(each.sum), each.complete) for each in read]


def engines(shop: Shop) -> list[Item]:
    """The engine's items, as the table has them."""
    return shop.all(lambda item: item[shop.own.partition]["S"].startswith("edgewise#"))


def test_an_index_of_the_owner_has_the_owners_items_alone(opening: Opening) -> None:
    shop = opening(OWN, indexes={f"by-{name}": {name: form} for name, form in ATTRIBUTES.items()})
    shop.deploy(*declared(OWN))
    with shop.delivered():
        for number in (1, 2, 3):
            order(shop, number, number, **OWNERS)
        shop.drain()
        cancel(shop, 3)
        shop.drain()
    assert told(shop) == [(2, 3, True), (2, 1, True), (2, 3, True)]
    for name in ATTRIBUTES:
        found = shop.owner.scan(TableName=NAME, IndexName=f"by-{name}")["Items"]
        assert {item["customer"]["S"] for item in found} == {"ann"}, name
        assert len(found) == 2, name


@pytest.mark.parametrize("declaration", KEYS, ids="/".join)
def test_keys_may_be_called_as_the_engine_calls_something(opening: Opening, declaration: tuple[str, str, str]) -> None:
    """Every command is done: one order can't be read, and is applied after a fix; others are cancelled."""
    own = OwnTable(*declaration)
    shop = opening(own)
    shop.deploy(*declared(own, is_paid))
    paid: Any = {"state": {"S": "paid"}}
    with shop.delivered():
        order(shop, 1, 10, **paid)
        order(shop, 2, 20)
        order(shop, 3, 40, "bob", **paid)
        order(shop, 4, 80, **paid)
        shop.drain()
        assert told(shop) == [(2, 90, False), (3, 2, False), (3, 130, False)]
        cancel(shop, 4)
        assert shop.command(do="apply")["left"] == 1
        shop.deploy(*declared(own))
        assert shop.command(do="apply") == {"applied": 1, "malformed": [], "left": 0}
        shop.drain()
        assert told(shop) == [(2, 30, True), (3, 2, True), (3, 70, True)]
        low, high = (int(each) for each in extremes(shop))
        assert (low, high) == (10, 20), "the greatest one was found anew"
        found = shop.command(do="recount", kind="KEY", dimensions=["ann"], repair=True)
        assert (found["equal"], found["sources"]) == (True, 2)
        assert [each.member for each in declared(own)[2].first(shop.table, 3).standings] == ["tea"]
        cancel(shop, 3, "bob")
        shop.drain()
        shop.wait(4 * 24 * 3600)
        assert shop.command(do="sweep")["complete"]
        assert shop.table.get(keys.of(declared(own)[0].kinds[0]("bob"))) is None, "it counts nothing any more"
    names_of_engine = {*own.keys, "Edgewise", "EdgewisePK", "EdgewiseSK", "EdgewiseListed"}
    assert {name for item in engines(shop) for name in item} <= names_of_engine


def extremes(shop: Shop) -> tuple[Any, Any]:
    found = declared(shop.own)[0].read(shop.table, "ann")
    return found.minimum, found.maximum


def test_the_owners_items_get_a_mark_and_no_other_attribute(opening: Opening) -> None:
    own = OwnTable("customer", "Type")
    shop = opening(own)
    with shop.delivered():
        with shop.before():
            order(shop, 1, 10, Version=OWNERS["Version"])
            order(shop, 2, 20, Version=OWNERS["Version"])
        before = shop.all(lambda _: True)
        shop.deploy(*declared(own, backfill="first"))
        while not shop.command(do="backfill", per_second=5000)["complete"]:
            shop.wait(60)
        shop.drain()
        found = shop.all(lambda item: item["customer"] == {"S": "ann"})
        marks = {item.pop("EdgewiseCounted")["S"].partition("@")[0] for item in found}
        assert (found, marks) == (before, {"first"})
        assert [each[:2] for each in told(shop)] == [(2, 30), (2, 1), (2, 30)]
        shop.wait(24 * 3600)
        shop.deploy(*declared(own))
        assert shop.command(do="forget", backfill="first")["complete"]
        assert told(shop) == [(2, 30, True), (2, 1, True), (2, 30, True)]


def test_each_item_of_the_engines_is_one_map_beside_keys(opening: Opening) -> None:
    shop = opening(OWN)
    shop.deploy(*declared(OWN, is_paid))
    with shop.delivered():
        order(shop, 1, 10, state={"S": "paid"})
        order(shop, 2, 20)
        shop.drain()
        cancel(shop, 1)
        shop.drain()
    kept = {"customer", "what", "Edgewise"}
    listed = kept | {"EdgewisePK", "EdgewiseSK", "EdgewiseListed"}
    found = engines(shop)
    assert {frozenset(item) for item in found} == {frozenset(kept), frozenset(listed)}
    for item in found:
        inside: Any = item["Edgewise"]["M"]
        assert "Type" in inside
        if "EdgewiseListed" in item:
            copied = {name: value for name, value in inside.items() if name in ("Type", "Text", "Data")}
            assert item["EdgewiseListed"] == {"M": copied}
    in_index = shop.owner.scan(TableName=NAME, IndexName="edgewise-v1")["Items"]
    assert {frozenset(item) for item in in_index} == {frozenset(listed - {"Edgewise"})}
    assert len(in_index) == sum("EdgewisePK" in item for item in found) > 1
