"""Sets of a table's items may overlap: an item feeds each one that it is in, and is read for each by itself."""

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from moto import mock_aws

from delivery import NONE, make_record
from edgewise import BeginsWith, Item, OwnTable, totals
from edgewise.aggregates.catalog import Catalog, DeclarationError
from edgewise.aggregates.feeds import Feed, Source
from edgewise.aggregates.key_template import KeyTemplate
from edgewise.aggregates.kinds import Kind
from edgewise.own.totals import Totals
from tests.support.http import Context
from tests.support.own_tables import NAME, TOLD, Shop

OWN = OwnTable("customer", "what")
CUSTOMERS, PRODUCTS = ("ann", "bob"), ("tea", "mug")


def is_open(item: Item) -> bool:
    """As the shop wrote it first: then came orders without a state."""
    return item["what"]["S"].startswith("order-") and item["status"] == {"S": "open"}


def is_open_now(item: Item) -> bool:
    return item["what"]["S"].startswith("order-") and item.get("status") == {"S": "open"}


ALL = OWN.items("all", BeginsWith("order-"))
OPEN, OPEN_NOW = OWN.items("open", is_open), OWN.items("open", is_open_now)
EVERY = totals(ALL, "EVERY", by="customer", of="euros", extremes=True)


def of_open(items: Any) -> tuple[Totals, ...]:
    """The totals of what is open, in each form: written directly, by carriers, and by edges."""
    return (
        totals(items, "OPEN", by="customer", of="euros", extremes=True),
        totals(items, "OPEN_PRODUCT", by="product", of="euros", top=10),
        totals(items, "OPEN_BUYERS", by="product", of="euros", distinct="customer"),
    )


OF_ALL = (
    EVERY,
    totals(ALL, "PRODUCT", by="product", of="euros", top=10),
    totals(ALL, "BUYERS", by="product", of="euros", distinct="customer"),
)


@pytest.fixture(autouse=True)
def aws(aws_env: pytest.MonkeyPatch) -> Iterator[None]:
    with mock_aws():
        yield


def order(shop: Shop, number: int, euros: int, status: str | None, customer: str = "ann", product: str = "tea") -> None:
    item: Any = {"customer": {"S": customer}, "what": {"S": f"order-{number}"}, "euros": {"N": str(euros)}}
    item |= {"product": {"S": product}} | ({"status": {"S": status}} if status else {})
    shop.owner.put_item(TableName=NAME, Item=item)


def told(shop: Shop, declared: Totals, value: str = "ann") -> tuple[int, int, bool]:
    found = declared.read(shop.table, value, TOLD)
    return found.count, int(found.sum), found.complete


@pytest.mark.parametrize("turned", [False, True])
def test_the_order_of_declarations_is_without_effect(turned: bool) -> None:
    shop, (opened, *_) = Shop(OWN, 1, NONE), of_open(OPEN)
    shop.deploy(*((opened, EVERY) if turned else (EVERY, opened)))
    with shop.delivered():
        for number in range(1, 7):
            order(shop, number, number, "open" if number <= 3 else "paid")
        shop.drain()
        assert (told(shop, EVERY), told(shop, opened)) == ((6, 21, True), (3, 6, True))
        order(shop, 3, 3, "paid")
        order(shop, 6, 10, "open")
        shop.drain()
        assert (told(shop, EVERY), told(shop, opened)) == ((6, 25, True), (3, 13, True))
        shop.owner.delete_item(TableName=NAME, Key={"customer": {"S": "ann"}, "what": {"S": "order-1"}})
        shop.drain()
        assert (told(shop, EVERY), told(shop, opened)) == ((5, 24, True), (2, 12, True))
        for kind, sources in (("EVERY", 5), ("OPEN", 5)):
            found = shop.command(do="recount", kind=kind, dimensions=["ann"])
            assert (found["equal"], found["sources"], found["should"]) == (True, sources, {})


def test_a_recount_asks_whether_an_item_is_in_its_own_set() -> None:
    shop, (opened, *_) = Shop(OWN, 1, NONE), of_open(OPEN)
    shop.deploy(EVERY)
    with shop.delivered():
        order(shop, 1, 10, "open")
        order(shop, 2, 20, "paid")
        shop.drain()
        shop.deploy(EVERY, opened)
        found = shop.command(do="recount", kind="OPEN", dimensions=["ann"])
    assert (found["equal"], found["should"]) == (False, {"Sum": "1 10 10 10"}), "it was declared too late"


def test_what_can_not_be_read_as_one_of_a_set_counts_in_the_others() -> None:
    shop = Shop(OWN, 2, NONE)
    shop.deploy(*OF_ALL, *of_open(OPEN))
    with shop.delivered():
        order(shop, 1, 10, "open")
        order(shop, 2, 20, None)
        order(shop, 3, 40, "open")
        shop.drain()
        (aside,) = shop.command(do="list")["records"]
        assert aside["error"] == "open: KeyError: 'status'"
        values = ("ann", "tea", "tea")
        for declared, value in zip(OF_ALL, values, strict=True):
            assert told(shop, declared, value) == (3, 70, True)
        for declared, value in zip(of_open(OPEN), values, strict=True):
            assert told(shop, declared, value)[:2] == (2, 50)
        now = of_open(OPEN_NOW)
        shop.deploy(*OF_ALL, *now)
        assert shop.command(do="apply") == {"applied": 1, "malformed": [], "left": 0}
        order(shop, 2, 20, "open")
        shop.drain()
        for declared, value in zip((*OF_ALL, *now), (*values, *values), strict=True):
            assert told(shop, declared, value) == (3, 70, True)


