"""Invoices, bills and which contain which, through the API."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from functions.systems.billing import amounts
from tests.support.crashes import dying_at
from tests.support.http import Answer, Client
from tests.support.streams import StreamedTable

pytestmark = pytest.mark.usefixtures("handlers")

APP, READER = Client(groups=("write",)), Client()
PUT_INVOICE, PUT_BILL, RELATION = "PUT /invoices/{invoice}", "PUT /bills/{bill}", "/invoices/{invoice}/bills/{bill}"
INVOICE, BILL, NOON = "Invoice-92551", "Bill-4224663", "2018-08-29T12:00:00.000Z"
Drain = Callable[[], None]


def put_bill(amount: Any, bill: str = BILL) -> Answer:
    return APP.call(PUT_BILL, None, {"amount": amount}, bill=bill)


def contain(invoice: str = INVOICE, bill: str = BILL) -> Answer:
    return APP.call(f"PUT {RELATION}", invoice=invoice, bill=bill)


def get(invoice: str = INVOICE, **query: str) -> Answer:
    return READER.call("GET /invoices/{invoice}", query, invoice=invoice)


@pytest.fixture
def billed(drain: Drain, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two bills in one invoice, one of them in another invoice too."""
    monkeypatch.setattr(amounts, "CONNECTIONS", 1)
    for bill, amount in ((BILL, 80), ("Bill-2", 19.5)):
        put_bill(amount, bill)
    for invoice, bill in ((INVOICE, BILL), (INVOICE, "Bill-2"), ("Invoice-2", BILL)):
        APP.call(PUT_INVOICE, None, {}, invoice=invoice)
        assert contain(invoice, bill).status == 200
    drain()


DETAILS = {"customer": None, "issued_at": None, "note": None, "version": 1}


def test_an_invoice_comes_back_as_it_was_stored() -> None:
    body = {"customer": "amy & co", "issued_at": "2018-08-29T14:00:00+02:00", "note": "thank\nyou"}
    details = {"customer": "amy & co", "issued_at": NOON, "note": "thank\nyou", "version": 1}
    stored = APP.call(PUT_INVOICE, None, body, invoice=INVOICE)
    assert (stored.status, stored.body) == (200, {"invoice": INVOICE, "details": details})
    assert get().body == {"invoice": INVOICE, "details": details, "summary": None, "bills": [], "cursor": None}


def test_a_bill_comes_back_as_it_was_stored() -> None:
    stored = APP.call(PUT_BILL, None, {"amount": -0.10, "due_at": 1535544000, "note": ""}, bill=BILL)
    details = {"amount": Decimal("-0.1"), "due_at": NOON, "note": "", "version": 1}
    assert (stored.status, stored.body) == (200, {"bill": BILL, "details": details})
    answer = READER.call("GET /bills/{bill}", bill=BILL)
    assert answer.body == {"bill": BILL, "details": details, "summary": {"invoices": 0}}
    assert answer.cost[0] == 1


def test_storing_again_replaces_the_whole_and_counts_changes() -> None:
    APP.call(PUT_INVOICE, None, {"customer": "amy", "note": "n"}, invoice=INVOICE)
    changed = {"customer": None, "issued_at": None, "note": "m", "version": 2}
    for _ in range(2):
        assert APP.call(PUT_INVOICE, None, {"note": "m"}, invoice=INVOICE).body["details"] == changed


@pytest.mark.usefixtures("billed")
def test_an_invoice_its_numbers_and_its_bills_are_one_request() -> None:
    answer = get()
    assert answer.body == {
        "invoice": INVOICE,
        "details": DETAILS,
        "summary": {"bills": 2, "amount": Decimal("99.5")},
        "bills": [{"bill": BILL, "amount": 80}, {"bill": "Bill-2", "amount": Decimal("19.5")}],
        "cursor": None,
    }
    assert answer.cost[0] == 1


