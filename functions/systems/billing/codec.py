"""Items of billing: invoices, bills and the relations between them."""

from collections.abc import Mapping

from functions.aggregates.measures import measurable
from functions.dynamodb.attributes import Attribute, Item, integer, key_item, n, number, s, string
from functions.sharding.lists import FIRST
from functions.systems.billing import keys
from functions.systems.billing.entity import Bill, Billed, Invoice
from functions.times import Millis, from_rfc_3339, rfc_3339


def invoice_item(invoice: Invoice, shard: int = FIRST) -> Item:
    """An invoice's own item, in this shard of the list of all invoices."""
    item = key_item(keys.invoice(invoice.id)) | {
        "Type": s("INVOICE_METADATA"),
        "Version": n(invoice.version),
        "GSI1PK": s(keys.ALL_INVOICES.shard(shard)),
        "GSI1SK": s(keys.listed(invoice.id)),
    }
    return item | _given({"Customer": invoice.customer, "IssuedAt": _text(invoice.issued_at), "Note": invoice.note})


def invoice(item: Item) -> Invoice:
    """The inverse of invoice_item."""
    return Invoice(
        keys.parse_invoice(string(item["PK"])),
        customer=_optional(item, "Customer"),
        issued_at=_instant(item, "IssuedAt"),
        note=_optional(item, "Note"),
        version=integer(item["Version"]),
    )


def listed(entry: Item) -> str:
    """The id of an invoice, from its entry in the list of all invoices."""
    return keys.parse_invoice(string(entry["PK"]))


def bill_item(bill: Bill) -> Item:
    """A bill's own item."""
    item = key_item(keys.bill(bill.id)) | {
        "Type": s("BILL_METADATA"),
        "Version": n(bill.version),
        "Amount": n(bill.amount),
        "AmountVersion": n(bill.amount_version),
    }
    return item | _given({"DueAt": _text(bill.due_at), "Note": bill.note})


def bill(item: Item) -> Bill:
    """The inverse of bill_item; refuses an amount whose sums could not be kept exactly."""
    return Bill(
        keys.parse_bill(string(item["PK"])),
        measurable(number(item["Amount"])),
        due_at=_instant(item, "DueAt"),
        note=_optional(item, "Note"),
        version=integer(item["Version"]),
        amount_version=integer(item["AmountVersion"]),
    )


def billed_item(billed: Billed) -> Item:
    """A relation, with its entry in the inverted index, which follows from the two ids alone."""
    key = keys.billed(billed.invoice, billed.bill)
    return key_item(key) | {
        "Type": s("BILLED"),
        "Amount": n(billed.amount),
        "AmountVersion": n(billed.amount_version),
        "GSI2PK": s(key.sk),
        "GSI2SK": s(key.pk),
    }


def billed(item: Item) -> Billed:
    """The inverse of billed_item; refuses an amount whose sums could not be kept exactly."""
    invoice_id, bill_id = keys.parse_invoice(string(item["PK"])), keys.parse_bill(string(item["SK"]))
    return Billed(invoice_id, bill_id, measurable(number(item["Amount"])), integer(item["AmountVersion"]))


def _given(texts: Mapping[str, str | None]) -> dict[str, Attribute]:
    return {name: s(text) for name, text in texts.items() if text is not None}


def _text(instant: Millis | None) -> str | None:
    return None if instant is None else rfc_3339(instant)


def _optional(item: Item, name: str) -> str | None:
    return string(item[name]) if name in item else None


def _instant(item: Item, name: str) -> Millis | None:
    return from_rfc_3339(string(item[name])) if name in item else None
