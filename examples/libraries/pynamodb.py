"""Views of what PynamoDB stores: the class in `cls`, sets of numbers, instants with +0000, JSON as a text."""

import json

from edgewise import Item, OwnTable, consumer
from edgewise.views import Instant, Items, Number, Text, Texts, View, count, day_of, each_of, group_by, max_of, sum_of


@Text.made(version=1)
def city(item: Item) -> str | None:  # of a JSONAttribute, which is one text for DynamoDB
    return json.loads(item["address"]["S"]).get("city") if "address" in item else None


class Order(Items, table=OwnTable("customer", "number", "SN"), where=Text("cls") == "Order"):
    customer, product, sizes, net, placed = Text(), Text(), Texts(), Number(), Instant()


class Customers(View, of=Order):
    customer = group_by(Order.customer)
    orders, net, greatest = count(), sum_of(Order.net), max_of(Order.net)


class Sizes(View, of=Order):
    size, town = group_by(each_of(Order.sizes)), group_by(city)
    orders, net = count(), sum_of(Order.net)


class Days(View, of=Order):
    product, day = group_by(Order.product), group_by(day_of(Order.placed, "Europe/Zurich"))
    orders = count()


handler = consumer(Customers, Sizes, Days)
