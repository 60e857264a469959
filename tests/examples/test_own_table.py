"""Somebody's own table, whose stream is delivered with every fault: the totals are what a plain count says."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from moto import mock_aws

from edgewise import OwnTable, totals
from edgewise.dynamodb.attributes import Attribute
from edgewise.own import marking
from edgewise.own.totals import Total, Totals
from examples.own_table.totals import CUSTOMERS, ORDERS, PRODUCTS, SHOP
from tests.support.own_tables import NAME, TOLD, Shop

DAY = 24 * 3600


@pytest.fixture(autouse=True)
def aws(aws_env: pytest.MonkeyPatch) -> Iterator[None]:
    with mock_aws():
        yield


def order(shop: Shop, customer: str, number: int, product: str, euros: int) -> None:
    keys = {"customer": {"S": customer}, "what": {"S": f"order-{number}"}}
    item = {**keys, "product": {"S": product}, "euros": {"N": str(euros)}, "Type": {"S": "mine"}}
    shop.owner.put_item(TableName=NAME, Item=item)


def change(shop: Shop, customer: str, number: int, product: str, euros: int) -> None:
    """Only these attributes, so that others stay; or a new order."""
    shop.owner.update_item(
        TableName=NAME,
        Key={"customer": {"S": customer}, "what": {"S": f"order-{number}"}},
        UpdateExpression="SET product = :product, euros = :euros",
        ExpressionAttributeValues={":product": {"S": product}, ":euros": {"N": str(euros)}},
    )


def cancel(shop: Shop, customer: str, number: int, *, expires: bool) -> None:
    key: Any = {"customer": {"S": customer}, "what": {"S": f"order-{number}"}}
    shop.expire(key) if expires else shop.owner.delete_item(TableName=NAME, Key=key)


def orders(shop: Shop) -> list[tuple[str, str, Decimal]]:
    """What the shop has, counted without any engine: customer, product and amount of each order."""
    found = shop.all(lambda item: not item["customer"]["S"].startswith("edgewise#"))
    return [(each["customer"]["S"], each["product"]["S"], Decimal(each["euros"]["N"])) for each in found]


def of_customer(found: list[tuple[str, str, Decimal]], name: str) -> Total:
    amounts = [euros for customer, _, euros in found if customer == name]
    low, high = min(amounts, default=None), max(amounts, default=None)
    return Total(len(amounts), Decimal(sum(amounts)), len(amounts), low, high, 0, complete=True)


def of_product(found: list[tuple[str, str, Decimal]], name: str) -> Total:
    amounts = [euros for _, product, euros in found if product == name]
    customers = {customer for customer, product, _ in found if product == name}
    return Total(len(amounts), Decimal(sum(amounts)), len(amounts), None, None, len(customers), complete=True)


def busy(shop: Shop, random: Random, changes: int) -> None:
    for _ in range(changes):
        customer, number = random.choice("abc"), random.randint(1, 12)
        if random.random() < 0.2:
            cancel(shop, customer, number, expires=random.random() < 0.5)
        elif random.random() < 0.5:
            order(shop, customer, number, random.choice(["tea", "mug"]), random.randint(1, 99))
        else:
            change(shop, customer, number, random.choice(["tea", "mug"]), random.randint(1, 99))
        for _ in range(random.randint(0, 3)):
            shop.step()


def _products(backfill: str) -> Totals:
    return totals(ORDERS, "PRODUCT", by="product", of="euros", distinct="customer", top=10, backfill=backfill)


def _backfilled(shop: Shop, random: Random) -> None:
    """A backfill in small steps, among the shop's own changes, until it is complete and its changes are delivered."""
    while True:
        busy(shop, random, random.randint(0, 8))
        if shop.command(steps=random.randint(1, 2), do="backfill", per_second=marking.MOST_A_SECOND)["complete"]:
            break
    busy(shop, random, 10)
    shop.drain()


def told(declared: Totals, found: Total) -> Total:
    """While a backfill is declared, nobody calls its totals complete."""
    return replace(found, complete=not declared.backfill)


def read(shop: Shop, declared: Totals, name: str) -> Total:
    """A total, with heartbeats, whatever instant they tell."""
    return replace(declared.read(shop.table, name, TOLD), as_of=None)


def agree(shop: Shop, customers: Totals, products: Totals) -> None:
    found = orders(shop)
    for name in "abc":
        assert customers.read(shop.table, name) == told(customers, of_customer(found, name))
    for name in ("tea", "mug"):
        assert read(shop, products, name) == told(products, of_product(found, name))
    sums = Counter[str]()
    for _, product, euros in found:
        sums[product] += int(euros)
    best = products.first(shop.table, 10, TOLD)
    assert best.complete is not bool(products.backfill)
    assert [(each.member, int(each.number)) for each in best.standings] == sums.most_common()


def _key(form: str, text: str) -> Attribute:
    number = text.translate(str.maketrans("abc", "123")).removeprefix("order-")
    values: dict[str, Attribute] = {"S": {"S": text}, "N": {"N": number}, "B": {"B": b"\xff" + text.encode()}}
    return values[form]


