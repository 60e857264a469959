"""Billing: invoices, bills, and which invoice contains which bill."""

from functions.aggregates.keys import SUMMARY, summarized
from functions.aggregates.kinds import Feed, Kind, Source
from functions.derived import anew, in_list, in_no_index, listed_anew
from functions.dynamodb.keys import Key
from functions.dynamodb.schema import BY_TARGET, BY_VALUE
from functions.system import FollowUp, Rights, Route, System, one_by_one
from functions.systems.billing import amounts, codec, keys, patterns
from functions.systems.billing.entity import of_bill, of_invoice

PUT_INVOICE = Route("PUT /invoices/{invoice}", "Store an invoice", group="write")
GET_INVOICES = Route("GET /invoices", "All invoices, by id")
GET_INVOICE = Route("GET /invoices/{invoice}", "An invoice, its numbers and its bills")
PUT_CONTAINED = Route("PUT /invoices/{invoice}/bills/{bill}", "Add a bill to an invoice", group="write")
DELETE_CONTAINED = Route("DELETE /invoices/{invoice}/bills/{bill}", "Remove a bill from an invoice", group="write")
PUT_BILL = Route("PUT /bills/{bill}", "Store a bill; the sums of its invoices follow its amount", group="write")
GET_BILL = Route("GET /bills/{bill}", "A bill and its numbers", shows=("BILL",))
GET_BILL_INVOICES = Route("GET /bills/{bill}/invoices", "The invoices that contain a bill")

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
    routes=(
        PUT_INVOICE,
        GET_INVOICES,
        GET_INVOICE,
        PUT_CONTAINED,
        DELETE_CONTAINED,
        PUT_BILL,
        GET_BILL,
        GET_BILL_INVOICES,
    ),
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
