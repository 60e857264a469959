"""What a view explains of itself is what a change costs that shares its batch with no other one, carriers too."""

from collections import Counter
from typing import Any

import pytest

from delivery import NONE
from edgewise.aggregates.checkpoints import shard_name
from edgewise.views import View, count, group_by, max_of, top
from tests.support.own_tables import Shop
from tests.views.shop import SHOP, Bought, Customers, Order, Products, Sales, Shoppers, Tagged, put

CHANGES = 3
ORDER: dict[str, Any] = {
    **{"net": 5, "status": "open", "product": "tea", "tags": ["new"]},
    "createdAt": "2026-10-31T22:30:00Z",
}


class Best(View, of=Order):
    product = group_by(Order.product)
    orders = count()
    customers = top(Order.customer, by=orders)


class Spent(View, of=Order, fill=True):
    customer = group_by(Order.customer)
    orders, greatest = count(), max_of(Order.net)


def _written(shop: Shop) -> Counter[str]:
    """How often the engine has written items of each name. All are small, so each write is a unit.

    But for what says how far a shard has come: a batch has that once, whatever it changes.
    """
    found: Counter[str] = Counter()
    for shard in shop.streams["shop"].shards:
        for record in shard.records:
            partition, sort = (record.form["dynamodb"]["Keys"][name]["S"] for name in ("pk", "sk"))
            if partition.startswith("edgewise#") and partition != "edgewise#FRESHNESS" and sort != shard_name(shard.id):
                found[partition] += 1
    return found


@pytest.mark.parametrize("view", [Customers, Products, Sales, Tagged, Bought, Shoppers, Best, Spent])
def test_a_lone_change_costs_what_it_says(view: type[View]) -> None:
    shop = Shop(SHOP, 1, NONE, shards=1)
    shop.deploy(view)
    with shop.delivered():
        assert not view.declared.fill or shop.command(do="fill")["complete"]
        put(shop, "ann", 0, **ORDER)
        shop.drain()
        before = _written(shop)
        for number in range(1, CHANGES + 1):
            put(shop, "ann", number, **ORDER)
            shop.drain()
        written = _written(shop) - before
    item: Any = next(item for item in shop.all(lambda item: item["pk"]["S"] == "ann"))
    assert sum(written.values()) / CHANGES == view.explain(item).units, written