@pytest.mark.parametrize("forms", ["SN", "SB", "BS", "BB", "NS", "NN", "S", "N", "B"])
def test_keys_may_have_any_form(forms: str) -> None:
    """The same orders, whose keys are numbers or bytes, or which have one key alone."""
    own = OwnTable("customer", "what", forms) if len(forms) == 2 else OwnTable("what", forms=forms)
    items = own.items("order", lambda item: "euros" in item)
    customers = totals(items, "CUSTOMER", by="who", of="euros", extremes=False)
    products = totals(items, "PRODUCT", by="product", of="euros", distinct="who", top=10)
    shop, random, there = Shop(own, 5), Random(5), dict[tuple[str, int], Any]()
    shop.deploy(customers, products)
    with shop.delivered():
        for _ in range(70):
            who, number = random.choice("abc"), random.randint(1, 9)
            whole = {"customer": _key(forms[0], who), "what": _key(forms[-1], f"order-{number}")}
            whole["what"] = whole["what"] if own.sort else _key(forms[0], f"{who}{number}")
            key = {name: whole[name] for name in shop.keys}
            if random.random() < 0.2:
                there.pop((who, number), None)
                shop.owner.delete_item(TableName=NAME, Key=key)
            else:
                product, euros = random.choice(["tea", "mug"]), random.randint(1, 99)
                there[who, number] = item = {"who": {"S": who}, "product": {"S": product}, "euros": {"N": str(euros)}}
                shop.owner.put_item(TableName=NAME, Item={**key, **item})
            shop.step()
    found = [(each["who"]["S"], each["product"]["S"], Decimal(each["euros"]["N"])) for each in there.values()]
    for name in "abc":
        expected = of_customer(found, name)
        assert customers.read(shop.table, name) == replace(expected, minimum=None, maximum=None)
    for name in ("tea", "mug"):
        # Where totals are kept apart there are no heartbeats, so nobody can tell what is on its way to these.
        assert products.read(shop.table, name) == replace(of_product(found, name), complete=False)


@pytest.mark.parametrize("forms", ["SN", "BB", "NN"])
def test_extremes_are_found_again_whatever_the_form_of_keys(forms: str) -> None:
    own = OwnTable("customer", "what", forms)
    customers = totals(own.items("order"), "CUSTOMER", by=own.partition, of="euros", extremes=True)
    shop = Shop(own, 6)
    shop.deploy(customers)
    customer = _key(forms[0], "a")
    with shop.delivered():
        for number, euros in enumerate([5, 9, 2, 7], 1):
            what = _key(forms[1], f"order-{number}")
            shop.owner.put_item(TableName=NAME, Item={"customer": customer, "what": what, "euros": {"N": str(euros)}})
        shop.drain()
        for number in (2, 3):
            shop.owner.delete_item(
                TableName=NAME, Key={"customer": customer, "what": _key(forms[1], f"order-{number}")}
            )
    name = {"S": "a", "N": "1", "B": (b"\xff" + b"a").hex()}[forms[0]]
    assert customers.read(shop.table, name) == Total(2, Decimal(12), 2, Decimal(5), Decimal(7), 0, complete=True)


@pytest.mark.histories(2)
def test_totals_are_exact_however_the_stream_is_delivered(seed: int) -> None:
    shop = Shop(SHOP, seed)
    shop.deploy(CUSTOMERS, PRODUCTS)
    with shop.delivered():
        busy(shop, Random(seed), 200)
    agree(shop, CUSTOMERS, PRODUCTS)


@pytest.mark.histories(2)
def test_what_was_stored_before_is_counted_beside_live_changes(seed: int) -> None:
    """The shop also replaces whole items, and so drops marks."""
    shop, random = Shop(SHOP, seed), Random(seed)
    with patch.object(marking, "PAGE", 8), shop.delivered():
        with shop.before():
            busy(shop, random, 60)
        customers = totals(ORDERS, "CUSTOMER", by="customer", of="euros", extremes=True, backfill="first")
        products = _products("first")
        shop.deploy(customers, products)
        _backfilled(shop, random)
        agree(shop, customers, products)
        busy(shop, random, 60)
        shop.drain()
        agree(shop, customers, products)
        shop.wait(DAY)
        shop.deploy(CUSTOMERS, PRODUCTS)
        busy(shop, random, 60)
    agree(shop, CUSTOMERS, PRODUCTS)
    shop.command(do="forget", backfill="first")
    assert not shop.all(lambda item: item["customer"]["S"].startswith("edgewise#BACKFILL"))


@pytest.mark.histories(2)
def test_totals_that_are_declared_later_leave_the_others_right(seed: int) -> None:
    shop, random = Shop(SHOP, seed), Random(seed)
    with patch.object(marking, "PAGE", 8), shop.delivered():
        shop.deploy(CUSTOMERS)
        busy(shop, random, 60)
        products = _products("later")
        shop.deploy(CUSTOMERS, products)
        _backfilled(shop, random)
        agree(shop, CUSTOMERS, products)
        shop.wait(DAY)
        shop.deploy(CUSTOMERS, PRODUCTS)
        busy(shop, random, 60)
    agree(shop, CUSTOMERS, PRODUCTS)
