"""Views of what ElectroDB stores: keys of its own, composed in lower case, beside the attributes."""

from edgewise import OwnTable, consumer
from edgewise.views import Instant, Items, Number, Text, Texts, View, count, day_of, each_of, group_by, max_of, sum_of

SHOP = OwnTable("pk", "sk")


class Order(Items, table=SHOP, where=(Text("__edb_e__") == "order") & (Text("__edb_v__") == "1")):
    customer = Text("pk", after="$shop#customer_")  # lower case: an order of Ann is in the group of ann
    product, tags, net = Text(), Texts(), Number()
    placed = Instant(milliseconds=True)  # Date.now()


class Customers(View, of=Order):
    customer = group_by(Order.customer)
    orders, net, greatest = count(), sum_of(Order.net), max_of(Order.net)


class Tagged(View, of=Order):
    tag = group_by(each_of(Order.tags))
    orders, net = count(), sum_of(Order.net)


class Days(View, of=Order):
    product, day = group_by(Order.product), group_by(day_of(Order.placed, "Europe/Zurich"))
    orders = count()


handler = consumer(Customers, Tagged, Days)
