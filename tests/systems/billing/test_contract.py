"""Invoices, bills and their relations, on every engine; requests that die at any write."""

from dataclasses import replace
from decimal import Decimal
from itertools import count
from typing import Any

import pytest

from edgewise.dynamodb.table import Table
from edgewise.errors import ConcurrentChangeError, NotFoundError
from functions.catalog import FOLLOW_UPS
from functions.systems.billing import amounts
from functions.systems.billing import items as billing_items
from functions.systems.billing import store as billing
from functions.systems.billing.entity import Bill, Billed, Invoice
from functions.systems.places import store as residents
from functions.systems.places.entity import Resident
from tests.support.crashes import dying_at
from tests.support.streams import Recording

INVOICES = ("i1", "i2", "i3")


def bill(amount: int | str, name: str = "b") -> Bill:
    return Bill(name, Decimal(amount))


def copies(table: Recording) -> dict[str, Decimal]:
    """The amounts in the relations, by invoice."""
    items = [item for item in table.all_items() if item["Type"] == {"S": "BILLED"}]
    return {item["PK"]["S"].removeprefix("INVOICE#"): Decimal(item["Amount"]["N"]) for item in items}


def follow(table: Recording, *, again: int = 1) -> None:
    """Let the cascade see everything the stream holds, and what it writes itself."""
    (shard,) = table.shards.values()
    while shard:
        records, shard[:] = list(shard) * again, []
        for record in records:
            run(record, table)


def forget(table: Recording) -> None:
    (shard,) = table.shards.values()
    shard.clear()


@pytest.fixture
def billed(engine: Recording, monkeypatch: pytest.MonkeyPatch) -> Recording:
    """A bill of 10 in three invoices, and one of 1 beside it in the first."""
    monkeypatch.setattr(amounts, "CONNECTIONS", 1)  # writes in a known order
    billing.put_bill(engine, bill(10))
    billing.put_bill(engine, bill(1, "other"))
    for invoice in INVOICES:
        billing.put_invoice(engine, Invoice(invoice))
        billing.put_billed(engine, invoice, "b")
    forget(engine)
    return engine


