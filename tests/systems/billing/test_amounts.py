"""Which changes entail that an amount is carried."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from functions.systems.billing import amounts
from functions.systems.billing import items as billing_items
from functions.systems.billing.entity import Bill, Billed


def bill_change(note: str = "", amount: str = "1", amount_version: int = 1) -> Any:
    return billing_items.BILL.encode(Bill("b", Decimal(amount), None, note, 7, amount_version))


@pytest.mark.parametrize(
    ("follow_up", "new", "old", "due"),
    [
        (amounts.changed, bill_change(), None, False),
        (amounts.changed, bill_change("other"), bill_change(), False),
        (amounts.changed, bill_change(amount="2", amount_version=2), bill_change(), True),
        (amounts.added, billing_items.BILLED.encode(Billed("i", "b", Decimal(1), 1)), None, True),
        (
            amounts.added,
            billing_items.BILLED.encode(Billed("i", "b", Decimal(1), 1)),
            billing_items.BILLED.encode(Billed("i", "b", Decimal(0), 0)),
            False,
        ),
    ],
)
def test_what_is_due(follow_up: Callable[..., Any], new: Any, old: Any, due: bool) -> None:
    assert (follow_up(new, old) is not None) is due
