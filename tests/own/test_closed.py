"""A closed shard may lose the state of its last window, and get no further call: then a sweep reads it again."""

from dataclasses import replace
from typing import Any

import pytest
from moto import mock_aws

from delivery import NONE
from edgewise import OwnTable
from edgewise.freshness.telling import Teller
from edgewise.own.closed import QUIET
from edgewise.own.consumer import STREAM, SWEEP
from edgewise.testing.delivered import environment
from edgewise.times import SECOND
from tests.conftest import DUE
from tests.own.orders import order, views
from tests.support.http import Context
from tests.support.own_tables import NAME, TOLD, Shop

OWN = OwnTable("customer", "what", apart=True)


def sweep(shop: Shop, after: float) -> None:
    """The schedule asks for a sweep."""
    with shop.calm():
        shop.wait(after)
        assert shop.handler(dict(SWEEP), Context())["complete"]  # type: ignore[index]
        shop.drain()


@pytest.fixture
def aws(aws_env: pytest.MonkeyPatch) -> Any:
    with mock_aws():
        yield


@pytest.mark.parametrize("generations", [1, 3])
def test_what_waited_in_a_state_that_was_lost_is_read_again_by_a_sweep(
    aws: None, monkeypatch: pytest.MonkeyPatch, generations: int
) -> None:
    """The engine writes nothing into this table, so nothing comes into the shards that continue the closed one."""
    monkeypatch.setattr(Teller, "is_due", DUE)
    shop, products = Shop(OWN, 1, replace(NONE, window_lost=0.99), shards=1), views(OWN).products
    shop.deploy(products)
    stream = shop.streams[NAME]

    def orders() -> int:
        return int(products.get(shop.table, fresh=TOLD, product="tea").orders)

    with shop.delivered():
        order(shop, 1, 10)
        order(shop, 2, 20, "bob")
        for _ in range(generations):
            stream.roll_over(stream.open_shards[0])
        shop.drain()
        assert (shop.simulators[0].windows_lost, orders()) == (1, 0)
        sweep(shop, 60)
        assert orders() == 0, "perhaps it is still being read"
        for _ in range(2):
            sweep(shop, QUIET / SECOND)
            assert orders() == 2


def test_a_stream_that_does_not_answer_stops_no_sweep(aws: None) -> None:
    shop = Shop(OWN, 1, NONE, shards=1)
    shop.deploy(views(OWN).products)
    with shop.delivered(), environment({STREAM: "arn:aws:dynamodb:us-east-1:123456789012:table/gone/stream/1"}):
        sweep(shop, 60)