def _busy(shop: Shop, random: Random, changes: int, states: Sequence[str | None]) -> None:
    for _ in range(changes):
        customer, number = random.choice(CUSTOMERS), random.randint(1, 8)
        if random.random() < 0.2:
            key: Any = {"customer": {"S": customer}, "what": {"S": f"order-{number}"}}
            shop.owner.delete_item(TableName=NAME, Key=key)
        else:
            order(shop, number, random.randint(1, 99), random.choice(states), customer, random.choice(PRODUCTS))
        for _ in range(random.randint(0, 3)):
            shop.step()


def _counted(found: list[Any], attribute: str, value: str) -> tuple[int, Decimal, list[Decimal], int]:
    mine = [each for each in found if each[attribute]["S"] == value]
    amounts = [Decimal(each["euros"]["N"]) for each in mine]
    return len(mine), Decimal(sum(amounts)), amounts, len({each["customer"]["S"] for each in mine})


def _agree(shop: Shop, declared: Sequence[Totals], mine: Callable[[Any], bool]) -> None:
    """The totals are what a plain count of the shop's items says."""
    found = shop.all(lambda item: not item["customer"]["S"].startswith("edgewise#") and mine(item))
    by_customer, by_product, buyers = declared
    for name in CUSTOMERS:
        count, total, amounts, _ = _counted(found, "customer", name)
        read = by_customer.read(shop.table, name)
        assert (read.count, read.sum, read.complete) == (count, total, True)
        assert (read.minimum, read.maximum) == (min(amounts, default=None), max(amounts, default=None))
    for name in PRODUCTS:
        count, total, _, different = _counted(found, "product", name)
        for each in (by_product, buyers):
            read = each.read(shop.table, name, TOLD)
            assert (read.count, read.sum, read.complete) == (count, total, True)
        assert buyers.read(shop.table, name).distinct == different


@pytest.mark.parametrize("seed", range(2))
def test_sets_that_overlap_are_exact_however_the_stream_is_delivered(seed: int) -> None:
    """Orders without a state are set aside for the set that asks for it, until a release can read them."""
    shop, random = Shop(OWN, seed), Random(seed)
    declared = [*OF_ALL, *of_open(OPEN)]
    random.shuffle(declared)
    shop.deploy(*declared)
    with shop.delivered():
        _busy(shop, random, 50, ["open", "paid"])
        _busy(shop, random, 25, ["open", "paid", None])
        shop.drain()
        _agree(shop, OF_ALL, lambda _: True)
        assert shop.command(do="list")["count"] > 0
        shop.deploy(*OF_ALL, *of_open(OPEN_NOW))
        _busy(shop, random, 25, ["open", "paid", None])
        assert shop.command(do="apply")["malformed"] == []
        _busy(shop, random, 20, ["open", "paid"])
        shop.drain()
        assert shop.command(do="list")["count"] == 0
    _agree(shop, OF_ALL, lambda _: True)
    _agree(shop, of_open(OPEN_NOW), is_open_now)


def test_what_comes_again_after_its_checkpoints_have_gone_and_is_read_in_part_counts_once() -> None:
    """Nothing tells any more who has counted it. Once it is applied, all say so whom it concerns."""
    shop, now = Shop(OWN, 2, NONE), (EVERY, *of_open(OPEN_NOW))
    shop.deploy(*now)

    def deliver(shard: str, number: int, at: float) -> None:
        item: Any = {"customer": {"S": "ann"}, "what": {"S": f"order-{number}"}, "euros": {"N": "10"}}
        record = make_record(shop.streams[NAME].source, None, item, 100 + number, at)
        shop.handler({"Records": [record.form], "shardId": shard}, Context())

    with shop.delivered():
        began = shop.streams[NAME].clock.now
        deliver("a", 1, began)
        shop.wait(37 * 3600)
        deliver("b", 2, shop.streams[NAME].clock.now)
        assert told(shop, EVERY) == (2, 20, True)
        shop.deploy(EVERY, *of_open(OPEN))
        deliver("a", 1, began)
        assert told(shop, EVERY) == (2, 20, False)
        shop.deploy(*now)
        shop.command(do="apply")
        assert told(shop, EVERY) == (2, 20, False)
        assert shop.command(do="list")["count"] == 0


def _declared(name: str, *sets: str) -> Kind:
    feeds = tuple(Feed(Source("ITEM", _decode, of_set=each), _into) for each in sets)
    return Kind(name=name, rank=1, cells="", feeds=feeds, key=KeyTemplate(name + "#{value}"))


def _into(_: object) -> Any:
    return iter(())


def _decode(item: Item) -> Item:
    return item


def test_an_aggregate_is_fed_by_one_set() -> None:
    """Of a record that can be read as one of a set alone, it could not tell what it has absorbed."""
    with pytest.raises(DeclarationError, match="BOTH is fed by items of two sets"):
        Catalog([_declared("BOTH", "all", "open")])


def test_all_items_of_a_type_are_in_sets_or_none_is() -> None:
    """A record that can't be read as one of a set would be set aside, although those of none have counted it."""
    with pytest.raises(DeclarationError, match="items of type ITEM are counted as those of a set, and as those of"):
        Catalog([_declared("ALL", "all"), _declared("EVERY", "")])
    Catalog([_declared("ALL", "all"), _declared("OPEN", "open")])
