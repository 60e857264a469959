"""Billing: invoices, bills, and which invoice contains which bill."""

from edgewise import Feed, KeyTemplate, Kind
from edgewise.pending import FollowUp, one_by_one
from functions.system import Rights, System
from functions.systems.billing import amounts, items
from functions.systems.billing.entity import of_bill, of_invoice

_BILLED = items.BILLED.source()
INVOICE = Kind(
    name="INVOICE",
    rank=3,
    cells="bills, the sum of their amounts",
    readable_by_all=True,
    feeds=(Feed(_BILLED, of_invoice, follow_ups=1),),
    key=items.BILLED.summary,
    sources=lambda reader, invoice: reader.read(items.of_invoice(invoice)),
)
BILL = Kind(
    name="BILL",
    rank=3,
    cells="invoices",
    readable_by_all=True,
    feeds=(Feed(_BILLED, of_bill),),
    key=KeyTemplate("BILL#{bill}"),
    sources=lambda reader, bill: reader.read(items.invoices_of(bill)),
)

SYSTEM = System(
    name="billing",
    rights=Rights(
        actions=("Query", "GetItem", "BatchGetItem", "PutItem", "DeleteItem", "ConditionCheckItem"),
    ),
    items=(items.INVOICE, items.BILL, items.BILLED),
    outlets={"invoice": items.INVOICE, "bill": items.BILL},
    kinds=(INVOICE, BILL),
    copies=(amounts.COPIES,),
    unjudged={"BILL_METADATA": "whether it is in all invoices that it belongs to: only the relation says so"},
    follow_ups={
        "BILL_METADATA": FollowUp(amounts.changed, one_by_one(amounts.carry)),
        "BILLED": FollowUp(amounts.added, one_by_one(amounts.catch_up)),
    },
)
