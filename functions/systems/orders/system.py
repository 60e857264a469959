"""Orders of customers, open until they ship, and their aggregates."""

from functions import directory
from functions.aggregates.keys import SUMMARY, summarized
from functions.aggregates.kinds import Feed, Kind, Source
from functions.derived import in_list, listed_anew
from functions.dynamodb.keys import Key
from functions.dynamodb.schema import BY_NUMBER, BY_TARGET, BY_VALUE
from functions.system import Rights, System
from functions.systems.orders import codec, keys, patterns
from functions.systems.orders.entity import of_customer

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
