"""The consumer with a table of the test's own."""

import uuid
from collections.abc import Callable, Iterator

import pytest

from tests.conftest import create_table, local_client
from tests.delivery.consuming import Consume, consuming
from tests.delivery.simulated import SimulatedEngine


@pytest.fixture
def consume() -> Iterator[Consume]:
    """Gives, for a table, the consumer that works on it."""
    with consuming() as on:
        yield on


@pytest.fixture
def engine_table(dynamodb_local: str, aws_env: pytest.MonkeyPatch) -> Callable[[], SimulatedEngine]:
    """Makes empty tables on DynamoDB Local."""
    client = local_client(dynamodb_local)

    def new() -> SimulatedEngine:
        name = f"delivery-{uuid.uuid4()}"
        create_table(client, name)
        return SimulatedEngine(name, client, shards=4)

    return new
