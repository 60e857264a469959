"""Every handler on a table in memory."""

import pytest

from edgewise.stream import writer
from functions.cursors import Cursors
from functions.handlers import edge_aggregator
from functions.settings import NO_BATCH, ConsumerSettings
from functions.web import runtime
from tests.support.streams import StreamedMemory


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> StreamedMemory:
    """What the HTTP functions and the consumer work on."""
    table = StreamedMemory()
    for module in (runtime, edge_aggregator):
        monkeypatch.setattr(module, "table", lambda: table)
    monkeypatch.setattr(runtime, "cursors", lambda: Cursors(lambda: b"a secret of these tests, 32 bytes"))
    monkeypatch.setattr(edge_aggregator, "settings", lambda: ConsumerSettings("Strict", "puts", NO_BATCH))
    monkeypatch.setattr(writer, "WRITERS", 1)  # the recorded stream is one list
    return table
