"""Somebody's own table on moto, whose stream a hostile Lambda delivers to the consumer of its views."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from moto import mock_aws

from delivery import HOSTILE, NONE, Faults
from edgewise import OwnTable
from edgewise.freshness.known import Known
from edgewise.freshness.shards import NO_PARENT, Shards
from edgewise.freshness.watermarks import Reached, Watermark
from edgewise.own.freshness import Freshness
from edgewise.testing import requests
from edgewise.testing.delivered import Delivered
from edgewise.testing.requests import Indexes as Indexes
from edgewise.times import DAY, SECOND
from edgewise.views import View

NAME = "shop"
BESIDE = f"{NAME}-totals"
MINUTE = 60 * SECOND
_LATE = 100 * 365 * DAY
_SHARD = Watermark("a", 1, tuple(Reached(at, at, at, at) for at in range(_LATE, _LATE + MINUTE, MINUTE // 6)))
# As if heartbeats had told something: for tests of what may make a total incomplete beside what is on its way.
TOLD = Freshness(Known(Shards(1, {"a": NO_PARENT}), {"a": _SHARD}), _LATE + MINUTE)


class Shop(Delivered):
    """A table of this name, hostile unless a test says otherwise."""

    def __init__(
        self, own: OwnTable, seed: int, faults: Faults = HOSTILE, indexes: Indexes | None = None, shards: int = 3
    ) -> None:
        super().__init__(own, seed, faults, indexes, shards, name=NAME)


def table_request(own: OwnTable, indexes: Indexes) -> dict[str, Any]:
    """The request that makes the shop's table with these indexes alone."""
    return requests.table_request(own, NAME, indexes)


@contextmanager
def deployed(own: OwnTable, *declared: type[View]) -> Iterator[Shop]:
    """Give a shop in memory whose function has been deployed with these views, without faults of the delivery."""
    with mock_aws():
        made = Shop(own, 4, NONE)
        made.deploy(*declared)
        yield made