@pytest.mark.usefixtures("billed")
def test_the_other_direction_is_one_request() -> None:
    answer = READER.call("GET /bills/{bill}/invoices", bill=BILL)
    assert answer.body == {"bill": BILL, "invoices": ["Invoice-2", INVOICE], "cursor": None}
    assert answer.cost[0] == 1
    assert READER.call("GET /bills/{bill}", bill=BILL).body["summary"] == {"invoices": 2}
    unknown = READER.call("GET /bills/{bill}/invoices", bill="unknown")
    assert (unknown.status, unknown.body["invoices"]) == (200, [])


@pytest.mark.usefixtures("billed")
@pytest.mark.parametrize("limit", ["1", "2", "3"])
def test_all_pages_together_are_the_whole_answer(limit: str) -> None:
    pages = [get(limit=limit).body]
    while pages[-1]["cursor"]:
        pages.append(get(limit=limit, cursor=pages[-1]["cursor"]).body)
    assert [page["details"] for page in pages if page["details"]] == [DETAILS]
    assert [page["summary"] for page in pages if page["summary"]] == [{"bills": 2, "amount": Decimal("99.5")}]
    assert [bill["bill"] for page in pages for bill in page["bills"]] == [BILL, "Bill-2"]


@pytest.mark.usefixtures("billed")
def test_a_cursor_is_good_for_its_invoice_only() -> None:
    answer = get("Invoice-2", cursor=get(limit="1").body["cursor"])
    assert (answer.status, answer.fields) == (400, ["cursor"])


@pytest.mark.usefixtures("billed")
def test_a_changed_amount_changes_every_sum(drain: Drain) -> None:
    put_bill(100)
    drain()
    assert get().body["summary"] == {"bills": 2, "amount": Decimal("119.5")}
    assert get("Invoice-2").body["summary"] == {"bills": 1, "amount": 100}


# The write that is refused, the bill, two copies.
@pytest.mark.usefixtures("billed")
@pytest.mark.parametrize("write", range(1, 5))
@pytest.mark.parametrize("repeated", [False, True])
def test_sums_are_exact_after_a_request_that_died(
    table: StreamedTable, drain: Drain, write: int, repeated: bool
) -> None:
    """The bill was stored; the rest is done by the cascade, or by the same request again."""
    with dying_at(table, write, answer_lost=True):
        put_bill(100)
    if repeated:
        put_bill(100)
    drain()
    assert get().body["summary"] == {"bills": 2, "amount": Decimal("119.5")}
    assert get("Invoice-2").body["summary"] == {"bills": 1, "amount": 100}
    assert READER.call("GET /bills/{bill}", bill=BILL).body["summary"] == {"invoices": 2}


