"""What a shop knows of its orders: the table was there before, and its items are as the shop writes them."""

from edgewise import BeginsWith, OwnTable, consumer, totals

# The shop's keys: a customer's orders are order-1, order-2 …; beside them are addresses and payments.
SHOP = OwnTable("customer", "what")
ORDERS = SHOP.items("order", BeginsWith("order-"))
# Count, sum, smallest and greatest order of each customer.
CUSTOMERS = totals(ORDERS, "CUSTOMER", by="customer", of="euros", extremes=True)
# Count and sum of each product, how many customers it has, and the ten that sell best.
PRODUCTS = totals(ORDERS, "PRODUCT", by="product", of="euros", distinct="customer", top=10)

handler = consumer(CUSTOMERS, PRODUCTS)
operators = handler.operators
