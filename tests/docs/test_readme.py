"""The declaration on the first page gives the answer that stands below it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from edgewise import OwnTable
from tests.support.own_tables import NAME, Shop, deployed

(PROGRAM,) = re.findall(r"^```python$(.+?)^```$", (Path(__file__).parents[2] / "README.md").read_text(), re.M | re.S)
DECLARED, _, ASKED = PROGRAM.partition("\nSpent.get(SHOP.open(")
ANSWER = " ".join(re.findall("^# +(.+)$", ASKED, re.M))


def declared() -> Any:
    names: dict[str, Any] = {"__name__": __name__}
    exec(DECLARED, names)
    return names["Spent"]


@pytest.fixture
def shop(aws_env: pytest.MonkeyPatch) -> Iterator[Shop]:
    with deployed(OwnTable("customer", "what"), declared()) as made:
        yield made


def test_three_orders_of_ann(shop: Shop) -> None:
    with shop.delivered():
        for number, euros in enumerate(("4.00", "12.00", "25.50")):
            keys = {"customer": {"S": "ann"}, "what": {"S": f"order-{number}"}}
            shop.owner.put_item(TableName=NAME, Item={**keys, "euros": {"N": euros}})
        other: Any = {"customer": {"S": "ann"}, "what": {"S": "address"}, "euros": {"N": "1000"}}
        shop.owner.put_item(TableName=NAME, Item=other)
    assert ASKED.startswith('"shop-orders"), customer="ann")\n')
    assert repr(declared().get(shop.table, customer="ann")) == ANSWER
