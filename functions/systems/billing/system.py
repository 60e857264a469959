"""Billing: invoices, bills, and which invoice contains which bill."""

from functions.aggregates.keys import SUMMARY, summarized
from functions.aggregates.kinds import Feed, Kind, Source
from functions.derived import anew, in_list, in_no_index, listed_anew
from functions.dynamodb.keys import Key
from functions.dynamodb.schema import BY_TARGET, BY_VALUE
from functions.system import FollowUp, Rights, System, one_by_one
from functions.systems.billing import amounts, codec, keys, patterns
from functions.systems.billing.entity import of_bill, of_invoice

_BILLED = Source("BILLED", codec.billed)
INVOICE = Kind(
    name="INVOICE",
    rank=3,
    cells="bills, the sum of their amounts",
    readable_by_all=True,
    feeds=(Feed(_BILLED, of_invoice),),
    partitions=keys.INVOICES,
    key=lambda invoice: Key(keys.invoice(invoice).pk, SUMMARY),
    parse=summarized,
    sources=lambda reader, invoice: reader.read(patterns.invoice(invoice)),
    extremes=None,
)
BILL = Kind(
    name="BILL",
    rank=3,
    cells="invoices",
    readable_by_all=True,
    feeds=(Feed(_BILLED, of_bill),),
    partitions=keys.BILLS,
    key=lambda bill: Key(keys.bill(bill).pk, SUMMARY),
    parse=summarized,
    sources=lambda reader, bill: reader.read(patterns.invoices_of(bill)),
    extremes=None,
)

SYSTEM = System(
    name="billing",
    rights=Rights(
        actions=("Query", "GetItem", "BatchGetItem", "PutItem", "DeleteItem", "ConditionCheckItem"),
        writes=(keys.INVOICES, keys.BILLS, keys.INVOICE_LIST),
        queried={BY_VALUE: (keys.INVOICE_LIST,), BY_TARGET: (keys.BILLS,)},
    ),
    kinds=(INVOICE, BILL),
    anew={
        "INVOICE_METADATA": listed_anew(codec.invoice, codec.invoice_item, BY_VALUE),
        "BILL_METADATA": in_no_index,
        "BILLED": anew(codec.billed, codec.billed_item),
    },
    copies=(amounts.COPIES,),
    shards={"INVOICE_METADATA": in_list(BY_VALUE)},
    unjudged={"BILL_METADATA": "whether it is in all invoices that it belongs to: only the relation says so"},
    lists={keys.INVOICE_LIST: {}},
    follow_ups={
        "BILL_METADATA": FollowUp(amounts.changed, one_by_one(amounts.carry)),
        "BILLED": FollowUp(amounts.added, one_by_one(amounts.catch_up)),
    },
)
