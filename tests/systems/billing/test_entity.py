"""Invoices and bills: which change makes a new version, and which one a new amount."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from edgewise.aggregates.measures import Observation
from functions.catalog import CATALOG
from functions.systems.billing import system as billing_system
from functions.systems.billing.entity import Bill, Billed, Invoice

BILL = Bill("b", Decimal(10), due_at=1, note="n", version=4, amount_version=2)
INVOICE = Invoice("i", "c", 1, "n", version=4)


def test_the_first_version_is_one() -> None:
    assert Invoice("i").replacing(None) == Invoice("i", version=1)
    assert Bill("b", Decimal(10)).replacing(None) == Bill("b", Decimal(10), version=1, amount_version=1)


def test_the_same_content_is_what_is_stored() -> None:
    assert Invoice("i", "c", 1, "n").replacing(INVOICE) is INVOICE
    assert Bill("b", Decimal("10.00"), 1, "n").replacing(BILL) is BILL


@pytest.mark.parametrize("change", [{"customer": "d"}, {"customer": None}, {"issued_at": 2}, {"note": None}])
def test_any_change_of_an_invoice_is_a_version(change: dict[str, Any]) -> None:
    assert replace(INVOICE, version=0, **change).replacing(INVOICE) == replace(INVOICE, version=5, **change)


def test_a_bill_keeps_the_version_of_its_amount_until_that_changes() -> None:
    assert Bill("b", Decimal(10)).replacing(BILL) == Bill("b", Decimal(10), version=5, amount_version=2)
    assert Bill("b", Decimal(11), 1, "n").replacing(BILL) == replace(
        BILL, amount=Decimal(11), version=5, amount_version=5
    )


def test_a_relation_carries_the_amount_and_its_version() -> None:
    assert Billed.of("i", BILL) == Billed("i", "b", Decimal(10), 2)


def test_a_relation_is_counted_at_both_ends_and_summed_at_one() -> None:
    assert CATALOG.contributions("BILLED", Billed("i", "b", Decimal("2.5"), 3)) == {
        billing_system.INVOICE("i"): {"Bills": Observation(amount=Decimal("2.5"))},
        billing_system.BILL("b"): {"Invoices": Observation()},
    }
