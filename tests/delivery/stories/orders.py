"""Orders that are placed, shipped, changed by hand, removed."""

from collections import defaultdict
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from hypothesis import strategies as st

from functions.domain.orders import Order
from functions.store import codec
from functions.store.attributes import Item
from tests.delivery.stories.story import Source, Story

NOON = 1535544000000


class Fact(NamedTuple):
    customer: str
    amount: Decimal
    is_open: bool


@st.composite
def sources(draw: st.DrawFn) -> Source:
    customer, order = draw(st.sampled_from("ab")), draw(st.sampled_from("123"))
    amount = Decimal(draw(st.sampled_from(["0", "0.000000000000000001", "9.5", "1000000000000", "12"])))
    shipped_at = draw(st.sampled_from([None, None, NOON + 1]))
    item = codec.orders.order_item(Order(customer, order, NOON, amount, shipped_at))
    return Source(item, Fact(customer, amount, shipped_at is None))


def recount(facts: list[Fact]) -> dict[Any, Any]:
    amounts: dict[Any, list[Fraction]] = defaultdict(list)
    for fact in facts:
        amounts[fact.customer, "Orders"].append(Fraction(fact.amount))
        if fact.is_open:
            amounts[fact.customer, "Open"].append(Fraction(fact.amount))
    return {about: (len(each), sum(each)) for about, each in amounts.items()}


def actual(items: list[Item]) -> dict[Any, Any]:
    return {
        (item["PK"]["S"].removeprefix("CUSTOMER#"), name): _count_and_sum(cell)
        for item in items
        if item["Type"]["S"] == "CUSTOMER"
        for name, cell in item.get("Cells", {"M": {}})["M"].items()
    }


def _count_and_sum(cell: Any) -> tuple[int, Decimal]:
    count, _, total = (cell.get("N") or cell["S"]).partition(" ")
    return int(count), Decimal(total or 0)


STORY = Story("orders", sources(), recount, actual)
