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

from edgewise import Check, Condition, Item, Key, Position, Put, RefusedError, Table, TransactionRefusedError
from edgewise.aggregates.measures import EXACT
from edgewise.derived import Copies, Said, Stated
from edgewise.dynamodb.attributes import n, string
from edgewise.dynamodb.table import CONNECTIONS, KEYS_PER_BATCH
from functions.systems.billing import items
from functions.systems.billing.entity import Bill, Billed
from functions.systems.billing.items import BILL, BILLED

STEP = KEYS_PER_BATCH
# What a copy takes that the cascade writes, in units: the copy, and the numbers of its invoice.
COPY = 2


def carry_step(table: Table, bill: Bill, after: Position | None = None) -> Position | None:
    """Update up to 100 copies: one query, one batch of reads, a write for each outdated copy.

    Returns the position where the next step continues, or None at the end.
    """
    page = table.query(items.invoices_of(bill.id).part(STEP, after))
    invoices = [BILLED.partition.values(string(item["PK"]))[0] for item in page.items]
    _write_older(table, [Billed.of(invoice, bill) for invoice in invoices])
    return page.next


def carry(table: Table, bill: Bill) -> None:
    """Update all copies."""
    after = carry_step(table, bill)
    while after is not None:
        after = carry_step(table, bill, after)


def changed(new: Item, old: Item | None) -> Bill | None:
    """The bill whose amount a change of its item changed."""
    bill = BILL.decode(new)
    return bill if old and BILL.decode(old).amount_version != bill.amount_version else None


def added(new: Item, old: Item | None) -> Billed | None:
    """The relation that a change added."""
    return None if old else BILLED.decode(new)


def catch_up(table: Table, billed: Billed) -> None:
    """Update one copy that may have been stored while its bill was changing."""
    item = table.get(BILL.key(billed.bill))
    bill = BILL.decode(item) if item else None
    if bill and bill.amount_version > billed.amount_version:
        _write(table, Billed.of(billed.invoice, bill))


def told(item: Item) -> Stated:
    """What a bill says of its amount."""
    bill = BILL.decode(item)
    return BILL.key(bill.id), _said(bill)


def said(item: Item) -> Stated:
    """What a relation says of the amount of its bill."""
    billed = BILLED.decode(item)
    return BILL.key(billed.bill), _said(billed)


def put_right(table: Table, key: Key) -> None:
    """Make a relation, if it still exists, say the present amount of its bill, whatever it said."""
    item = table.get(key)
    invoice, bill_id = BILLED.names(key)
    stored = table.get(BILL.key(bill_id))
    if item is None or stored is None:
        return
    bill = BILL.decode(stored)
    if _said(bill) == _said(BILLED.decode(item)):
        return
    right = Put(BILLED.encode(Billed.of(invoice, bill)), Condition.as_read(item))
    unchanged = Check(BILL.key(bill_id), Condition(equal={"AmountVersion": n(bill.amount_version)}))
    with suppress(TransactionRefusedError):
        table.transact([right, unchanged])


COPIES = Copies(
    name=BILLED.name,
    copies=(BILLED.name,),
    originals=(BILL.name,),
    told=told,
    said=said,
    single=False,
    put_right=put_right,
)


def _said(of: Bill | Billed) -> Said:
    return Said(of.amount_version, format(EXACT.normalize(of.amount), "f"))


def _write_older(table: Table, wanted: Sequence[Billed]) -> None:
    stored = table.get_many([BILLED.key(each.invoice, each.bill) for each in wanted])
    # An eventually consistent read may miss an item that exists; the condition of the write decides.
    older = [each for each in wanted if _version(stored, each) < each.amount_version]
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        for _ in pool.map(partial(_write, table), older):
            pass


def _version(stored: Mapping[Key, Item], billed: Billed) -> int:
    item = stored.get(BILLED.key(billed.invoice, billed.bill))
    return BILLED.decode(item).amount_version if item else 0


def _write(table: Table, billed: Billed) -> None:
    older = Condition(less={"AmountVersion": n(billed.amount_version)})
    with suppress(RefusedError):  # the relation was removed in the meantime, or another writer was faster
        table.write(Put(BILLED.encode(billed), older))
