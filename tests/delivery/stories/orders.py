"""Orders that are placed, shipped, changed by hand, removed."""

from collections import defaultdict
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.table import Table
from functions.systems.orders import store as orders
from functions.systems.orders.entity import Order
from functions.systems.orders.items import BY_DATE, OPEN_OF_CUSTOMER, ORDER
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
    item = ORDER.encode(Order(customer, order, opened_at, amount, shipped_at))
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
    """The orders of each customer, all and open ones, from both ends, and the open ones of all customers."""
    lists: Numbers = {}
    for customer in "ab":
        for forward in (True, False):
            for which, by_date in (("open", OPEN_OF_CUSTOMER), ("every", BY_DATE)):
                query = by_date.query(customer, forward=forward)
                found, _ = pages.listed(table, query, LIMIT, None, ORDER.decode)
                told = ((order.opened_at, (order.id, order.amount, order.shipped_at is None)) for order in found)
                lists[customer, which, forward] = ranked(told)
    everybodys, _ = orders.open_between(table, None, None, LIMIT, None)
    return lists | {"all": ranked((order.opened_at, (order.customer, order.id)) for order in everybodys)}


def sort(facts: list[Fact]) -> Numbers:
    dated = sorted(facts, key=lambda fact: fact.opened_at)
    still_open = [fact for fact in dated if fact.is_open]
    lists: Numbers = {}
    for customer in "ab":
        for which, among in (("open", still_open), ("every", dated)):
            own = [(f.opened_at, (f.order, f.amount, f.is_open)) for f in among if f.customer == customer]
            lists |= {(customer, which, True): ranked(own), (customer, which, False): ranked(reversed(own))}
    return lists | {"all": ranked((fact.opened_at, (fact.customer, fact.order)) for fact in still_open)}


STORY = Story("orders", source, recount, actual, Rankings(read, sort))
