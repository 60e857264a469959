"""Invoices, bills, and which contain which."""

from typing import Any

from tests.adversarial.cases.case import Case, Request, get
from tests.adversarial.texts import Texts


def _invoice(t: Texts) -> Request:
    body = {"customer": t.id, "issued_at": t.instant, "note": t.text}
    return Request("PUT /invoices/{invoice}", {"invoice": t.id}, body)


def _bill(t: Texts) -> Request:
    return Request("PUT /bills/{bill}", {"bill": t.id}, {"amount": t.number, "due_at": t.instant, "note": t.text})


def _contained(method: str, t: Texts) -> Request:
    return Request(f"{method} /invoices/{{invoice}}/bills/{{bill}}", {"invoice": t.id, "bill": t.id})


def _bills_of(t: Texts) -> Any:
    return get("/invoices/{invoice}", invoice=t.id)["bills"]


BILLING = [
    Case(_invoice, lambda t, body: (get("/invoices/{invoice}", invoice=t.id)["details"], body | {"version": 1})),
    Case(_bill, lambda t, body: (get("/bills/{bill}", bill=t.id)["details"], body | {"version": 1})),
    Case(
        lambda t: _contained("PUT", t),
        lambda t, _: (_bills_of(t), [{"bill": t.id, "amount": t.number}]),
        before=lambda t: [_invoice(t), _bill(t)],
    ),
    Case(
        lambda t: _contained("DELETE", t),
        lambda t, _: (_bills_of(t), []),
        before=lambda t: [_invoice(t), _bill(t), _contained("PUT", t)],
    ),
]
