"""Orders that are placed, shipped, changed by hand, removed."""

from collections import defaultdict
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

from functions.domain.orders import Order
from functions.store import codec, orders, patterns
from functions.store.attributes import Item
from functions.store.table import Table
from tests.delivery.stories.story import Numbers, Rankings, Source, Story, count_and_sum, ranked

NOON = 1535544000000
AMOUNTS = ("0", "0.000000000000000001", "9.5", "1000000000000", "12")
LIMIT = 100


class Fact(NamedTuple):
    customer: str
    order: str
    opened_at: int
    amount: Decimal
    is_open: bool


def source(random: Random) -> Source:
    customer, order, opened_at = random.choice("ab"), random.choice("123456"), NOON + random.randint(0, 2)
    amount = Decimal(random.choice(AMOUNTS))
    shipped_at = random.choice((None, None, NOON + 9))
    item = codec.orders.order_item(Order(customer, order, opened_at, amount, shipped_at))
    return Source(item, Fact(customer, order, opened_at, amount, shipped_at is None))


def recount(facts: list[Fact]) -> dict[Any, Any]:
    amounts: dict[Any, list[Fraction]] = defaultdict(list)
    for fact in facts:
        amounts[fact.customer, "Orders"].append(Fraction(fact.amount))
        if fact.is_open:
            amounts[fact.customer, "Open"].append(Fraction(fact.amount))
    return {about: (len(each), sum(each)) for about, each in amounts.items()}


def actual(items: list[Item]) -> dict[Any, Any]:
    return {
        (item["PK"]["S"].removeprefix("CUSTOMER#"), name): count_and_sum(cell)
        for item in items
        if item["Type"]["S"] == "CUSTOMER"
        for name, cell in item.get("Cells", {"M": {}})["M"].items()
    }


def read(table: Table) -> Numbers:
    """The open orders of each customer, from both ends, and those of all customers."""
    lists: Numbers = {}
    for customer in "ab":
        for forward in (True, False):
            found, _ = orders.open_of(table, patterns.orders.open_of(customer, forward=forward), LIMIT, None)
            lists[customer, forward] = ranked((order.opened_at, (order.id, order.amount)) for order in found)
    everybodys, _ = orders.open_between(table, None, None, LIMIT, None)
    return lists | {"all": ranked((order.opened_at, (order.customer, order.id)) for order in everybodys)}


def sort(facts: list[Fact]) -> Numbers:
    still_open = sorted((fact for fact in facts if fact.is_open), key=lambda fact: fact.opened_at)
    lists: Numbers = {}
    for customer in "ab":
        own = [(fact.opened_at, (fact.order, fact.amount)) for fact in still_open if fact.customer == customer]
        lists |= {(customer, True): ranked(own), (customer, False): ranked(reversed(own))}
    return lists | {"all": ranked((fact.opened_at, (fact.customer, fact.order)) for fact in still_open)}


STORY = Story("orders", source, recount, actual, Rankings(read, sort))
