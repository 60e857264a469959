"""Somebody's own table on moto, whose stream a hostile Lambda delivers to the consumer of its views."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from moto import mock_aws

from delivery import HOSTILE, NONE, Faults
from edgewise import OwnTable
from edgewise.testing import requests
from edgewise.testing.comparing import TOLD as TOLD
from edgewise.testing.delivered import Delivered
from edgewise.testing.requests import Indexes as Indexes
from edgewise.views import View

NAME = "shop"
BESIDE = f"{NAME}-totals"


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
