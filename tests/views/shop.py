"""A shop's views, as most tests of views declare them."""

from decimal import Decimal
from typing import Any

from edgewise import OwnTable
from edgewise.views import (
    Instant,
    Items,
    Number,
    Text,
    Texts,
    View,
    count,
    distinct,
    each_of,
    group_by,
    max_of,
    mean_of,
    min_of,
    month_of,
    sum_of,
)
from tests.support.own_tables import NAME, Shop

SHOP = OwnTable("pk", "sk")


class Order(Items, table=SHOP, starts="order-"):
    customer, status, product = Text("pk"), Text(), Text()
    tags, net, placed = Texts(), Number("price.net"), Instant("createdAt")


class Customers(View, of=Order):
    customer = group_by(Order.customer)
    orders, open = count(), count(where=Order.status == "open")
    net, open_net = sum_of(Order.net), sum_of(Order.net, where=Order.status == "open")
    least, greatest, mean = min_of(Order.net), max_of(Order.net), mean_of(Order.net)


class Sales(View, of=Order, where=~(Order.status == "cancelled")):
    product, month = group_by(Order.product), group_by(month_of(Order.placed, zone="Europe/Berlin"))
    orders, net, buyers = count(), sum_of(Order.net), distinct(Order.customer)


class Products(View, of=Order):
    product = group_by(Order.product)
    orders, net = count(), sum_of(Order.net)


class Tagged(View, of=Order):
    tag = group_by(each_of(Order.tags))
    orders, greatest = count(), max_of(Order.net)


class Bought(View, of=Order):
    customer, product = group_by(Order.customer), group_by(Order.product)
    orders, net = count(), sum_of(Order.net)


class Shoppers(View, of=Bought):
    customer = group_by(Bought.customer)
    products, orders, most = count(), sum_of(Bought.orders), max_of(Bought.orders)


def told(*values: Any) -> tuple[Any, ...]:
    """Some values of a row: whole numbers are equal to exact ones."""
    return values


def put(shop: Shop, customer: str, number: int, **attributes: Any) -> None:
    """The owner puts an order; `net` is within its price, and an int or a Decimal is a number."""
    item: Any = {"pk": {"S": customer}, "sk": {"S": f"order-{number}"}}
    if "net" in attributes:
        item["price"] = {"M": {"net": _typed(attributes.pop("net"))}}
    shop.owner.put_item(TableName=NAME, Item=item | {name: _typed(value) for name, value in attributes.items()})


def _typed(value: Any) -> Any:
    if isinstance(value, int | Decimal):
        return {"N": str(value)}
    if isinstance(value, list):
        return {"SS": value}
    return {"NULL": True} if value is None else {"S": value}