class TestEntities:
    def test_what_is_stored_comes_back(self, engine: Recording) -> None:
        invoice = billing.put_invoice(engine, Invoice("i #/é", "customer", 1_535_544_000_123, "note"))
        assert billing.invoice_page(engine, "i #/é", 10, None).invoice == invoice
        stored = billing.put_bill(engine, Bill("b #/é", Decimal("-0.5"), 0, "note"))
        assert billing.bill_with_numbers(engine, "b #/é") == (stored, {})

    def test_the_same_again_changes_nothing(self, engine: Recording) -> None:
        for _ in range(2):
            billing.put_invoice(engine, Invoice("i", note="n"))
            billing.put_bill(engine, bill(10))
        assert billing.put_invoice(engine, Invoice("i", note="n")).version == 1
        assert billing.put_bill(engine, bill("10.0")).version == 1

    def test_a_change_replaces_the_whole(self, engine: Recording) -> None:
        billing.put_invoice(engine, Invoice("i", "c", 1, "n"))
        assert billing.put_invoice(engine, Invoice("i", issued_at=2)) == Invoice("i", None, 2, None, version=2)

    def test_who_is_never_the_faster_gives_up(self, engine: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
        original = Recording.write
        versions = count(2)

        def overtaken(table: Recording, write: Any) -> None:
            table.put_many([billing_items.BILL.encode(replace(bill(1), version=next(versions), amount_version=1))])
            original(table, write)

        monkeypatch.setattr(Recording, "write", overtaken)
        with pytest.raises(ConcurrentChangeError, match="the bill 'b'"):
            billing.put_bill(engine, Bill("b", Decimal(5)))


class TestRelations:
    def test_both_ends_must_be_there_and_the_missing_one_is_named(self, engine: Recording) -> None:
        with pytest.raises(NotFoundError, match="bill 'b'"):
            billing.put_billed(engine, "i", "b")
        billing.put_bill(engine, bill(10))
        with pytest.raises(NotFoundError, match="invoice 'i'"):
            billing.put_billed(engine, "i", "b")
        assert copies(engine) == {}

    def test_it_takes_the_amount_of_the_moment(self, billed: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
        """The bill changes between the read and the transaction."""
        original = Recording.transact

        def overtaken(table: Recording, actions: Any) -> None:
            monkeypatch.undo()
            billing.put_bill(table, bill(20))
            original(table, actions)

        billing.delete_billed(billed, "i3", "b")
        monkeypatch.setattr(Recording, "transact", overtaken)
        assert billing.put_billed(billed, "i3", "b") == Billed("i3", "b", Decimal(20), 2)
        assert copies(billed) == dict.fromkeys(INVOICES, Decimal(20))

    def test_again_changes_nothing(self, billed: Recording) -> None:
        billing.put_billed(billed, "i1", "b")
        for _ in range(2):
            billing.delete_billed(billed, "i2", "b")
        assert copies(billed) == {"i1": 10, "i3": 10}

    def test_an_invoice_comes_before_its_bills_and_nothing_else_of_its_partition(self, billed: Recording) -> None:
        billing.put_billed(billed, "i1", "other")
        pages = [billing.invoice_page(billed, "i1", 1, None)]
        while pages[-1].next:
            pages.append(billing.invoice_page(billed, "i1", 1, pages[-1].next))
        assert pages[0].invoice == Invoice("i1", version=1)
        assert not any(page.invoice for page in pages[1:])
        assert [each.bill for page in pages for each in page.bills] == ["other", "b"]

    def test_where_they_live_is_not_read_with_them(self, billed: Recording) -> None:
        for kind, entity in (("INVOICE", "i1"), ("BILL", "b")):
            residents.put(billed, Resident(kind, entity, ("US",)))
        read = [*billed.query(billing_items.of_invoice("i1")).items, *billed.query(billing_items.of_bill("b")).items]
        assert [item["Type"]["S"] for item in read] == ["INVOICE_METADATA", "BILLED", "BILL_METADATA"]

    def test_the_inverted_index_answers_the_other_direction(self, billed: Recording) -> None:
        found = billed.query(billing_items.invoices_of("b")).items
        assert [billing_items.INVOICE.partition.values(item["PK"]["S"])[0] for item in found] == list(INVOICES)


def change(table: Table) -> None:
    billing.put_bill(table, bill("20.5"))


# A first write is refused with the bill that is stored; then the bill, then each copy: at 5 nothing is left to die at.
BILL = 1


@pytest.mark.parametrize("answer_lost", [False, True])
@pytest.mark.parametrize("write", range(6))
class TestADyingRequest:
    def test_is_finished_by_its_repetition(self, billed: Recording, write: int, answer_lost: bool) -> None:
        with dying_at(billed, write, answer_lost=answer_lost):
            change(billed)
        change(billed)
        assert copies(billed) == dict.fromkeys(INVOICES, Decimal("20.5"))

    def test_is_finished_by_the_cascade(self, billed: Recording, write: int, answer_lost: bool) -> None:
        with dying_at(billed, write, answer_lost=answer_lost):
            change(billed)
        begun = write > BILL or (write == BILL and answer_lost)
        follow(billed, again=2)
        assert copies(billed) == dict.fromkeys(INVOICES, Decimal("20.5") if begun else Decimal(10))

    def test_is_overtaken_by_a_later_one(self, billed: Recording, write: int, answer_lost: bool) -> None:
        with dying_at(billed, write, answer_lost=answer_lost):
            change(billed)
        billing.put_bill(billed, bill(30))
        follow(billed, again=2)
        assert copies(billed) == dict.fromkeys(INVOICES, Decimal(30))

    def test_so_is_a_dying_cascade(self, billed: Recording, write: int, answer_lost: bool) -> None:
        with dying_at(billed, BILL, answer_lost=True):
            change(billed)
        (shard,) = billed.shards.values()
        (record,) = shard
        with dying_at(billed, write, answer_lost=answer_lost):
            run(record, billed)
        run(record, billed)
        assert copies(billed) == dict.fromkeys(INVOICES, Decimal("20.5"))


def run(record: Any, table: Table) -> None:
    pending = FOLLOW_UPS.pending(record)
    if pending:
        FOLLOW_UPS.finish(table, [pending])


class TestCarrying:
    def test_an_old_amount_never_replaces_a_later_one(self, billed: Recording) -> None:
        """The amount changes there and back while a slow request still carries the one in between."""
        between = billing.put_bill(billed, bill(20))
        billing.put_bill(billed, bill(10))
        amounts.carry(billed, between)
        assert copies(billed) == dict.fromkeys(INVOICES, Decimal(10))

    @pytest.mark.parametrize("version", [1, 2, 3])
    def test_what_a_read_shows_late_the_write_knows(self, billed: Recording, version: int) -> None:
        """Reads are eventually consistent: one may miss a relation that the index shows already."""
        change(billed)
        later = Bill("b", Decimal(7), version=version, amount_version=version)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(billed, "get_many", lambda *_, **__: {})
            amounts.carry(billed, later)
        assert copies(billed) == dict.fromkeys(INVOICES, Decimal(7 if version > 2 else "20.5"))

    def test_a_relation_removed_meanwhile_stays_removed(self, billed: Recording) -> None:
        stale = billed.query(billing_items.invoices_of("b"))
        billing.delete_billed(billed, "i2", "b")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(billed, "query", lambda _: stale)
            change(billed)
        assert copies(billed) == {"i1": Decimal("20.5"), "i3": Decimal("20.5")}

    def test_a_relation_that_the_index_shows_late_is_found_by_its_own_record(self, billed: Recording) -> None:
        billing.put_billed(billed, "i1", "other")
        with pytest.MonkeyPatch.context() as patch:
            nothing = billed.query(billing_items.invoices_of("unknown"))
            patch.setattr(billed, "query", lambda _: nothing)
            billing.put_bill(billed, bill(2, "other"))
            follow(billed)
        assert billing.invoice_page(billed, "i1", 10, None).bills[0].amount == 2

    def test_a_call_takes_one_step_and_the_cascade_the_others(
        self, billed: Recording, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(amounts, "STEP", 2)
        change(billed)
        assert copies(billed) == {"i1": Decimal("20.5"), "i2": Decimal("20.5"), "i3": 10}
        follow(billed)
        assert copies(billed) == dict.fromkeys(INVOICES, Decimal("20.5"))

    def test_what_is_up_to_date_is_not_written(self, billed: Recording) -> None:
        change(billed)
        billed.usage.reset()
        amounts.carry(billed, Bill("b", Decimal("20.5"), version=2, amount_version=2))
        assert (billed.usage.write_units, billed.usage.refused) == (0, 0)
