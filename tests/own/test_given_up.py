"""Events that Lambda gives up, of the stream of the table beside somebody's own."""

import json
from collections.abc import Iterator

import boto3
import pytest

from delivery import window_event
from edgewise import OwnTable
from edgewise.aggregates.carriers.carrying import CARRIES
from edgewise.aggregates.catalog import Catalog
from edgewise.dynamodb import existing
from edgewise.stream import changes, lost
from edgewise.stream.windows import Waiting
from edgewise.views.view import kept
from tests.own.orders import order, views
from tests.support.http import Context
from tests.support.own_tables import BESIDE, Shop, deployed

OWN = OwnTable("customer", "what", apart=True)
PRODUCTS = views(OWN).products


@pytest.fixture
def shop(aws_env: pytest.MonkeyPatch) -> Iterator[Shop]:
    lost.client.cache_clear()
    with deployed(OWN, PRODUCTS) as made:
        yield made
    lost.client.cache_clear()


def test_what_a_window_without_records_had_left_is_of_the_shard_that_it_came_from(shop: Shop) -> None:
    """The row has absorbed it by the name of that shard. By another name, it would seem to lack it."""
    with shop.delivered():
        order(shop, 1, 10)
        shop.drain()
        read, shards = existing.BESIDE.record, shop.streams[BESIDE].shards
        carried = ((shard, read(each.form)) for shard in shards for each in shard.records)
        ((shard, form),) = ((shard, form) for shard, form in carried if CARRIES in form["dynamodb"]["NewImage"])
        catalog = Catalog(kept(PRODUCTS.declared).kinds)
        waiting = Waiting().with_batch({}, changes.changes(catalog, [form]).brought, None)
        left = {"state": waiting.state, "eventSourceARN": shop.streams[BESIDE].source.arn}
        payload = json.dumps(window_event(shard.id, []) | left)
        boto3.client("s3").create_bucket(Bucket="lost")
        boto3.client("s3").put_object(Bucket="lost", Key="some", Body=json.dumps({"payload": payload}).encode())
        shop.handler({"detail": {"bucket": {"name": "lost"}, "object": {"key": "some"}}}, Context())
        assert PRODUCTS.get(shop.table, product="tea").complete
