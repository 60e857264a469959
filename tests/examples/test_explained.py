"""What an explanation says before a deployment is what DynamoDB then charges."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest

from delivery import NONE, Mapping
from edgewise import OwnTable, explain
from edgewise.dynamodb.usage import Usage
from edgewise.own.values import LONGEST_KEY
from edgewise.views import Items, Number, PlainItemError, Text, View, count, distinct, group_by, max_of, sum_of, top
from functions.catalog import CATALOG
from functions.systems.telemetry import codec
from functions.systems.telemetry.entity import Reading
from tests.support.own_tables import NAME, Shop

SHOP = OwnTable("customer", "what")
EVENTS = 300


class Order(Items, table=SHOP):
    customer, product, euros = Text(), Text(), Number()


class Near(View, of=Order):
    customer = group_by(Order.customer)
    orders, euros, greatest = count(), sum_of(Order.euros), max_of(Order.euros)


class Far(View, of=Order):
    product = group_by(Order.product)
    orders, euros = count(), sum_of(Order.euros)


class Entries(View, of=Order):
    product = group_by(Order.product)
    greatest = max_of(Order.euros)


class Edges(View, of=Order):
    product = group_by(Order.product)
    customers = distinct(Order.customer)


class Best(View, of=Order):
    euros = sum_of(Order.euros)
    products = top(Order.product, by=euros)


# Of each view, the units of a change that shares its batch with others, and nothing of a row with them.
DECLARED: dict[type[View], int] = {Near: 1, Far: 1, Entries: 2, Edges: 2, Best: 2}
# But these share their one row.
SHARED: dict[type[View], int] = {Best: 1}
# The checkpoints of a real shard are a few bytes longer or shorter than those that an explanation takes for example.
MARGIN = 20


def order(number: int, of: int) -> Any:
    return {
        "customer": {"S": f"customer-{number % of}"},
        "what": {"S": f"order-{number}"},
        "product": {"S": f"product-{number % of}"},
        "euros": {"N": str(number % 90 + 1)},
    }


def explain_kinds(item: Any) -> object:
    return explain(*CATALOG.kinds.values(), example=item)


@pytest.fixture
def shop(java: None, dynamodb_local: str, aws_env: pytest.MonkeyPatch) -> Iterator[Shop]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL_DYNAMODB", dynamodb_local)
        patch.setattr(Shop, "settings", Mapping(batch_size=1000, tumbling_window=10))
        # All invocations count into one sum.
        patch.setattr(Usage, "reset", lambda *_, **__: None)
        made = Shop(SHOP, 3, NONE)
        yield made
        made.owner.delete_table(TableName=NAME)


def charged(shop: Shop, declared: type[View], of: int) -> float:
    """The write units for each of a second's events, which are about so many customers and products."""
    shop.deploy(declared)
    with shop.delivered():
        for number in range(EVENTS):
            shop.owner.put_item(TableName=NAME, Item=order(number, of))
    return (shop.table.usage.write_units + shop.table.usage.refused_units) / EVENTS


@pytest.mark.parametrize("view", DECLARED)
def test_changes_that_share_nothing_cost_what_it_says(shop: Shop, view: type[View]) -> None:
    told = view.explain(order(1, 1)).puts.units
    assert told == DECLARED[view]
    alone = told - SHARED.get(view, 0)
    # More than that, by what tells how far the shards have come, carriers, and rankings.
    assert alone <= charged(shop, view, EVENTS) < alone + 0.15


def test_changes_that_meet_share_it(shop: Shop) -> None:
    assert charged(shop, Edges, 3) < Edges.explain(order(1, 1)).units / 10


def test_it_counts_the_bytes_that_the_table_has(shop: Shop) -> None:
    """Of a customer whose name is about as long as it may be before a row takes two units."""
    partition = f"edgewise#{Near.declared.full_name}#"

    def named(length: int) -> Any:
        return order(1, 1) | {"customer": {"S": "c" * length}}

    def is_row(item: Any) -> bool:
        return str(item["customer"]["S"]).startswith(partition)

    longest = max(length for length in range(600, LONGEST_KEY - 50) if Near.explain(named(length)).units == 1)
    shop.deploy(Near)
    for length, units in ((longest - MARGIN, 1), (longest + MARGIN, 2)):
        with shop.delivered():
            for number in range(2):
                shop.owner.put_item(TableName=NAME, Item=named(length) | {"what": {"S": f"order-{number}"}})
        (stored,) = (each for each in shop.all(is_row) if len(each["customer"]["S"]) == len(partition) + length)
        asked: Any = {"TableName": NAME, "Item": stored, "ReturnConsumedCapacity": "TOTAL"}
        assert shop.owner.put_item(**asked)["ConsumedCapacity"]["CapacityUnits"] == units


def test_it_names_each_mechanism_and_what_that_costs() -> None:
    name, told = Best.declared.full_name, str(Best.explain(order(1, 1)))
    assert [line.split(":")[0].strip() for line in told.splitlines()] == [
        name,
        "far",
        "products",
        f"{name} (rank 1)",
        "Shared",
        f"{name}-products (rank 1)",
        "Rankings",
        "Shared",
        "carriers",
        "at most 3 write units for one such item, and one a batch, for all views together",
    ]


@pytest.mark.parametrize("explaining", [Edges.explain, explain_kinds])
def test_an_item_of_plain_values_is_refused_by_the_name_of_one(explaining: Callable[[Any], object]) -> None:
    plain = order(1, 1) | {"euros": Decimal(12)}
    with pytest.raises(PlainItemError, match=r"euros is Decimal\('12'\): .*\{'euros': \{\"N\": \"12.5\"\}\}"):
        explaining(plain)
    with pytest.raises(PlainItemError, match="customer is 'ann'"):
        explaining({"customer": "ann"})


def test_a_chain_of_kinds_is_followed_to_its_end() -> None:
    """A reading on time waits in its device's open hour: what that feeds is put when the hour closes."""
    at = 1_700_000_000_000
    reading = Reading("device-1", at, "1", ("DE", "BE"), {"temperature": Decimal(20)})
    explained = explain(*CATALOG.kinds.values(), example=codec.event_item(reading), at=at)
    changed = {str(each.kind): each.changed for each in explained.kinds if each.changed}
    assert (changed, explained.units) == ({"DEVICE": 1, "PLACE": 2}, 3), "itself, and two levels of places"
