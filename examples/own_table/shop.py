"""What a shop knows of its orders: the table was there before, and its items are as the shop writes them."""

from edgewise import OwnTable, consumer
from edgewise.views import Items, Number, Text, View, count, distinct, group_by, max_of, min_of, sum_of, top

SHOP = OwnTable("customer", "what")


class Order(Items, table=SHOP, starts="order-"):
    """A customer's orders are order-1, order-2 …; beside them are addresses and payments."""

    customer, product, euros = Text(), Text(), Number()


class Customers(View, of=Order):
    """How many orders each customer has, what they add up to, and the smallest and the greatest."""

    customer = group_by(Order.customer)
    orders, euros, least, greatest = count(), sum_of(Order.euros), min_of(Order.euros), max_of(Order.euros)


class Products(View, of=Order):
    """How many orders each product has, what they add up to, and how many customers it has."""

    product = group_by(Order.product)
    orders, euros, customers = count(), sum_of(Order.euros), distinct(Order.customer)


class Best(View, of=Order):
    """All orders, and the products that sell best."""

    euros = sum_of(Order.euros)
    products = top(Order.product, by=euros)


handler = consumer(Customers, Products, Best)
operators = handler.operators
