"""The shorter ways of the client are the usual ways of botocore, which is asked what it would have sent and parsed."""

import json
from datetime import UTC, datetime
from functools import cache
from typing import Any

import pytest
from botocore.model import OperationModel
from botocore.parsers import create_parser
from botocore.serialize import create_serializer
from botocore.session import get_session
from hypothesis import given
from hypothesis import strategies as st

from edgewise.dynamodb.client import WITH_ITEMS, client
from edgewise.dynamodb.responses import Responses
from edgewise.dynamodb.table import CONFIG

MODEL = get_session().get_service_model("dynamodb")
NAMES = st.sampled_from(["B", "BS", "M", "L", "S", "Item", "a"]) | st.text(max_size=3)
SCALARS = st.one_of(
    st.builds(lambda value: {"S": value}, st.text(max_size=5)),
    st.builds(lambda value: {"N": str(value)}, st.integers()),
    st.builds(lambda value: {"B": value}, st.binary(max_size=5)),
    st.builds(lambda value: {"BS": value}, st.lists(st.binary(max_size=3), min_size=1, max_size=2)),
    st.builds(lambda value: {"SS": value}, st.lists(st.text(max_size=3), min_size=1, max_size=2)),
    st.builds(lambda value: {"BOOL": value}, st.booleans()),
    st.just({"NULL": True}),
)
VALUES: st.SearchStrategy[dict[str, Any]] = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.builds(lambda value: {"L": value}, st.lists(inner, max_size=3)),
        st.builds(lambda value: {"M": value}, st.dictionaries(NAMES, inner, max_size=3)),
    ),
    max_leaves=6,
)
ITEMS = st.dictionaries(NAMES, VALUES, max_size=4)
UNITS = {"TableName": "table", "CapacityUnits": 1.5}


def _operation(name: str) -> OperationModel:
    return MODEL.operation_model(name)


def _body(name: str, params: dict[str, Any]) -> bytes:
    """The body of a request, as botocore makes it."""
    body: bytes = create_serializer("json", include_validation=False).serialize_to_request(params, _operation(name))[
        "body"
    ]
    return body


def _both(name: str, body: bytes, status: int = 200) -> tuple[Any, Any]:
    """What our parser, and botocore's, make of a response."""
    headers = {"x-amzn-RequestId": "some", "Content-Type": "application/x-amz-json-1.0"}
    response = {"body": body, "headers": headers, "status_code": status}
    shape: Any = _operation(name).output_shape
    parsers = Responses(WITH_ITEMS).create_parser("json"), create_parser("json")
    ours, usual = (parser.parse(dict(response), shape) for parser in parsers)
    return ours, usual


def _as_sent(value: Any) -> Any:
    """A value in the form in which DynamoDB answers."""
    return json.loads(_body("PutItem", {"Item": {"value": value}}))["Item"]["value"]


def _answered(item: dict[str, Any]) -> dict[str, Any]:
    return {name: _as_sent(value) for name, value in item.items()}


@given(ITEMS)
def test_answers_are_parsed_as_usual(item: dict[str, Any]) -> None:
    found = _answered(item)
    error = {"Code": "ConditionalCheckFailed", "Message": "no", "Item": found}
    answers: dict[str, Any] = {
        "GetItem": {"Item": found, "ConsumedCapacity": UNITS},
        "Query": {"Items": [found, found], "Count": 2, "LastEvaluatedKey": found, "ConsumedCapacity": UNITS},
        "BatchGetItem": {
            "Responses": {"table": [found]},
            "UnprocessedKeys": {"table": {"Keys": [found], "ConsistentRead": True}},
            "ConsumedCapacity": [UNITS],
        },
        "BatchWriteItem": {"UnprocessedItems": {"table": [{"PutRequest": {"Item": found}}]}},
        "BatchExecuteStatement": {"Responses": [{"TableName": "table"}, {"Error": error}], "ConsumedCapacity": [UNITS]},
    }
    for name, answer in answers.items():
        ours, usual = _both(name, json.dumps(answer).encode())
        assert ours == usual, name


@pytest.mark.parametrize("body", [b"{}", b"", b"no JSON", b'{"Item": null}', b'{"Item": {"a": {"B": "AA=="}}}'])
@pytest.mark.parametrize("status", [200, 400, 500])
def test_whatever_else_comes_is_parsed_as_usual(body: bytes, status: int) -> None:
    ours, usual = _both("GetItem", body, status)
    assert ours == usual


@pytest.mark.parametrize("name", ["TransactionCanceledException", "ProvisionedThroughputExceededException"])
def test_errors_are_parsed_as_usual(name: str) -> None:
    error = {"__type": f"com.amazonaws.dynamodb.v20120810#{name}", "message": "no"}
    ours, usual = _both("TransactWriteItems", json.dumps(error).encode(), 400)
    assert ours == usual
    assert ours["Error"]["Code"] == name


def test_other_operations_are_parsed_as_usual() -> None:
    ours, usual = _both("DescribeTable", b'{"Table": {"TableName": "table", "CreationDateTime": 1.5}}')
    assert ours == usual


@given(ITEMS)
def test_requests_are_sent_as_usual(item: dict[str, Any]) -> None:
    statement = {"Statement": 'INSERT INTO "table"', "Parameters": list(item.values()) or [{"S": ""}]}
    requests: dict[str, dict[str, Any]] = {
        "PutItem": {"TableName": "table", "Item": item, "ReturnConsumedCapacity": "TOTAL"},
        "GetItem": {"TableName": "table", "Key": item, "ConsistentRead": True},
        "BatchWriteItem": {"RequestItems": {"table": [{"PutRequest": {"Item": item}}]}},
        "BatchExecuteStatement": {"Statements": [statement], "ReturnConsumedCapacity": "TOTAL"},
    }
    for name, params in requests.items():
        assert json.loads(_sent(name, params)) == json.loads(_body(name, params)), name


def test_other_operations_are_sent_as_usual() -> None:
    instant = datetime(2026, 11, 23, 5, 41, tzinfo=UTC)
    params = {"SourceTableName": "a", "TargetTableName": "b", "RestoreDateTime": instant}
    sent, usual = (how("RestoreTableToPointInTime", params) for how in (_sent, _body))
    assert json.loads(sent) == json.loads(usual)


def test_a_value_that_dynamodb_does_not_have_is_not_sent() -> None:
    with pytest.raises(TypeError, match="no value of DynamoDB's"):
        _sent("PutItem", {"TableName": "table", "Item": {"a": {"N": {1}}}})


class _SentError(Exception):
    """Instead of sending a request."""


def _stop(request: Any, **_: Any) -> None:
    raise _SentError(request.body)


def _sent(name: str, params: dict[str, Any]) -> bytes:
    """The body that the client would send, as it is signed."""
    with pytest.raises(_SentError) as caught:
        _client()._make_api_call(name, params)
    body: bytes = caught.value.args[0]
    return body


@cache
def _client() -> Any:
    """One for all examples: to make one takes long."""
    made = client(CONFIG)
    made.meta.events.register("before-send.dynamodb", _stop)
    return made


@pytest.fixture(autouse=True)
def _environment(aws_env: pytest.MonkeyPatch) -> None:
    """Where to send requests, and by whose right."""
