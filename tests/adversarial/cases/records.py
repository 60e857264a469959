"""Orders, games, audits."""

from typing import Any

from tests.adversarial.cases.case import Case, Request, Seen, get
from tests.adversarial.texts import Texts


def _order(t: Texts) -> Request:
    body = {"order_id": t.id, "opened_at": t.instant, "amount": t.number.copy_abs()}
    return Request("POST /customers/{customer}/orders", {"customer": t.id}, body)


def _order_seen(t: Texts, body: Any) -> Seen:
    found = get("/customers/{customer}/orders", {"status": "open"}, customer=t.id)["orders"]
    return found, [{"customer": t.id, "shipped_at": None, **body}]


def _play_seen(t: Texts, body: Any) -> Seen:
    return get("/players/{player}/games", player=t.id)["plays"], [{"player": t.id, **body}]


def _audit(t: Texts, notes: str) -> Any:
    return {"auditor": t.line, "result": t.line, "part": t.id, "notes": notes}


def _audit_seen(t: Texts, body: Any) -> Seen:
    found = get("/equipment/{equipment}/audits/latest", {"part": t.id}, equipment=t.id)
    return {name: found[name] for name in (*body, "version")}, body | {"version": 1}


RECORDS = [
    Case(_order, _order_seen),
    Case(
        lambda t: Request("POST /customers/{customer}/orders/{order}/ship", {"customer": t.id, "order": t.id}),
        lambda t, _: (get("/customers/{customer}/orders", {"status": "open"}, customer=t.id)["orders"], []),
        before=lambda t: [_order(t)],
    ),
    Case(
        lambda t: Request(
            "POST /players/{player}/games",
            {"player": t.id},
            {"game": t.id, "score": t.score, "at": t.instant, "award": t.id},
        ),
        _play_seen,
    ),
    Case(
        lambda t: Request("POST /equipment/{equipment}/audits", {"equipment": t.id}, _audit(t, t.prose)),
        _audit_seen,
        largest=lambda t: _audit(t, t.prose[0] * 10_000),
    ),
]
