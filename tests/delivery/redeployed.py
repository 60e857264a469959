"""Deployments that want different numbers of partial aggregates, or let other kinds wait."""

from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager
from random import Random
from typing import Any
from unittest.mock import patch

from delivery import Handler
from functions.aggregates import partials
from functions.catalog import CATALOG
from functions.dynamodb.table import Table
from functions.handlers import edge_aggregator
from functions.settings import ConsumerSettings
from functions.times import SECOND
from tests.delivery.consuming import Consume

NUMBERS = ("1", "2", "3", "8")
# Far below the real ones, so that the number changes many times while there is much to deliver.
LEAD, COOL_DOWN = 5 * SECOND, 10 * SECOND


@contextmanager
def deployed(random: Random) -> Iterator[None]:
    """Releases after and beside each other that want other numbers of partial aggregates, or say nothing of them."""

    def settings() -> ConsumerSettings:
        return ConsumerSettings("Memory", "shard", "puts", partials=random.choice(("unchanged", "unchanged", *NUMBERS)))

    with (
        patch.object(edge_aggregator, "settings", settings),
        patch.multiple(partials, LEAD=LEAD, COOL_DOWN=COOL_DOWN),
    ):
        yield


def waiting(consume: Consume, kinds: Callable[[], Set[str]]) -> Consume:
    """The consumer by another release in each invocation, which lets these kinds wait."""

    def deployed(table: Table) -> Handler:
        handler = consume(table)

        def handle(event: Any, context: Any) -> Any:
            with patch.object(CATALOG, "waiting", kinds()):
                return handler(event, context)

        return handle

    return deployed
