"""Orders of customers, open until they ship, and their aggregates."""

from edgewise import Feed, Indexed, Kind
from functions import directory
from functions.system import Rights, System
from functions.systems.orders.entity import of_customer
from functions.systems.orders.items import CUSTOMERS, ORDER

CUSTOMER = Kind(
    name="CUSTOMER",
    rank=3,
    cells="orders, open orders; the sums of their amounts",
    readable_by_all=True,
    feeds=(Feed(ORDER.source(), of_customer),),
    partitions=CUSTOMERS,
    sources=lambda reader, customer: reader.read(ORDER.with_summary(customer)),
    parts=(Indexed(directory.of_summaries(CUSTOMERS)),),
)

SYSTEM = System(
    name="orders",
    rights=Rights(actions=("Query", "GetItem", "BatchGetItem", "PutItem")),
    items=(ORDER,),
    kinds=(CUSTOMER,),
    directories=(CUSTOMERS,),
)
