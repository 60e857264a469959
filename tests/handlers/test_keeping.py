"""The consumer keeps one batch in so many: what was decisive of what it read, and what it wrote."""

import gzip
import json
from typing import Any

import pytest

from edgewise import clock
from edgewise.aggregates.keys import SUMMARY
from edgewise.dynamodb.attributes import Item, n
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.writes import Put
from edgewise.freshness.telling import Teller
from edgewise.stream.keeping import NotedTable
from edgewise.stream.kept import KeptBatch, OtherFormatError
from functions import keeping as keeping_module
from functions.handlers import edge_aggregator
from functions.keeping import Keeper, keeper
from functions.settings import NO_BATCH
from functions.systems.telemetry import keys as telemetry_keys
from ops.rehearsing.apart import computed
from tests.conftest import DUE
from tests.handlers.test_consumer import readings, window
from tests.support.http import Context
from tests.support.keeping import keeping, otherwise
from tests.support.streams import PRESENT, StreamedTable, window_event
from tests.support.told import lines

DEVICE = Key(telemetry_keys.device("d"), SUMMARY)


def reading(number: int) -> list[dict[str, Any]]:
    """One of a device, and no other device's."""
    return readings("d", sequence=10**20 + number)


def test_what_is_kept_is_computed_again_as_it_was(table: StreamedTable) -> None:
    edge_aggregator.handler(window_event("0001-a", reading(1)), Context())
    before = table.get(DEVICE)
    with keeping() as objects:
        answer = edge_aggregator.handler(window_event("0001-a", reading(2)), Context())
    (kept,) = objects.batches
    assert (kept.read[DEVICE], kept.written[DEVICE]) == (before, table.get(DEVICE))
    assert before != table.get(DEVICE)
    assert kept.answer == json.loads(json.dumps(answer))
    assert [key for key, _ in objects.stored] == ["batches/2018-08-29T12:01:00.000Z-0001-a.json.gz"]
    assert otherwise(kept) == []


def test_what_somebody_else_wrote_before_the_try_that_was_taken_is_what_was_read(
    table: StreamedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    edge_aggregator.handler(window_event("0001-a", reading(1)), Context())
    replace, raced = table.replace, list[Item]()

    def beside(replacement: Any) -> None:
        if not raced and replacement.item["PK"]["S"] == DEVICE.pk and replacement.former:
            raced.append(replacement.former | {"Version": n(int(replacement.former["Version"]["N"]) + 7)})
            table.write(Put(raced[0]))
        replace(replacement)

    monkeypatch.setattr(table, "replace", beside)
    with keeping() as objects:
        edge_aggregator.handler(window_event("0001-a", reading(2)), Context())
    (kept,) = objects.batches
    assert raced == [kept.read[DEVICE]]
    assert otherwise(kept) == []


def test_what_depends_on_the_clock_lies_between_its_beginning_and_its_end(
    table: StreamedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first version of an item is the time at which it was written, which the clock tells again and again."""
    times = iter(range(PRESENT, PRESENT + 1000))
    with keeping() as objects, monkeypatch.context() as patch:
        patch.setattr(clock, "now", lambda: next(times))
        edge_aggregator.handler(window_event("0001-a", reading(1)), Context())
    (kept,) = objects.batches
    device = kept.written[DEVICE]
    assert device
    assert kept.began < int(device["Version"]["N"]) < kept.ended
    assert otherwise(kept) == []
    device["Version"] = n(kept.ended + 1)
    assert [found.place.where for found in otherwise(kept)] == ["Version"]


def test_a_batch_into_which_somebody_wrote_is_not_kept(table: StreamedTable) -> None:
    """Of an item that the batch writes and reads again: no one state of the table explains both."""
    noted = NotedTable(table)
    item = {"PK": {"S": "p"}, "SK": {"S": "s"}, "Version": n(1)}
    noted.write(Put(item))
    assert noted.torn == ""
    table.write(Put(item | {"Version": n(2)}))
    noted.get(Key("p", "s"))
    assert noted.torn == "somebody else wrote p s meanwhile"


def test_a_batch_that_reads_very_much_is_not_kept_in_memory(
    table: StreamedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("edgewise.stream.keeping.MOST_ITEMS", 3)
    noted = NotedTable(table)
    for number in range(5):
        noted.get(Key("p", str(number)))
        assert len(noted.read) <= 3
    assert noted.torn == "it reads 3 items or more"
    assert not noted.read


@pytest.mark.parametrize("fails", ["AccessDenied", "SlowDown"])
def test_whatever_the_bucket_says_the_batch_is_absorbed(table: StreamedTable, fails: str) -> None:
    with keeping(fails=fails), lines() as found:
        edge_aggregator.handler(window_event("0001-a", reading(1)), Context())
    assert table.get(DEVICE)
    assert [fails in line["why"] for line in found if line["message"] == "not kept"] == [True]


def test_a_batch_that_is_too_large_is_not_kept(table: StreamedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping_module, "MOST_BYTES", 100)
    with keeping() as objects, lines() as found:
        edge_aggregator.handler(window_event("0001-a", reading(1)), Context())
    assert (objects.stored, table.get(DEVICE) is None) == ([], False)
    assert [line["why"].startswith("it has ") for line in found if line["message"] == "not kept"] == [True]


def test_one_in_so_many_is_kept_the_same_each_time() -> None:
    events = [window_event("0001-a", reading(number)) for number in range(1000)]
    chosen = [Keeper(10, "b").keeps(event) for event in events]
    assert 50 < sum(chosen) < 150
    assert chosen == [Keeper(10, "b").keeps(event) for event in events]


def test_a_windows_last_call_counts_as_one_if_something_waits_and_nothing_else_does() -> None:
    waiting = {"format": 6, "waiting": ["x"], "brought": [], "reached": [], "since": None, "brings": None}
    assert Keeper(1, "b").keeps(window([], state=waiting, isFinalInvokeForWindow=True))
    assert not Keeper(1, "b").keeps(window([], isFinalInvokeForWindow=True))


def test_no_setting_no_keeper() -> None:
    assert keeper(NO_BATCH) is None
    assert keeper("1000 edgewise-kept")


def test_another_format_is_told() -> None:
    with pytest.raises(OtherFormatError, match="in the format 0, and this release reads 1"):
        KeptBatch.parse(gzip.compress(b'{"format": 0}'))


def test_a_process_without_credentials_computes(table: StreamedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `make rehearse` does it: what it finds is what was planted in what is kept."""
    monkeypatch.setattr(Teller, "is_due", DUE)  # as in that process
    with keeping() as objects:
        edge_aggregator.handler(window_event("0001-a", reading(1)), Context())
    (kept,) = objects.batches
    wrong = KeptBatch.parse(kept.packed)
    (key,) = (key for key, item in wrong.written.items() if item and item["Type"] == {"S": "DEVICE"})
    item = wrong.written[key]
    assert item
    item["Version"] = n(7)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "nobody's")
    right, found = computed([kept, wrong])
    assert right == []
    assert [(each.place.type, each.place.key, each.place.where, each.expected) for each in found] == [
        ("DEVICE", key, "Version", "7")
    ]
