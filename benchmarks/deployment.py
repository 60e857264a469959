"""The functions in this process, as if they were deployed with one table."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from edgewise.freshness.telling import Teller
from edgewise.stream import again
from functions.cursors import Cursors
from functions.handlers import edge_aggregator
from functions.systems.telemetry import ingest
from functions.web import runtime


@contextmanager
def working_on(table_name: str) -> Iterator[None]:
    """Give every handler this table, a new client of its own, and a secret that needs no request; no state is lost.

    Nobody sends heartbeats, which cost the same whether anything is written or not, and no consumer waits for them.
    """
    cursors = patch.object(runtime, "cursors", lambda: Cursors(lambda: b"only here"))
    nothing_lost = patch.object(again, "behind", lambda *_: lambda *_: ())
    untold = patch.object(Teller, "is_due", lambda *_: False)
    with patch.dict(os.environ, TABLE_NAME=table_name), cursors, nothing_lost, untold:
        _forget()
        yield
        _forget()


def _forget() -> None:
    of_consumer, of_http = (edge_aggregator.settings, edge_aggregator.table), (runtime.settings, runtime.table)
    for kept in (*of_consumer, *of_http, ingest.settings):
        kept.cache_clear()
