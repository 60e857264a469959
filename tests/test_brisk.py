"""moto answers the same with its short cuts as without."""

from decimal import Decimal
from typing import Any
from unittest.mock import patch

import pytest
from moto.core import serialize
from moto.core.utils import get_service_model

from tests.support import brisk

VALUES: list[Any] = [
    {"S": ""},
    {"S": "ü"},
    {"N": "-1.50"},
    {"BOOL": False},
    {"NULL": True},
    {"B": b"\x00\xff"},
    {"SS": ["a", "b"]},
    {"NS": ["1", "2"]},
    {"L": []},
    {"L": [{"N": "1"}, {"M": {"a": {"L": [{"S": "x"}]}}}]},
    {"M": {"a": {"B": b"b"}, "b": {"L": [{"B": b"c"}]}, "c": {}}},
    {"N": Decimal(1)},
]


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_an_item_comes_back_the_same(value: Any) -> None:
    """Both ways are taken on what moto itself would answer."""
    model = get_service_model("dynamodb").operation_model("GetItem")
    result = {"Item": {"PK": {"S": "a"}, "value": value}, "ConsumedCapacity": {"TableName": "t", "CapacityUnits": 0.5}}

    def answered() -> Any:
        return serialize.JSONSerializer(operation_model=model).serialize(result)["body"]

    found = answered()
    with patch.object(serialize.BaseJSONSerializer, "_serialize_type_structure", brisk._STRUCTURE):
        assert found == answered()
