"""A shop that had orders before its views were declared, which are filled."""

from typing import Any

from delivery import NONE
from edgewise.own import filling, fills
from edgewise.stream import incomplete
from edgewise.times import SECOND
from edgewise.views import (
    View,
    count,
    each_of,
    group_by,
    max_of,
    sum_of,
)
from tests.support.own_tables import TOLD, Shop
from tests.views.shop import SHOP, Order, put

# How long after it is asked for a fill reads; and after its end it is read.
SHORTLY = (filling.SETTLING + fills.CLOCKS) // SECOND
# How long an invocation of a release before may go on.
LONGEST = incomplete.LONGEST_INVOCATION // SECOND


class Customers(View, of=Order, fill=True):
    customer = group_by(Order.customer)
    orders, net, greatest = count(), sum_of(Order.net), max_of(Order.net)


class Tagged(View, of=Order, fill=True):
    tag = group_by(each_of(Order.tags))
    orders = count()


def stored(*views: type[View]) -> Shop:
    shop = Shop(SHOP, 1, NONE)
    with shop.before():
        put(shop, "ann", 1, net=10, product="tea", tags=["new"], createdAt="2026-10-31T22:30:00Z")
        put(shop, "ann", 2, net=30, product="tea", tags=["new", "gift"], createdAt="2026-11-01T22:30:00Z")
        put(shop, "bob", 1, net=5, product="mug", createdAt="2026-11-01T22:30:00Z")
    shop.deploy(*views)
    return shop


def ask(shop: Shop, steps: int = 1000, pace: int = 5000) -> Any:
    answer = shop.command(steps, do="fill", per_second=pace)
    shop.drain()
    return answer


def fill_all(shop: Shop) -> None:
    while not ask(shop)["complete"]:
        pass
    shop.wait(SHORTLY)


def removed(shop: Shop, view: str) -> Any:
    """What an operator is answered who asks for a removal, and once more when no former release can run any more."""
    shop.command(do="remove", view=view)
    shop.wait(LONGEST)
    return shop.command(do="remove", view=view)


def orders_of(shop: Shop, view: Any, **keys: str) -> tuple[int, bool]:
    row = view.get(shop.table, fresh=TOLD, **keys)
    return row.orders, row.complete
