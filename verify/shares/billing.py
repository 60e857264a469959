"""Billing: invoices contain bills; some bills change their amounts, and some are removed from invoices."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from random import Random

from ops.api import Api
from ops.recounting.facts import Facts, Name
from ops.recounting.readback import fields, get
from verify.corner import Corner
from verify.facts import Check
from verify.share import Left, Request, Share

Pair = tuple[str, str]  # an invoice and a bill


def share(corner: Corner, rng: Random, _: int) -> Share:
    """Each bill is in every other invoice; a third of the bills change, and a few are removed from invoices."""
    invoices = [corner.id("invoice", number) for number in range(4)]
    amounts = {corner.id("bill", number): _amount(rng) for number in range(9)}
    bills = list(amounts)
    pairs = [(invoice, bill) for n, invoice in enumerate(invoices) for m, bill in enumerate(bills) if (n + m) % 2]
    changed = {bill: _amount(rng) for bill in bills[:3]}
    out = [next(pair for pair in pairs if pair[1] == bill) for bill in bills[1:5:2]]
    kept = [pair for pair in pairs if pair not in out]
    changes = [*(_put_bill(*each) for each in changed.items()), *map(_take_out, out)]
    return Share(
        name="billing",
        rounds=[
            [*(_put_bill(*each) for each in amounts.items()), *(Request("PUT", ("invoices", i), {}) for i in invoices)],
            [Request("PUT", _contained(pair), {}, times=2) for pair in pairs],
            changes,
        ],
        checks=list(_checks(invoices, {**amounts, **changed}, kept)),
        recounts=[*(Name("INVOICE", (each,)) for each in invoices), *(Name("BILL", (each,)) for each in bills[:3])],
        removal=[_take_out(pair) for pair in kept],
        left=[Left("invoices and bills", len(invoices) + len(bills), f"INVOICE#{corner.name}…, BILL#…")],
    )


def _amount(rng: Random) -> Decimal:
    return Decimal(rng.randint(1, 10**5)) / 100


def _put_bill(bill: str, amount: Decimal) -> Request:
    return Request("PUT", ("bills", bill), {"amount": float(amount)})


def _contained(pair: Pair) -> tuple[str, ...]:
    invoice, bill = pair
    return ("invoices", invoice, "bills", bill)


def _take_out(pair: Pair) -> Request:
    return Request("DELETE", _contained(pair))


def _checks(invoices: Sequence[str], amounts: Mapping[str, Decimal], pairs: Sequence[Pair]) -> Iterator[Check]:
    for invoice in invoices:
        within = [amounts[bill] for each, bill in pairs if each == invoice]
        numbers = {"bills": len(within), "amount": sum(within, Decimal(0))}
        yield Check({Name("INVOICE", (invoice,)): numbers}, partial(_read_invoice, invoice=invoice))
    for bill in amounts:
        containing = {"invoices": sum(each == bill for _, each in pairs)}
        yield Check({Name("BILL", (bill,)): containing}, partial(_read_bill, bill=bill))


def _read_invoice(api: Api, invoice: str) -> Facts:
    found = get(api, "invoices", invoice)
    return (
        {Name("INVOICE", (invoice,)): fields(found["summary"], "bills", "amount")} if found and found["summary"] else {}
    )


def _read_bill(api: Api, bill: str) -> Facts:
    found = get(api, "bills", bill)
    return {Name("BILL", (bill,)): found["summary"]} if found else {}
