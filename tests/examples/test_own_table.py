"""Somebody's own table, whose stream is delivered with every fault: the totals are what a plain count says."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from functools import partial
from itertools import takewhile
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from moto import mock_aws

from delivery import Items, Mapping, Simulator, Source, Stream, install
from edgewise import clock
from edgewise.aggregates.ids import AggregateId
from edgewise.aggregates.keys import of as key
from edgewise.aggregates.measures import Cell
from edgewise.aggregates.stored import cells
from edgewise.dynamodb import client as dynamodb_client
from edgewise.dynamodb.attributes import Attribute, Item
from edgewise.dynamodb.existing import INDEX, INDEX_PARTITION, INDEX_SORT, ExistingTable, ExistingTableClient
from edgewise.dynamodb.table import CONFIG, Table
from edgewise.stream import again, writer
from edgewise.stream.again import Until
from edgewise.stream.changes import Record
from edgewise.stream.handler import consumer
from edgewise.stream.quarantine import page
from edgewise.times import SECOND
from examples.own_table.totals import CATALOG, CUSTOMER, PRODUCT, SHOP
from tests.delivery.consuming import OneByOne
from tests.delivery.simulated import HOSTILE

NAME = "shop"
KEYS = ("customer", "what")
INDEX_KEYS = (INDEX_PARTITION, INDEX_SORT)


class Shop:
    """The shop's table: what the shop writes, and what the engine writes, in one stream."""

    def __init__(self, client: Any, seed: int, existing: ExistingTable = SHOP) -> None:
        self.client, self.stream = client, Stream(Source(keys=list(KEYS)), shards=3)
        self.items = Items(self.stream)
        client.create_table(
            TableName=NAME,
            BillingMode="PAY_PER_REQUEST",
            KeySchema=_schema(KEYS),
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in (*KEYS, *INDEX_KEYS)],
            GlobalSecondaryIndexes=[
                {"IndexName": INDEX, "KeySchema": _schema(INDEX_KEYS), "Projection": {"ProjectionType": "ALL"}}
            ],
        )
        self.table = Table(NAME, ExistingTableClient(client, existing))  # type: ignore[arg-type]
        handler = consumer(CATALOG, existing, lambda: self.table)
        mapping = Mapping(batch_size=12, tumbling_window=10)
        self.simulator = Simulator(handler, self.stream, mapping, HOSTILE, seed=seed)
        # Before the simulator's own hook, which may kill the writer once it has written.
        client.meta.events.register_first("needs-retry.dynamodb.PutItem", self._written)
        install(client, self.simulator.writes)

    def order(self, customer: str, number: int, product: str, euros: int) -> None:
        keys = {"customer": {"S": customer}, "what": {"S": f"order-{number}"}}
        item = {**keys, "product": {"S": product}, "euros": {"N": str(euros)}, "Type": {"S": "mine"}}
        self.client.put_item(TableName=NAME, Item=item)

    @contextmanager
    def delivered(self) -> Iterator[None]:
        """What is written inside is delivered to the end."""
        with (
            patch.object(clock, "now", lambda: int(self.stream.clock.now * SECOND)),
            # The simulator disturbs one write after the other.
            patch.object(writer, "ThreadPoolExecutor", OneByOne),
            patch.object(again, "behind", lambda _, shard_id, __: partial(self.behind, shard_id)),
        ):
            yield
            self.simulator.drain()

    def stored(self, about: AggregateId) -> dict[str, Cell]:
        item = self.table.get(key(about))
        return dict(cells(item)) if item else {}

    def behind(self, shard_id: str, after: int | None, until: Until) -> Iterator[Record]:
        """What is in a shard of the stream behind a number."""
        (found,) = (each for each in self.stream.shards if each.id == shard_id)
        records = (each for each in found.records if each.sequence > (after or 0))
        return takewhile(lambda record: not until.ends_before(record), (each.form for each in records))

    def _written(self, response: Any, request_dict: Any, **_: Any) -> None:
        if response is not None and response[0].status_code < 300:
            self.items.put(json.loads(request_dict["body"])["Item"])


def _schema(names: tuple[str, str]) -> list[dict[str, str]]:
    return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(names, ("HASH", "RANGE"), strict=True)]


@pytest.fixture
def client(aws_env: pytest.MonkeyPatch) -> Iterator[Any]:
    with mock_aws():
        yield dynamodb_client.client(CONFIG)


@pytest.mark.parametrize("seed", range(8))
def test_totals_are_exact_however_the_stream_is_delivered(seed: int, client: Any) -> None:
    shop, random = Shop(client, seed), Random(seed)
    orders: dict[tuple[str, int], tuple[str, int]] = {}
    with shop.delivered():
        for _ in range(200):
            customer, number = random.choice("abc"), random.randint(1, 12)
            orders[customer, number] = product, euros = random.choice(["tea", "mug"]), random.randint(1, 99)
            shop.order(customer, number, product, euros)
            for _ in range(random.randint(0, 3)):
                shop.simulator.step()
    for name in "abc":
        amounts = [euros for (customer, _), (_, euros) in orders.items() if customer == name]
        cell = shop.stored(CUSTOMER(name))["Orders"]
        assert (cell.count, cell.total) == (len(amounts), Decimal(sum(amounts)))
        assert (cell.extremes.low, cell.extremes.high) == (Decimal(min(amounts)), Decimal(max(amounts)))
    for name in ("tea", "mug"):
        amounts = [euros for product, euros in orders.values() if product == name]
        cell = shop.stored(PRODUCT(name))["Sold"]
        assert (cell.count, cell.total) == (len(amounts), Decimal(sum(amounts)))


def _only_of_amy(item: Item) -> str | None:
    assert item["customer"]["S"] == "amy", "whose is it?"
    return SHOP.type_of(item)


@pytest.mark.parametrize(
    ("existing", "euros", "why"),
    [(SHOP, {"S": "many"}, "'N'"), (ExistingTable("customer", "what", _only_of_amy), {"N": "3"}, "'S'")],
    ids=["its values", "its source"],
)
def test_what_nobody_can_read_is_set_aside(existing: ExistingTable, euros: Attribute, why: str, client: Any) -> None:
    shop = Shop(client, 3, existing)
    with shop.delivered():
        shop.order("amy", 1, "tea", 5)
        keys = {"customer": {"S": "bob"}, "what": {"S": "order-1"}}
        client.put_item(TableName=NAME, Item={**keys, "product": {"S": "tea"}, "euros": euros})
        shop.order("amy", 2, "tea", 7)
    assert shop.stored(CUSTOMER("amy"))["Orders"].total == 12
    assert shop.stored(CUSTOMER("bob")) == {}
    ((found,), _) = page(shop.table, 10, None)
    assert why in found.error
