"""Carriers that bring so much that their groups are doubled again and again."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from edgewise.aggregates.carriers import groups
from edgewise.stream import invocation
from edgewise.times import SECOND

# Far below the real ones, so that the number changes while there is much to deliver.
LEAD, COOL_DOWN, MOST = 5 * SECOND, 20 * SECOND, 16


@contextmanager
def growing() -> Iterator[None]:
    """Whatever carriers bring is too much for so few groups."""
    with (
        patch.object(invocation, "MUCH_BROUGHT", 0),
        patch.multiple(groups, LEAD=LEAD, COOL_DOWN=COOL_DOWN, MOST=MOST),
    ):
        yield
