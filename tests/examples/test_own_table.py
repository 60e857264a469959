"""Somebody's own table, whose stream is delivered with every fault: the rows are what a plain count says."""

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from inspect import getsource
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
from moto import mock_aws

from edgewise import OwnTable
from edgewise.dynamodb.attributes import Attribute
from edgewise.own import marking
from edgewise.views import Items, Number, Text, View, count, distinct, group_by, max_of, min_of, sum_of, top
from examples.own_table import shop as example
from examples.own_table.shop import SHOP, Best, Customers, Products
from tests.support.own_tables import NAME, TOLD, Shop

DAY = 24 * 3600
VIEWS = (Customers, Products, Best)


class OfCustomer(NamedTuple):
    """What the row of a customer says."""

    orders: int
    euros: Decimal
    least: Decimal | None
    greatest: Decimal | None
    complete: bool


class OfProduct(NamedTuple):
    """What the row of a product says."""

    orders: int
    euros: Decimal
    customers: int
    complete: bool


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


def of_customer(found: list[tuple[str, str, Decimal]], name: str) -> OfCustomer:
    amounts = [euros for customer, _, euros in found if customer == name]
    low, high = min(amounts, default=None), max(amounts, default=None)
    return OfCustomer(len(amounts), Decimal(sum(amounts)), low, high, complete=True)


def of_product(found: list[tuple[str, str, Decimal]], name: str) -> OfProduct:
    amounts = [euros for _, product, euros in found if product == name]
    customers = {customer for customer, product, _ in found if product == name}
    return OfProduct(len(amounts), Decimal(sum(amounts)), len(customers), complete=True)


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


def _backfilled(shop: Shop, random: Random) -> None:
    """A backfill in small steps, among the shop's own changes, until it is complete and its changes are delivered."""
    while True:
        busy(shop, random, random.randint(0, 8))
        if shop.command(steps=random.randint(1, 2), do="backfill", per_second=marking.MOST_A_SECOND)["complete"]:
            break
    busy(shop, random, 10)
    shop.drain()


def filled(run: str) -> list[Any]:
    """The example's views with a backfill, as their owner edits them."""
    names: dict[str, Any] = {"__name__": __name__}
    exec(getsource(example).replace("(View, of=Order)", f'(View, of=Order, backfill="{run}")'), names)
    return [names[view.__name__] for view in VIEWS]


def customer(shop: Shop, view: Any, name: str) -> OfCustomer:
    """A customer's row, with heartbeats, whatever instant they tell."""
    row = view.get(shop.table, fresh=TOLD, customer=name)
    return OfCustomer(row.orders, row.euros, row.least, row.greatest, row.complete)


def product(shop: Shop, view: Any, name: str) -> OfProduct:
    row = view.get(shop.table, fresh=TOLD, product=name)
    return OfProduct(row.orders, row.euros, row.customers, row.complete)


def agree(shop: Shop, customers: Any, products: Any, best: Any) -> None:
    found = orders(shop)
    for name in "abc":
        assert customer(shop, customers, name) == of_customer(found, name)
    for name in ("tea", "mug"):
        assert product(shop, products, name) == of_product(found, name)
    sums = Counter[str]()
    for _, name, euros in found:
        sums[name] += int(euros)
    first = best.ranking(shop.table, best.products, 10, fresh=TOLD)
    assert first.complete
    assert [(each.member, int(each.number)) for each in first.standings] == sums.most_common()


def _key(form: str, text: str) -> Attribute:
    number = text.translate(str.maketrans("abc", "123")).removeprefix("order-")
    values: dict[str, Attribute] = {"S": {"S": text}, "N": {"N": number}, "B": {"B": b"\xff" + text.encode()}}
    return values[form]


