"""Orders of customers, open until they ship, and their aggregates."""

from edgewise import Feed, Indexed, Kind
from functions import directory
from functions.searchable import Contents, searchable
from functions.system import Rights, System
from functions.systems.orders.entity import Order, of_customer
from functions.systems.orders.items import CUSTOMERS, ORDER


def words_of(order: Order) -> Contents:
    """What is searched of an order."""
    about = {"customer": order.customer, "status": "open" if order.is_open() else "shipped"}
    return Contents((order.customer, order.id), order.id, order.customer, order.opened_at, about)


CUSTOMER = Kind(
    name="CUSTOMER",
    rank=3,
    cells="orders, open orders; the sums of their amounts",
    readable_by_all=True,
    feeds=(Feed(ORDER.source(), of_customer),),
    key=ORDER.summary,
    sources=lambda reader, customer: reader.read(ORDER.with_summary(customer)),
    parts=(Indexed(directory.of_summaries(CUSTOMERS)),),
)

SYSTEM = System(
    name="orders",
    rights=Rights(actions=("Query", "GetItem", "BatchGetItem", "PutItem")),
    items=(ORDER,),
    kinds=(CUSTOMER,),
    directories=(CUSTOMERS,),
    outlets={"order": ORDER},
    searchable=(searchable("order", ORDER.source(), CUSTOMERS, words_of, ("customer", "status")),),
)
