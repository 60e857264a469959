"""The engines' tables without the recording, which reads before it writes."""

import pytest

from edgewise.dynamodb.table import Table
from functions.replay.memory import MemoryTable
from tests.support.streams import Recording


@pytest.fixture
def table(engine: Recording) -> Table:
    """An empty table on each engine in turn."""
    return bare(engine)


def bare(engine: Recording) -> Table:
    """The same table, not recorded; in memory, an empty one."""
    return MemoryTable() if isinstance(engine, MemoryTable) else Table(engine.name, engine.client)