@pytest.mark.parametrize("forms", ["SN", "SB", "BS", "BB", "NS", "NN", "S", "N", "B"])
def test_keys_may_have_any_form(forms: str) -> None:
    """The same orders, whose keys are numbers or bytes, or which have one key alone."""
    own = OwnTable("customer", "what", forms) if len(forms) == 2 else OwnTable("what", forms=forms)

    class Sold(Items, table=own, where=Number("euros").exists()):
        who, product, euros = Text(), Text(), Number()

    class Buyers(View, of=Sold):
        who = group_by(Sold.who)
        orders, euros, least, greatest = count(), sum_of(Sold.euros), min_of(Sold.euros), max_of(Sold.euros)

    class Products(View, of=Sold):
        product = group_by(Sold.product)
        orders, euros, customers = count(), sum_of(Sold.euros), distinct(Sold.who)

    class Best(View, of=Sold):
        euros = sum_of(Sold.euros)
        products = top(Sold.product, by=euros)

    shop, random, there = Shop(own, 5), Random(5), dict[tuple[str, int], Any]()
    shop.deploy(Buyers, Products, Best)
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
                sold, euros = random.choice(["tea", "mug"]), random.randint(1, 99)
                there[who, number] = item = {"who": {"S": who}, "product": {"S": sold}, "euros": {"N": str(euros)}}
                shop.owner.put_item(TableName=NAME, Item={**key, **item})
            shop.step()
    found = [(each["who"]["S"], each["product"]["S"], Decimal(each["euros"]["N"])) for each in there.values()]
    # Where rows are kept apart there are no heartbeats, so nobody could tell what is on its way to these.
    for name in "abc":
        row = Buyers.get(shop.table, fresh=TOLD, who=name)
        assert (row.orders, row.euros, row.least, row.greatest, row.complete) == of_customer(found, name)
        assert Buyers.get(shop.table, who=name).complete is False
    for name in ("tea", "mug"):
        assert product(shop, Products, name) == of_product(found, name)
    sums = Counter[str]()
    for _, sold, amount in found:
        sums[sold] += int(amount)
    first = Best.ranking(shop.table, Best.products, 10)
    assert [(each.member, int(each.number)) for each in first.standings] == sums.most_common()


@pytest.mark.parametrize("forms", ["SN", "BB", "NN"])
def test_extremes_are_found_again_whatever_the_form_of_keys(forms: str) -> None:
    own = OwnTable("customer", "what", forms)

    class Sold(Items, table=own):
        customer, euros = Text(), Number()

    class Customers(View, of=Sold):
        customer = group_by(Sold.customer)
        orders, euros, least, greatest = count(), sum_of(Sold.euros), min_of(Sold.euros), max_of(Sold.euros)

    shop = Shop(own, 6)
    shop.deploy(Customers)
    whose = _key(forms[0], "a")
    with shop.delivered():
        for number, euros in enumerate([5, 9, 2, 7], 1):
            what = _key(forms[1], f"order-{number}")
            shop.owner.put_item(TableName=NAME, Item={"customer": whose, "what": what, "euros": {"N": str(euros)}})
        shop.drain()
        for number in (2, 3):
            shop.owner.delete_item(TableName=NAME, Key={"customer": whose, "what": _key(forms[1], f"order-{number}")})
    name = {"S": "a", "N": "1", "B": (b"\xff" + b"a").hex()}[forms[0]]
    assert customer(shop, Customers, name) == OfCustomer(2, Decimal(12), Decimal(5), Decimal(7), complete=True)


@pytest.mark.histories(2)
def test_rows_are_exact_however_the_stream_is_delivered(seed: int) -> None:
    shop = Shop(SHOP, seed)
    shop.deploy(*VIEWS)
    with shop.delivered():
        busy(shop, Random(seed), 200)
    agree(shop, *VIEWS)


@pytest.mark.histories(2)
def test_what_was_stored_before_is_counted_beside_live_changes(seed: int) -> None:
    """The shop also replaces whole items, and so drops marks."""
    shop, random = Shop(SHOP, seed), Random(seed)
    with patch.object(marking, "PAGE", 8), shop.delivered():
        with shop.before():
            busy(shop, random, 60)
        views = filled("first")
        shop.deploy(*views)
        _backfilled(shop, random)
        agree(shop, *views)
        busy(shop, random, 60)
        shop.drain()
        agree(shop, *views)
        shop.wait(DAY)
        shop.deploy(*VIEWS)
        busy(shop, random, 60)
    agree(shop, *VIEWS)
    shop.command(do="forget", backfill="first")
    assert not shop.all(lambda item: item["customer"]["S"].startswith("edgewise#BACKFILL"))


@pytest.mark.histories(2)
def test_views_that_are_declared_later_leave_the_others_right(seed: int) -> None:
    shop, random = Shop(SHOP, seed), Random(seed)
    with patch.object(marking, "PAGE", 8), shop.delivered():
        shop.deploy(Customers)
        busy(shop, random, 60)
        _, products, best = filled("later")
        shop.deploy(Customers, products, best)
        _backfilled(shop, random)
        agree(shop, Customers, products, best)
        shop.wait(DAY)
        shop.deploy(*VIEWS)
        busy(shop, random, 60)
    agree(shop, *VIEWS)
