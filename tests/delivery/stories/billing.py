"""Billing: bills come into invoices, change their amounts, leave."""

from collections import defaultdict
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from functions.domain.billing import Billed
from functions.store.attributes import Item
from functions.store.codec.billing import billed_item
from tests.delivery.stories.story import Source, Story

Fact = tuple[str, str, Decimal]


def _source(invoice: str, bill: str, amount: Decimal, version: int) -> Source:
    return Source(billed_item(Billed(invoice, bill, amount, version)), (invoice, bill, amount))


def _recount(facts: list[Fact]) -> dict[Any, Any]:
    amounts, invoices = defaultdict(list), defaultdict(list)
    for invoice, bill, amount in facts:
        amounts["INVOICE", invoice].append(amount)
        invoices["BILL", bill].append(invoice)
    sums = {about: (len(found), sum(found)) for about, found in amounts.items()}
    return sums | {about: len(found) for about, found in invoices.items()}


def _actual(items: list[Item]) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for item in items:
        about = tuple(item["PK"]["S"].split("#"))
        if item["Type"]["S"] == "INVOICE" and "Cells" in item:
            found[about] = _count_and_sum(item["Cells"]["M"]["Bills"])
        if item["Type"]["S"] == "BILL" and "Cells" in item:
            found[about] = int(item["Cells"]["M"]["Invoices"]["N"])
    return found


def _count_and_sum(cell: Any) -> tuple[int, Decimal]:
    if "N" in cell:
        return int(cell["N"]), Decimal(0)
    count, total = cell["S"].split(" ")
    return int(count), Decimal(total)


STORY = Story(
    "billing",
    st.builds(
        _source,
        invoice=st.sampled_from(("i1", "i2", "i3")),
        bill=st.sampled_from(("b1", "b2", "b3")),
        amount=st.decimals(min_value=-5, max_value=5, places=2),
        version=st.integers(1, 9),
    ),
    _recount,
    _actual,
)
