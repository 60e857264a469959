"""What docs/outlet.md shows is what is told, and its function drops what comes again."""

import json
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto import mock_aws

from delivery import Source, make_record
from functions.catalog import OUTLETS
from functions.outlet.events import events
from functions.systems.orders.entity import Order
from functions.systems.orders.items import ORDER
from tests.support.http import Context

PAGE = (Path(__file__).parents[2] / "docs" / "outlet.md").read_text()
AT = 1_535_544_060_000
RECORD = make_record(Source(), None, ORDER.encode(Order("ann", "Order-4", AT, Decimal("10.5"))), 2, AT / 1000).form
(TOLD,) = events(OUTLETS, ["order"], [RECORD])


def test_an_event_has_the_form_that_the_page_shows() -> None:
    (shown,) = re.findall(r'"detail": ({.*?})}\n\n', PAGE, re.DOTALL)
    assert json.loads(shown) == json.loads(TOLD)
    queued = json.loads((Path(__file__).parents[1] / "events" / "outlet_sqs.json").read_text())["Records"][0]["body"]
    assert queued == TOLD


def test_the_entities_that_the_page_names_are_those_that_a_stage_can_name() -> None:
    (names,) = re.findall(r"There are (.+?)\.", PAGE)
    assert tuple(re.findall(r"`(\w+)`", names)) == OUTLETS.names


@pytest.fixture
def receive(aws_env: pytest.MonkeyPatch) -> Iterator[tuple[Callable[[Any], Any], list[Any]]]:
    """The page's function, and what it has shipped."""
    (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    shipped = list[Any]()
    with mock_aws():
        boto3.client("dynamodb").create_table(
            TableName="told",
            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
            BillingMode="PAY_PER_REQUEST",
        )
        names: dict[str, Any] = {"ship": shipped.append}
        exec(code, names)
        yield lambda event: names["handler"](event, Context()), shipped


def test_what_comes_again_is_shipped_once(receive: tuple[Callable[[Any], Any], list[Any]]) -> None:
    handler, shipped = receive
    detail = json.loads(TOLD)
    for event_id in ("a", "b"):  # EventBridge's own id is another one each time
        handler({"id": event_id, "detail": detail})
    handler({"id": "c", "detail": detail | {"id": "another"}})
    assert len(shipped) == 2