def test_who_changes_an_amount_pays_for_the_copies_that_the_cascade_writes(
    billed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy, and the sum of its invoice; the request's own step is charged as it is done."""
    monkeypatch.setattr(amounts, "STEP", 1)
    noted = {"amount": 100, "note": "the amount is as it was"}
    answers = [put_bill(100), put_bill(100), APP.call(PUT_BILL, None, noted, bill=BILL)]
    assert [answer.headers.get("x-caused-units") for answer in answers] == ["2", None, None]


@pytest.mark.usefixtures("billed")
def test_a_bill_taken_out_is_neither_listed_nor_counted(drain: Drain) -> None:
    for _ in range(2):
        answer = APP.call(f"DELETE {RELATION}", invoice=INVOICE, bill=BILL)
        assert (answer.status, answer.body) == (204, None)
        drain()
    assert get().body["summary"] == {"bills": 1, "amount": Decimal("19.5")}
    assert [bill["bill"] for bill in get().body["bills"]] == ["Bill-2"]
    assert READER.call("GET /bills/{bill}", bill=BILL).body["summary"] == {"invoices": 1}


@pytest.mark.usefixtures("billed")
def test_a_bill_put_in_again_counts_once(drain: Drain) -> None:
    contain()
    drain()
    assert get().body["summary"] == {"bills": 2, "amount": Decimal("99.5")}


def test_who_lives_somewhere_is_read_as_before() -> None:
    APP.call(PUT_INVOICE, None, {}, invoice=INVOICE)
    put_bill(1)
    for kind, entity in (("INVOICE", INVOICE), ("BILL", BILL)):
        APP.call("PUT /places/entities/{kind}/{id}", None, {"path": ["US"]}, kind=kind, id=entity)
    assert get().body == {"invoice": INVOICE, "details": DETAILS, "summary": None, "bills": [], "cursor": None}
    assert READER.call("GET /bills/{bill}", bill=BILL).status == 200


def test_what_is_missing_is_named() -> None:
    assert (get("x").status, get("x").body["detail"]) == (404, "there is no invoice 'x'")
    assert READER.call("GET /bills/{bill}", bill="x").body["detail"] == "there is no bill 'x'"
    assert (contain().status, contain().body["detail"]) == (404, f"there is no bill '{BILL}'")
    put_bill(1)
    assert (contain().status, contain().body["detail"]) == (404, f"there is no invoice '{INVOICE}'")


@pytest.mark.parametrize("name", ["a b", "a/b", "a#b", "50%", "é😀", "?", "$23", "x" * 200, "€" * 200])
def test_any_text_is_an_id(name: str) -> None:
    APP.call(PUT_INVOICE, None, {"customer": name}, invoice=name)
    put_bill(1, name)
    assert contain(name, name).body == {"invoice": name, "bill": name, "amount": 1}
    assert get(name).body["bills"] == [{"bill": name, "amount": 1}]
    assert READER.call("GET /bills/{bill}/invoices", bill=name).body["invoices"] == [name]


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, ["amount"]),
        ({"amount": None}, ["amount"]),
        ({"amount": "1"}, ["amount"]),
        ({"amount": True}, ["amount"]),
        ({"amount": [1]}, ["amount"]),
        ('{"amount": NaN}', ["amount"]),
        ('{"amount": Infinity}', ["amount"]),
        ('{"amount": 1e400}', ["amount"]),
        ({"amount": 10**13}, ["amount"]),
        ({"amount": 1e-19}, ["amount"]),
        ({"amount": 1, "due_at": "tomorrow"}, ["due_at"]),
        ({"amount": 1, "due_at": True}, ["due_at"]),
        ({"amount": 1, "note": "x" * 1001}, ["note"]),
        ({"amount": 1, "note": "\ud800"}, ["note"]),
        ({"amount": 1, "note": 1}, ["note"]),
        ({"amount": 1, "notes": "x"}, ["notes"]),
        ([1], ["body"]),
        ("{", ["body"]),
        (None, ["amount"]),
    ],
)
def test_what_is_wrong_with_a_bill_is_named(body: Any, fields: list[str]) -> None:
    answer = APP.call(PUT_BILL, None, body, bill=BILL)
    assert (answer.status, answer.fields) == (400, fields)


@pytest.mark.parametrize(
    ("invoice", "body", "fields"),
    [
        ("a\nb", {}, ["invoice"]),
        ("x" * 201, {}, ["invoice"]),
        (INVOICE, {"customer": ""}, ["customer"]),
        (INVOICE, {"customer": "a\x00"}, ["customer"]),
        (INVOICE, {"issued_at": "10000-01-01T00:00:00Z"}, ["issued_at"]),
        (INVOICE, {"issued_at": 1e300}, ["issued_at"]),
        (INVOICE, {"version": 3}, ["version"]),
    ],
)
def test_what_is_wrong_with_an_invoice_is_named(invoice: str, body: Any, fields: list[str]) -> None:
    answer = APP.call(PUT_INVOICE, None, body, invoice=invoice)
    assert (answer.status, answer.fields) == (400, fields)


@pytest.mark.parametrize("route", [PUT_INVOICE, PUT_BILL, f"PUT {RELATION}", f"DELETE {RELATION}"])
def test_only_applications_may_write(route: str) -> None:
    assert READER.call(route, None, {}, invoice=INVOICE, bill=BILL).status == 403
