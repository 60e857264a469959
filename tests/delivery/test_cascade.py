"""After any history of bills and any delivery to the cascade, every copy of an amount is the bill's own."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.surroundings import OneByOne
from functions.systems.billing import amounts
from functions.systems.billing import items as billing_items
from functions.systems.billing import store as billing
from functions.systems.billing.entity import Bill, Billed, Invoice
from tests.delivery.cascading import LaggingMemory
from tests.support.crashes import dying_at

BILLS, INVOICES = ("b1", "b2"), ("i1", "i2", "i3", "i4")
NEVER = 99


@dataclass(frozen=True)
class Amount:
    """A bill gets an amount; the request dies at a write."""

    bill: str
    amount: int
    dies_at: int


@dataclass(frozen=True)
class Relate:
    """A bill is put into an invoice, or taken out."""

    invoice: str
    bill: str
    put: bool


DELIVER, CATCH_UP = "a delivery", "the indexes catch up"
Happening = Amount | Relate | str

# The first write finds another version, the second stores the bill, the others carry its amount to the copies.
deaths = st.sampled_from((2, 3, 2, 3, 4, 1, NEVER))
happenings = st.lists(
    st.one_of(
        st.builds(Amount, st.sampled_from(BILLS), st.integers(1, 3), deaths),
        st.builds(Relate, st.sampled_from(INVOICES), st.sampled_from(BILLS), st.sampled_from((True, True, False))),
        st.just(DELIVER),
        st.just(CATCH_UP),
    ),
    min_size=15,
    max_size=40,
)


class World:
    """The table, and the delivery of its stream to the cascade. Indexes have caught up with what a stream delivers."""

    def __init__(self, random: Random) -> None:
        self.table = table = LaggingMemory()
        for invoice in INVOICES:
            billing.put_invoice(table, Invoice(invoice))
        for bill in BILLS:
            billing.put_bill(table, Bill(bill, Decimal(0)))
        self.simulator = table.delivered_to(self._follow_up, random)

    def let(self, happening: Happening) -> None:
        match happening:
            case Amount(bill, amount, dies_at):
                with dying_at(self.table, dies_at):
                    billing.put_bill(self.table, Bill(bill, Decimal(amount)))
            case Relate(invoice, bill, put):
                (billing.put_billed if put else billing.delete_billed)(self.table, invoice, bill)
            case "a delivery":
                self.simulator.step()
            case _:
                self.table.catch_up()

    def _follow_up(self, event: dict[str, Any], context: Any) -> None:
        self.table.catch_up()
        self.table.follow_up(event, context)

    def copies(self) -> list[Billed]:
        return [billing_items.BILLED.decode(item) for item in self.table.all_items() if item["Type"]["S"] == "BILLED"]

    def bill(self, name: str) -> Bill:
        item = self.table.get(billing_items.BILL.key(name))
        assert item is not None
        return billing_items.BILL.decode(item)


@pytest.fixture(autouse=True, scope="module")
def small_steps() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(amounts, "ThreadPoolExecutor", OneByOne)
        patch.setattr(amounts, "STEP", 2)
        yield


@given(history=happenings, random=st.randoms(use_true_random=True))
def test_copies_are_the_bills_amounts(history: list[Happening], random: Random) -> None:
    world = World(random)
    for happening in history:
        world.let(happening)
    world.simulator.drain()
    copies = world.copies()
    assert copies == [Billed.of(copy.invoice, world.bill(copy.bill)) for copy in copies]
