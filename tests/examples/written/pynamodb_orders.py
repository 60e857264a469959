# Nothing here brings PynamoDB, and so no types.
# mypy: disable-error-code="misc,call-arg"
"""What PynamoDB writes: `pip install pynamodb==6.1.0; python pynamodb_orders.py > pynamodb.json`.

Nothing is sent: the requests are written down as DynamoDB would get them.
"""

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

from botocore.client import BaseClient
from pynamodb.attributes import (
    DiscriminatorAttribute,
    JSONAttribute,
    NumberAttribute,
    NumberSetAttribute,
    TTLAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
    UTCDateTimeAttribute,
)
from pynamodb.indexes import AllProjection, LocalSecondaryIndex
from pynamodb.models import Model


class ByProduct(LocalSecondaryIndex[Any]):
    """The orders of a customer by product."""

    class Meta:
        """The index."""

        index_name, projection = "by-product", AllProjection()

    customer, product = UnicodeAttribute(hash_key=True), UnicodeAttribute(range_key=True)


class Shop(Model):
    """What the shop stores of each customer."""

    class Meta:
        """The table."""

        table_name, region = "shop", "us-east-1"

    customer, number = UnicodeAttribute(hash_key=True), NumberAttribute(range_key=True)
    by_product, cls = ByProduct(), DiscriminatorAttribute()


class Order(Shop, discriminator="Order"):
    """An order."""

    product, tags, sizes = UnicodeAttribute(), UnicodeSetAttribute(), NumberSetAttribute()
    net, placed, expires = NumberAttribute(), UTCDateTimeAttribute(), TTLAttribute()
    address = JSONAttribute()


def main() -> None:
    """Store the same orders as the programs beside this one."""
    requests, began = list[Any](), datetime(2026, 11, 28, 20, 30, tzinfo=UTC)

    def sent(_: Any, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        kept = {name: value for name, value in request.items() if name != "ReturnConsumedCapacity"}
        requests.append([operation, kept])
        return {}

    with patch.object(BaseClient, "_make_api_call", sent):
        for number in range(12):
            order = Order("Ann" if number % 3 else "Bob", number)
            order.product, order.net = ["tea", "mug", "pot"][number % 3], 10.5 + number
            order.tags = {tag for at, tag in enumerate(["new", "gift", "sale"]) if (number + at) % 3}
            order.sizes, order.address = {number % 4, 40.5}, {"city": ["Bern", "Basel"][number % 2]}
            order.placed = began + timedelta(hours=7 * (number + 1))
            order.expires = order.placed + timedelta(days=1)
            order.save()
            if number % 2:
                order.product, order.net = "jug", 100 + number
                order.save()
            if number % 5 == 4:
                order.delete()
    print("[\n" + ",\n".join(json.dumps(each, sort_keys=True) for each in requests) + "\n]")  # noqa: T201


if __name__ == "__main__":
    main()
