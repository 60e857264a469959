"""Deployments that want different numbers of partial aggregates."""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from unittest.mock import patch

from functions.aggregates import partials
from functions.handlers import edge_aggregator
from functions.settings import ConsumerSettings
from functions.times import SECOND

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
