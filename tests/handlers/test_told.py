"""What the functions that nobody waits for tell: the level of the quarantine, aggregates found wrong."""

import pytest

from edgewise.dynamodb.table import Table
from edgewise.stream.quarantine import Entry, quarantine
from functions.handlers import cascade, sweeper
from tests.support.http import Context
from tests.support.streams import window_event
from tests.support.told import counted, lines


def test_the_level_of_the_quarantine_is_told_even_if_nothing_happens(
    table: Table, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sweeper, "table", lambda: table)
    sweeper.handler({}, Context())
    assert counted("QuarantineLevel", capsys) == [0]
    for number in range(3):
        quarantine(table, "0001-a", Entry({"eventID": str(number)}, "unclear"))
    sweeper.handler({}, Context())
    assert counted("QuarantineLevel", capsys) == [3]


def test_the_cascade_tells_what_it_took_and_spent() -> None:
    with lines() as found:
        cascade.handler(window_event("0001-a", []), Context())
    (line,) = found
    assert (line["message"], line["records"], line["finished"], line["requests"]) == ("followed up", 0, 0, 0)
    assert {"took_ms", "read_units", "write_units"} <= line.keys()
