"""What the owner calls keys, attributes and indexes is the owner's alone: nothing of the engine's meets it."""

from typing import Any

import pytest

from edgewise import OwnTable
from edgewise.aggregates import keys
from edgewise.dynamodb.attributes import Item
from edgewise.views.view import kept
from tests.own.conftest import Opening
from tests.own.orders import OWN, PAID, name, told, views
from tests.support.own_tables import NAME, Shop

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
    ("customer.id", "what.kind", "SS"),
]


def key(own: OwnTable, customer: str, number: int) -> Item:
    sort: Any = {"S": {"S": f"o{number}"}, "B": {"B": bytes([255, number])}}[own.forms[1]]
    return {own.partition: {"S": customer}, own.sort: sort}


def order(shop: Shop, number: int, euros: int, customer: str = "ann", **more: Any) -> None:
    item: Any = {"product": {"S": "tea"}, "euros": {"N": str(euros)}, **more}
    shop.owner.put_item(TableName=NAME, Item={**item, **key(shop.own, customer, number)})


def cancel(shop: Shop, number: int, customer: str = "ann") -> None:
    shop.owner.delete_item(TableName=NAME, Key=key(shop.own, customer, number))


def read(shop: Shop) -> list[tuple[int, int, bool]]:
    """Of each view: how many orders a row has, what they come to, and whether it is complete."""
    customers, products, buyers, best = views(shop.own)
    tea = {"product": "tea"}
    return [
        told(shop, customers, customer="ann"),
        told(shop, products, **tea),
        told(shop, buyers, **tea),
        told(shop, best),
    ]


def engines(shop: Shop) -> list[Item]:
    """The engine's items, as the table has them."""
    return shop.all(lambda item: item[shop.own.partition]["S"].startswith("edgewise#"))


def test_an_index_of_the_owner_has_the_owners_items_alone(opening: Opening) -> None:
    shop = opening(OWN, indexes={f"by-{each}": {each: form} for each, form in ATTRIBUTES.items()})
    shop.deploy(*views())
    with shop.delivered():
        for number in (1, 2, 3):
            order(shop, number, number, **OWNERS)
        shop.drain()
        cancel(shop, 3)
        shop.drain()
    assert read(shop) == [(2, 3, True)] * 4
    for attribute in ATTRIBUTES:
        found = shop.owner.scan(TableName=NAME, IndexName=f"by-{attribute}")["Items"]
        assert {item["customer"]["S"] for item in found} == {"ann"}, attribute
        assert len(found) == 2, attribute


@pytest.mark.parametrize("declaration", KEYS, ids="/".join)
def test_keys_may_be_called_as_the_engine_calls_something(opening: Opening, declaration: tuple[str, str, str]) -> None:
    """Every command is done: one order can't be read, and is applied after a fix; others are cancelled."""
    own = OwnTable(*declaration)
    shop, (customers, _, buyers, best) = opening(own), views(own)
    shop.deploy(*views(own, strict=True))
    with shop.delivered():
        order(shop, 1, 10, **PAID)
        order(shop, 2, 20)
        order(shop, 3, 40, "bob", **PAID)
        order(shop, 4, 80, **PAID)
        shop.drain()
        assert read(shop) == [(2, 90, False), *[(3, 130, False)] * 3]
        cancel(shop, 4)
        assert shop.command(do="apply")["left"] == 1
        shop.deploy(*views(own))
        assert shop.command(do="apply") == {"applied": 1, "malformed": [], "left": 0}
        shop.drain()
        assert read(shop) == [(2, 30, True), *[(3, 70, True)] * 3]
        ann = customers.get(shop.table, customer="ann")
        assert (int(ann.least), int(ann.greatest)) == (10, 20), "the greatest one was found anew"
        assert buyers.values(shop.table, buyers.buyers, product="tea").values == ["ann", "bob"]
        found = shop.command(do="recount", kind=name(customers), dimensions=["ann"], repair=True)
        assert (found["equal"], found["sources"]) == (True, 2)
        assert [each.member for each in best.ranking(shop.table, best.products, 3).standings] == ["tea"]
        cancel(shop, 3, "bob")
        shop.drain()
        shop.wait(4 * 24 * 3600)
        assert shop.command(do="sweep")["complete"]
        assert shop.table.get(keys.of(kept(customers.declared).main("bob"))) is None, "it counts nothing any more"
    names_of_engine = {*own.keys, "Edgewise", "EdgewiseVersion", "EdgewisePK", "EdgewiseSK", "EdgewiseListed"}
    assert {each for item in engines(shop) for each in item} <= names_of_engine


def test_the_owners_items_get_a_mark_and_no_other_attribute(opening: Opening) -> None:
    own = OwnTable("customer", "Type")
    shop = opening(own)
    with shop.delivered():
        with shop.before():
            order(shop, 1, 10, Version=OWNERS["Version"])
            order(shop, 2, 20, Version=OWNERS["Version"])
        before = shop.all(lambda _: True)
        shop.deploy(*views(own, backfill="first"))
        while not shop.command(do="backfill", per_second=5000)["complete"]:
            shop.wait(60)
        shop.drain()
        found = shop.all(lambda item: item["customer"] == {"S": "ann"})
        marks = {item.pop("EdgewiseCounted")["S"].partition("@")[0] for item in found}
        assert (found, marks) == (before, {"first"})
        assert [each[:2] for each in read(shop)] == [(2, 30)] * 4
        shop.wait(24 * 3600)
        shop.deploy(*views(own))
        assert shop.command(do="forget", backfill="first")["complete"]
        assert read(shop) == [(2, 30, True)] * 4


def test_each_item_of_the_engines_is_one_map_beside_keys_and_a_version(opening: Opening) -> None:
    shop = opening(OWN)
    shop.deploy(*views(strict=True))
    with shop.delivered():
        order(shop, 1, 10, **PAID)
        order(shop, 2, 20)
        shop.drain()
        cancel(shop, 1)
        shop.drain()
    kept = {"customer", "what", "Edgewise"}
    listed = kept | {"EdgewisePK", "EdgewiseSK", "EdgewiseListed"}
    found = engines(shop)
    versioned = {"EdgewiseVersion"}
    assert {frozenset(item) - versioned for item in found} == {frozenset(kept), frozenset(listed)}
    for item in found:
        inside: Any = item["Edgewise"]["M"]
        assert "Type" in inside
        assert "Version" not in inside
        if "EdgewiseListed" in item:
            copied = {each: value for each, value in inside.items() if each in ("Type", "Text", "Data")}
            assert item["EdgewiseListed"] == {"M": copied}
    in_index = shop.owner.scan(TableName=NAME, IndexName="edgewise-v1")["Items"]
    assert {frozenset(item) for item in in_index} == {frozenset(listed - {"Edgewise"})}
    assert len(in_index) == sum("EdgewisePK" in item for item in found) > 1
