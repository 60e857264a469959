"""Billing: bills come into invoices, change their amounts, leave."""

from collections import defaultdict
from decimal import Decimal
from random import Random
from typing import Any

from edgewise.dynamodb.attributes import Item
from functions.systems.billing import items as billing_items
from functions.systems.billing.entity import Billed
from tests.delivery.stories.story import Source, Story, count_and_sum, decimal

Fact = tuple[str, str, Decimal]


def _source(random: Random) -> Source:
    invoice, bill = random.choice(("i1", "i2", "i3")), random.choice(("b1", "b2", "b3"))
    amount, version = decimal(random, 2), random.randint(1, 9)
    return Source(billing_items.BILLED.encode(Billed(invoice, bill, amount, version)), (invoice, bill, amount))


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
            found[about] = count_and_sum(item["Cells"]["M"]["Bills"])
        if item["Type"]["S"] == "BILL" and "Cells" in item:
            found[about] = int(item["Cells"]["M"]["Invoices"]["N"])
    return found


STORY = Story("billing", _source, _recount, _actual)
