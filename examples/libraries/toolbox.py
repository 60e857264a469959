"""Views of what dynamodb-toolbox stores: the entity's name in `_et`, when it was made in `_ct`, attributes renamed."""

from edgewise import OwnTable, consumer
from edgewise.views import Instant, Items, Number, Text, Texts, View, count, day_of, each_of, group_by, max_of, sum_of

SHOP = OwnTable("pk", "sk")


class Order(Items, table=SHOP, where=Text("_et") == "Order"):
    customer = Text("pk", after="CUSTOMER#")
    product, tags, net = Text("p"), Texts(), Number("price.net")  # string().savedAs("p"), and a map
    made = Instant("_ct")


class Customers(View, of=Order):
    customer = group_by(Order.customer)
    orders, net, greatest = count(), sum_of(Order.net), max_of(Order.net)


class Tagged(View, of=Order):
    tag = group_by(each_of(Order.tags))
    orders, net = count(), sum_of(Order.net)


class Days(View, of=Order):
    product, day = group_by(Order.product), group_by(day_of(Order.made, "Europe/Zurich"))
    orders = count()


handler = consumer(Customers, Tagged, Days)
