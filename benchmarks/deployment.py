"""The functions in this process, as if they were deployed with one table."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from functions.dynamodb.cursors import Cursors
from functions.handlers import edge_aggregator
from functions.settings import NOTHING_DEFERRED
from functions.web import runtime


@contextmanager
def working_on(table_name: str, deferred: str = NOTHING_DEFERRED) -> Iterator[None]:
    """Give every handler this table, a new client of its own, and a secret that needs no request.

    `deferred` as in ConsumerSettings.
    """
    cursors = patch.object(runtime, "cursors", lambda: Cursors(lambda: b"only here"))
    with patch.dict(os.environ, TABLE_NAME=table_name, DEFERRED=deferred), cursors:
        _forget()
        yield
        _forget()


def _forget() -> None:
    for kept in (edge_aggregator.settings, edge_aggregator.table, runtime.settings, runtime.table):
        kept.cache_clear()
