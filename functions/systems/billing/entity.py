"""Billing: invoices contain bills, and a bill may be in several invoices."""

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Self

from edgewise import Fed, Millis, Observation

INVOICES = "Invoices"


@dataclass(frozen=True, slots=True)
class Invoice:
    """An invoice's own data. `version` counts its changes from 1; 0 means that it has not been stored yet."""

    id: str
    customer: str | None = None
    issued_at: Millis | None = None
    note: str | None = None
    version: int = 0

    def replacing(self, stored: Self | None) -> Self:
        """The invoice to store in place of `stored`: `stored` itself if nothing changes, else its next version."""
        if stored is None:
            return replace(self, version=1)
        return stored if replace(self, version=stored.version) == stored else replace(self, version=stored.version + 1)


@dataclass(frozen=True, slots=True)
class Bill:
    """A bill's own data; `amount` is in the caller's currency.

    `version` counts its changes; `amount_version` is the version that introduced the current amount.
    """

    id: str
    amount: Decimal
    due_at: Millis | None = None
    note: str | None = None
    version: int = 0
    amount_version: int = 0

    def replacing(self, stored: Self | None) -> Self:
        """The bill to store in place of `stored`: `stored` itself if nothing changes, else its next version."""
        if stored is None:
            return replace(self, version=1, amount_version=1)
        if replace(self, version=stored.version, amount_version=stored.amount_version) == stored:
            return stored
        version = stored.version + 1
        return replace(
            self, version=version, amount_version=stored.amount_version if self.amount == stored.amount else version
        )


@dataclass(frozen=True, slots=True)
class Billed:
    """The fact that an invoice contains a bill, with a copy of the bill's amount and of the version that introduced it.

    The invoice's sum adds up these copies. Of two copies, the one with the higher version is the later.
    """

    invoice: str
    bill: str
    amount: Decimal
    amount_version: int

    @classmethod
    def of(cls, invoice: str, bill: Bill) -> Self:
        """The relation with the bill's current amount."""
        return cls(invoice, bill.id, bill.amount, bill.amount_version)


def of_invoice(billed: Billed) -> Fed:
    """A bill on an invoice feeds the invoice."""
    yield (billed.invoice,), {"Bills": Observation(amount=billed.amount)}


def of_bill(billed: Billed) -> Fed:
    """A bill on an invoice feeds the bill."""
    yield (billed.bill,), {INVOICES: Observation()}
