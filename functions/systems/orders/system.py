"""Orders of customers, open until they ship, and their aggregates."""

from functions import directory
from functions.aggregates.keys import SUMMARY, summarized
from functions.aggregates.kinds import Feed, Kind, Source
from functions.derived import in_list, listed_anew
from functions.dynamodb.keys import Key
from functions.dynamodb.schema import BY_NUMBER, BY_TARGET, BY_VALUE
from functions.system import Rights, Route, System
from functions.systems.orders import codec, keys, patterns
from functions.systems.orders.entity import of_customer

POST_ORDER = Route(
    "POST /customers/{customer}/orders",
    "Place an order; with an order_id or an Idempotency-Key, repeating it changes nothing",
    group="write",
)
GET_CUSTOMERS = Route("GET /customers", "All customers that have orders, by id")
GET_CUSTOMER_ORDERS = Route(
    "GET /customers/{customer}/orders",
    "A customer's numbers and orders by id; with from, to, order or status: orders by opening time",
    shows=("CUSTOMER",),
)
POST_SHIPMENT = Route(
    "POST /customers/{customer}/orders/{order}/ship", "Ship an order; it is no longer open", group="write"
)
GET_OPEN_ORDERS = Route("GET /orders/open", "The open orders of all customers, by opening time")

CUSTOMER = Kind(
    name="CUSTOMER",
    rank=3,
    cells="orders, open orders; the sums of their amounts",
    readable_by_all=True,
    feeds=(Feed(Source("ORDER", codec.order), of_customer),),
    partitions=keys.CUSTOMERS,
    key=lambda customer: Key(keys.customer(customer), SUMMARY),
    parse=summarized,
    sources=lambda reader, customer: reader.read(patterns.customer(customer)),
    extremes=None,
    index=directory.of_summaries(keys.CUSTOMERS),
)

SYSTEM = System(
    name="orders",
    routes=(
        POST_ORDER,
        GET_CUSTOMERS,
        GET_CUSTOMER_ORDERS,
        POST_SHIPMENT,
        GET_OPEN_ORDERS,
    ),
    rights=Rights(
        actions=("Query", "GetItem", "BatchGetItem", "PutItem"),
        writes=(keys.CUSTOMERS, keys.OPEN_ORDERS),
        queried={BY_VALUE: (keys.OPEN_ORDERS,), BY_TARGET: (keys.CUSTOMERS,), BY_NUMBER: (keys.OPEN,)},
    ),
    kinds=(CUSTOMER,),
    anew={"ORDER": listed_anew(codec.order, codec.order_item, BY_VALUE)},
    shards={"ORDER": in_list(BY_VALUE)},
    lists={keys.OPEN_ORDERS: {}},
    directories=(keys.CUSTOMERS,),
)
