"""What is delivered again, and what is set aside."""

from typing import Any

import pytest
from botocore.exceptions import ClientError, ConnectTimeoutError, EndpointConnectionError, NoCredentialsError

from edgewise.dynamodb.throttling import ThrottledError, UnprocessedError
from edgewise.errors import MalformedRecordError
from edgewise.failures import PoisonError, is_passing, sorted_out
from edgewise.stream.register import QuarantineFullError
from edgewise.stream.writer import UnfinishedError


def said(code: str, **more: Any) -> ClientError:
    response: Any = {"Error": {"Code": code, "Message": "..."}, **more}
    return ClientError(response, "PutItem")


PASSING = [
    *(said(code) for code in ("ThrottlingException", "ProvisionedThroughputExceededException", "InternalServerError")),
    *(said(code) for code in ("RequestLimitExceeded", "AccessDeniedException", "ResourceNotFoundException")),
    said("TransactionCanceledException", CancellationReasons=[{"Code": "None"}, {"Code": "ThrottlingError"}]),
    EndpointConnectionError(endpoint_url="x"),
    ConnectTimeoutError(endpoint_url="x"),
    NoCredentialsError(),
    ConnectionResetError(),
    TimeoutError(),
    MemoryError(),
    ThrottledError(()),
    UnprocessedError("busy"),
    UnfinishedError(1, 2),
    QuarantineFullError(),
]
POISON = [
    said("ValidationException"),
    said("ItemCollectionSizeLimitExceededException"),
    said("TransactionCanceledException", CancellationReasons=[{"Code": "ValidationError"}, {"Code": "None"}]),
    MalformedRecordError("..."),
    KeyError("Edges"),
    RecursionError(),
    RuntimeError("nobody foresaw this"),
    ZeroDivisionError(),
    AssertionError(),
]


@pytest.mark.parametrize("error", PASSING, ids=str)
def test_what_passes_is_raised_as_it_is(error: Exception) -> None:
    with pytest.raises(type(error)), sorted_out():
        raise error


@pytest.mark.parametrize("error", POISON, ids=str)
def test_everything_else_is_poison(error: Exception) -> None:
    assert not is_passing(error)
    with pytest.raises(PoisonError, match=type(error).__name__), sorted_out():
        raise error


def test_nobody_survives_the_end_of_the_process() -> None:
    with pytest.raises(KeyboardInterrupt), sorted_out():
        raise KeyboardInterrupt
