"""After any history of bills and any delivery to the cascade, every copy of an amount is the bill's own."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.domain.billing import Bill, Billed, Invoice
from functions.store import amounts, billing, cascade, codec, keys
from functions.store.queries import Page, Query
from tests.support.crashes import dying_at
from tests.support.streams import StreamedMemory

BILLS, INVOICES, LANES = ("b1", "b2"), ("i1", "i2", "i3", "i4"), 4
NEVER = 99


class LaggingMemory(StreamedMemory):
    """A table whose indexes show what the table held when they last caught up."""

    def __init__(self) -> None:
        super().__init__(shards=LANES)
        self.shown = deepcopy(self.items)

    def catch_up(self) -> None:
        self.shown = deepcopy(self.items)

    def query(self, query: Query) -> Page:
        if query.index is None:
            return super().query(query)
        table, self.items = self.items, self.shown
        try:
            return super().query(query)
        finally:
            self.items = table


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


@dataclass(frozen=True)
class Deliver:
    """The cascade gets some records of a lane, from `back` records before where it was; it dies at a write.

    Indexes have caught up with what a stream delivers.
    """

    lane: int
    size: int
    back: int
    dies_at: int


CATCH_UP = "the indexes catch up"
Happening = Amount | Relate | Deliver | str

deaths = st.sampled_from((0, 1, 2, 3, 4, NEVER, NEVER))
happenings = st.lists(
    st.one_of(
        st.builds(Amount, st.sampled_from(BILLS), st.integers(1, 3), deaths),
        st.builds(Relate, st.sampled_from(INVOICES), st.sampled_from(BILLS), st.booleans()),
        st.builds(Deliver, st.integers(0, LANES - 1), st.integers(1, 4), st.integers(0, 5), deaths),
        st.just(CATCH_UP),
    ),
    max_size=40,
)


class World:
    """The table, and how far the cascade has come in each lane."""

    def __init__(self) -> None:
        self.table = LaggingMemory()
        self.positions = dict.fromkeys(self.table.lanes, 0)
        for invoice in INVOICES:
            billing.put_invoice(self.table, Invoice(invoice))
        for bill in BILLS:
            billing.put_bill(self.table, Bill(bill, Decimal(0)))

    def let(self, happening: Happening) -> None:
        match happening:
            case Amount(bill, amount, dies_at):
                with dying_at(self.table, dies_at):
                    billing.put_bill(self.table, Bill(bill, Decimal(amount)))
            case Relate(invoice, bill, put):
                (billing.put_billed if put else billing.delete_billed)(self.table, invoice, bill)
            case Deliver():
                self._deliver(happening)
            case _:
                self.table.catch_up()

    def finish(self) -> None:
        while late := [
            number
            for number, (lane, records) in enumerate(self.table.lanes.items())
            if self.positions[lane] < len(records)
        ]:
            self._deliver(Deliver(late[0], NEVER, 0, NEVER))

    def _deliver(self, step: Deliver) -> None:
        self.table.catch_up()
        lane = list(self.positions)[step.lane]
        position = self.positions[lane]
        records = self.table.lanes[lane][max(0, position - step.back) : position + step.size]
        with dying_at(self.table, step.dies_at):
            for record in records:
                if work := cascade.follow_up(record):
                    work(self.table)
            self.positions[lane] = min(position + step.size, len(self.table.lanes[lane]))

    def copies(self) -> list[Billed]:
        return [codec.billing.billed(item) for item in self.table.all_items() if item["Type"]["S"] == "BILLED"]

    def bill(self, name: str) -> Bill:
        item = self.table.get(keys.billing.bill(name))
        assert item is not None
        return codec.billing.bill(item)


@pytest.fixture(autouse=True, scope="module")
def small_steps() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(amounts, "CONNECTIONS", 1)  # writes in a known order, so that a failure repeats
        patch.setattr(amounts, "STEP", 2)
        yield


@given(history=happenings)
def test_copies_are_the_bills_amounts(history: list[Happening]) -> None:
    world = World()
    for happening in history:
        world.let(happening)
    world.finish()
    copies = world.copies()
    assert copies == [Billed.of(copy.invoice, world.bill(copy.bill)) for copy in copies]
