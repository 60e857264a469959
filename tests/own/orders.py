"""A shop's orders, which a release may be unable to read, with views that are fed in each way."""

from typing import Any, NamedTuple

from edgewise import OwnTable
from edgewise.dynamodb.attributes import Item
from edgewise.views import Items, Number, Text, View, count, distinct, group_by, max_of, min_of, sum_of, top
from tests.own.releases import StrictText
from tests.support.own_tables import NAME, TOLD, Shop

OWN = OwnTable("customer", "what")
PAID: dict[str, Any] = {"state": {"S": "paid"}}


class Views(NamedTuple):
    """Classes of views: written directly; by carriers; by edges; and one that ranks products by their sums."""

    customers: Any
    products: Any
    buyers: Any
    best: Any


def views(own: OwnTable = OWN, *, strict: bool = False, backfill: str = "") -> Views:
    """The views of what is paid, as orders without a state are. A `strict` release can't read those."""

    class Order(Items, table=own):
        customer, product, euros = Text(own.partition), Text(), Number()
        state = StrictText() if strict else Text()

    paid = (Order.state == "paid") | ~Order.state.exists()

    class Customers(View, of=Order, where=paid, backfill=backfill):
        customer = group_by(Order.customer)
        orders, euros, least, greatest = count(), sum_of(Order.euros), min_of(Order.euros), max_of(Order.euros)

    class Products(View, of=Order, where=paid, backfill=backfill):
        product = group_by(Order.product)
        orders, euros = count(), sum_of(Order.euros)

    class Buyers(View, of=Order, where=paid, backfill=backfill):
        product = group_by(Order.product)
        orders, euros, buyers = count(), sum_of(Order.euros), distinct(Order.customer)

    class Best(View, of=Order, where=paid, backfill=backfill):
        orders, euros = count(), sum_of(Order.euros)
        products = top(Order.product, by=euros)

    return Views(Customers, Products, Buyers, Best)


def key(number: int, customer: str = "ann") -> Item:
    """The key of an order."""
    return {"customer": {"S": customer}, "what": {"S": f"order-{number}"}}


def order(shop: Shop, number: int, euros: int, customer: str = "ann", product: str = "tea", **more: Any) -> None:
    """The owner puts an order."""
    item: Item = {**key(number, customer), "euros": {"N": str(euros)}, "product": {"S": product}}
    shop.owner.put_item(TableName=NAME, Item=item | more)


def cancel(shop: Shop, number: int, customer: str = "ann") -> None:
    """The owner removes an order."""
    shop.owner.delete_item(TableName=NAME, Key=key(number, customer))


def told(shop: Shop, view: Any, **keys: str) -> tuple[int, int, bool]:
    """How many orders a row has, what they come to, and whether it is complete, as far as heartbeats tell."""
    row = view.get(shop.table, fresh=TOLD, **keys)
    return row.orders, int(row.euros), row.complete


def name(view: Any) -> str:
    """What operators call a view."""
    return str(view.declared.full_name)
