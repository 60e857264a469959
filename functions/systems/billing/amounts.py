"""Copies a bill's amount to the relations with its invoices, in steps that may be interrupted and repeated.

A copy is only ever replaced by one of a later version. So the order and the number of writers do not matter: the
request that changed the bill, the same request repeated, or the cascade. An index may show a relation late. If a
relation was stored before the bill's change and the index does not show it yet, the cascade finds it by the relation's
own stream record, and reads the bill again (the limits of this: docs/decisions/0009-cascade.md).
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial

from functions.derived import Copies, Said, Stated, as_read
from functions.dynamodb.attributes import Item, n, string
from functions.dynamodb.keys import Key
from functions.dynamodb.queries import Position
from functions.dynamodb.table import CONNECTIONS, KEYS_PER_BATCH, RefusedError, Table, TransactionRefusedError
from functions.dynamodb.writes import Check, Condition, Put
from functions.systems.billing import codec, keys, patterns
from functions.systems.billing.entity import Bill, Billed

STEP = KEYS_PER_BATCH


def carry_step(table: Table, bill: Bill, after: Position | None = None) -> Position | None:
    """Update up to 100 copies: one query, one batch of reads, a write for each outdated copy.

    Returns the position where the next step continues, or None at the end.
    """
    page = table.query(patterns.invoices_of(bill.id).part(STEP, after))
    invoices = [keys.parse_invoice(string(item["PK"])) for item in page.items]
    _write_older(table, [Billed.of(invoice, bill) for invoice in invoices])
    return page.next


def carry(table: Table, bill: Bill) -> None:
    """Update all copies."""
    after = carry_step(table, bill)
    while after is not None:
        after = carry_step(table, bill, after)


def changed(new: Item, old: Item | None) -> Bill | None:
    """The bill whose amount a change of its item changed."""
    bill = codec.bill(new)
    return bill if old and codec.bill(old).amount_version != bill.amount_version else None


def added(new: Item, old: Item | None) -> Billed | None:
    """The relation that a change added."""
    return None if old else codec.billed(new)


def catch_up(table: Table, billed: Billed) -> None:
    """Update one copy that may have been stored while its bill was changing."""
    item = table.get(keys.bill(billed.bill))
    bill = codec.bill(item) if item else None
    if bill and bill.amount_version > billed.amount_version:
        _write(table, Billed.of(billed.invoice, bill))


def told(item: Item) -> Stated:
    """What a bill says of its amount."""
    bill = codec.bill(item)
    return keys.bill(bill.id), _said(bill)


def said(item: Item) -> Stated:
    """What a relation says of the amount of its bill."""
    billed = codec.billed(item)
    return keys.bill(billed.bill), _said(billed)


def put_right(table: Table, key: Key) -> None:
    """Make a relation, if it still exists, say the present amount of its bill, whatever it said."""
    item = table.get(key)
    invoice, bill_id = keys.parse_invoice(key.pk), keys.parse_bill(key.sk)
    stored = table.get(keys.bill(bill_id))
    if item is None or stored is None:
        return
    bill = codec.bill(stored)
    if _said(bill) == _said(codec.billed(item)):
        return
    right = Put(codec.billed_item(Billed.of(invoice, bill)), as_read(item))
    unchanged = Check(keys.bill(bill_id), Condition(equal={"AmountVersion": n(bill.amount_version)}))
    with suppress(TransactionRefusedError):
        table.transact([right, unchanged])


COPIES = Copies(copy="BILLED", original="BILL_METADATA", told=told, said=said, single=False, put_right=put_right)


def _said(of: Bill | Billed) -> Said:
    return Said(of.amount_version, format(of.amount.normalize(), "f"))


def _write_older(table: Table, wanted: Sequence[Billed]) -> None:
    stored = table.get_many([keys.billed(each.invoice, each.bill) for each in wanted])
    # An eventually consistent read may miss an item that exists; the condition of the write decides.
    older = [each for each in wanted if _version(stored, each) < each.amount_version]
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        for _ in pool.map(partial(_write, table), older):
            pass


def _version(stored: Mapping[Key, Item], billed: Billed) -> int:
    item = stored.get(keys.billed(billed.invoice, billed.bill))
    return codec.billed(item).amount_version if item else 0


def _write(table: Table, billed: Billed) -> None:
    older = Condition(less={"AmountVersion": n(billed.amount_version)})
    with suppress(RefusedError):  # the relation was removed in the meantime, or another writer was faster
        table.write(Put(codec.billed_item(billed), older))
