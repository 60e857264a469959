"""A consumer runs against DynamoDB Local as against a real stream; what it lacks is called by its name."""

import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from edgewise import OwnTable, aws, clock, consumer
from edgewise.dynamodb import client as dynamodb_client
from edgewise.dynamodb.table import CONFIG
from edgewise.own.table import UnnamedTableError
from edgewise.testing import local
from edgewise.testing.local import NEEDED, MissingSettingError, main
from edgewise.views import Items, Number, Text, View, count, group_by, sum_of
from tests.views.shop import SHOP, Customers, Products

PAGE = (Path(__file__).parents[2] / "docs" / "views.md").read_text()
TABLE, BESIDE = "local-orders", "local-totals"


class Stopped(Exception):
    """Somebody has stopped it."""


@pytest.fixture
def shop(dynamodb_local: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A client of an engine that has no table yet, where the environment says all that is needed."""
    values = dict.fromkeys(NEEDED, "any") | {"AWS_ENDPOINT_URL": dynamodb_local, "TABLE_NAME": TABLE}
    for name, value in {**values, "AWS_DEFAULT_REGION": "us-east-1", "STREAM_ARN": ""}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AGGREGATES_TABLE_NAME", raising=False)
    streams = aws.client("dynamodbstreams")
    monkeypatch.setattr(aws, "streams", lambda: streams)
    client: Any = dynamodb_client.client(CONFIG)
    yield client
    for name in {TABLE, BESIDE} & {*client.list_tables()["TableNames"]}:
        client.delete_table(TableName=name)


def run(monkeypatch: pytest.MonkeyPatch, handler: Any) -> None:
    """Deliver until nothing is new."""
    module = ModuleType("shop_of_tests")
    vars(module)["handler"] = handler
    monkeypatch.setitem(sys.modules, "shop_of_tests", module)
    monkeypatch.setattr(clock, "sleep", stop)
    monkeypatch.setattr(sys, "path", [*sys.path])
    with pytest.raises(Stopped):
        main(["shop_of_tests.handler"])


def stop(_: float) -> None:
    raise Stopped


def test_what_is_written_there_is_counted(shop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    handler = consumer(Customers, Products)
    run(monkeypatch, handler)
    for number, product in enumerate(["tea", "mug", "tea"]):
        price = {"M": {"net": {"N": "12.5"}}}
        item = {"pk": {"S": "ann"}, "sk": {"S": f"order-{number}"}, "product": {"S": product}, "price": price}
        shop.put_item(TableName=TABLE, Item=item)
    run(monkeypatch, handler)
    run(monkeypatch, handler)
    row = Customers.get(SHOP.open(), customer="ann")
    assert (row.orders, row.net, row.complete) == (3, Decimal("37.5"), True)
    assert Products.get(SHOP.open(), product="tea").orders == 2


class Invoice(Items, table=OwnTable("id")):
    buyer, net = Text(), Number()


class Buyers(View, of=Invoice):
    buyer = group_by(Invoice.buyer)
    invoices, net = count(), sum_of(Invoice.net)


def test_a_table_beside_is_made_too(shop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGGREGATES_TABLE_NAME", BESIDE)
    run(monkeypatch, consumer(Buyers))
    shop.put_item(TableName=TABLE, Item={"id": {"S": "1"}, "buyer": {"S": "x"}, "net": {"N": "3"}})
    for _ in range(3):
        run(monkeypatch, consumer(Buyers))
    assert Buyers.get(Invoice._selection.table.open(), buyer="x").net == 3


@pytest.mark.parametrize("name", NEEDED)
def test_a_setting_that_is_missing_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for each in NEEDED:
        monkeypatch.setenv(each, "any")
    monkeypatch.delenv(name)
    with pytest.raises(MissingSettingError, match=f"set {name} in the environment: "):
        main(["shop.handler"])


def test_a_table_beside_must_be_named(shop: Any) -> None:
    with pytest.raises(UnnamedTableError, match="Set AGGREGATES_TABLE_NAME in the environment"):
        local.Following(consumer(Buyers))


def test_the_page_sets_all_that_is_needed() -> None:
    assert [name for name in NEEDED if f"{name}=" not in PAGE] == []
