"""Both readers of the stream, for tests of the routes."""

from collections.abc import Callable

import pytest

from functions.handlers import cascade
from tests.support.http import Context
from tests.support.streams import StreamedTable


@pytest.fixture
def settle(table: StreamedTable, drain: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Let the cascade and the aggregator see everything by turns, until nothing is left to be seen."""
    monkeypatch.setattr(cascade, "table", lambda: table)

    def both() -> None:
        (shard,) = table.shards.values()
        seen = 0
        while seen < len(shard):
            records, seen = shard[seen:], len(shard)
            cascade.handler({"Records": records}, Context())
            drain()

    return both
