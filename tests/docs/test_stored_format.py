"""The requests that the page on the stored format shows find what the engine stores."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from moto import mock_aws

from edgewise.dynamodb import client
from edgewise.dynamodb.table import CONFIG
from tests.support.own_tables import table_request
from tests.views.stored.vectors import FILE, SHOP

PAGE = (Path(__file__).parents[2] / "docs" / "stored-format.md").read_text()
SHOWN = re.findall(r"^    (\w+) (\{.*?\})\n(?=    \w|\n)", PAGE, re.MULTILINE | re.DOTALL)
TABLE = "shop-orders"


@pytest.fixture
def shop(aws_env: pytest.MonkeyPatch) -> Iterator[Any]:
    """A table with the items that are stored."""
    with mock_aws():
        made = client.client(CONFIG)
        made.create_table(**table_request(SHOP, {}) | {"TableName": TABLE})
        for item in json.loads(FILE.read_text())["items"]:
            made.put_item(TableName=TABLE, Item=item)
        yield made


def test_they_find_a_row_and_the_doubts_and_rows_in_order_and_values(shop: Any) -> None:
    (_, both), (_, rows), (_, values) = [(name, json.loads(request)) for name, request in SHOWN]
    assert [name for name, _ in SHOWN] == ["BatchGetItem", "Query", "Query"]
    found = shop.batch_get_item(**both)["Responses"][TABLE]
    assert [sorted({"Row", "Doubts"} & each["Edgewise"]["M"].keys()) for each in found] == [["Row"], ["Doubts"]]
    told = [each["Edgewise"]["M"]["Row"]["M"]["orders"] for each in shop.query(**rows)["Items"]]
    assert told == [{"N": "2"}, {"N": "1"}]
    assert [each["sk"]["S"].split("#")[-1] for each in shop.query(**values)["Items"]] == ["ann", "b$24b"]
