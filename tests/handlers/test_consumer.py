"""The consumer as Lambda calls it: its shard, its answer, what it sets aside. (How exact it is: tests/delivery.)"""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

from edgewise.aggregates import packed_checkpoints
from edgewise.aggregates.carriers import carrying
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.keys import SUMMARY
from edgewise.dynamodb import keys
from edgewise.dynamodb.queries import Query
from edgewise.dynamodb.table import Table
from edgewise.errors import UnknownShardError
from edgewise.stream import incomplete
from functions.handlers import edge_aggregator
from functions.systems.telemetry import keys as telemetry_keys
from tests.support.http import Context
from tests.support.streams import PRESENT, StreamedTable, window_event
from tests.support.told import counted, lines

GOLDEN = json.loads((Path(__file__).parents[1] / "events" / "edge_aggregator_stream.json").read_text())
RECORDS: list[dict[str, Any]] = GOLDEN["Records"]


def device_events(table: Table, device: str) -> int:
    item = table.get(keys.Key(telemetry_keys.device(device), SUMMARY))
    return int(item["Cells"]["M"]["Events"]["S"].split(" ")[0]) if item and "Cells" in item else 0


def readings(*devices: str, sequence: int = 10**20) -> list[dict[str, Any]]:
    return [
        {
            "eventID": device,
            "eventName": "INSERT",
            "dynamodb": {
                "ApproximateCreationDateTime": 1535544000,
                "SequenceNumber": str(sequence + number),
                "NewImage": {
                    "PK": {"S": f"DEVICE#{device}"},
                    "SK": {"S": f"EVENT#2018-08-29T12:00:00.000Z#{number}"},
                    "Type": {"S": "EVENT"},
                    "Metrics": {"M": {}},
                },
            },
        }
        for number, device in enumerate(devices)
    ]


def test_the_answer_carries_a_state_as_lambda_demands() -> None:
    assert edge_aggregator.handler(window_event("0001-a", []), Context()) == {"state": {}, "batchItemFailures": []}


def test_without_a_shard_nothing_is_done(table: Table) -> None:
    with pytest.raises(UnknownShardError, match="set TumblingWindowInSeconds of its event source mapping"):
        edge_aggregator.handler({"Records": readings("d")}, Context())
    assert device_events(table, "d") == 0


def test_checkpoints_name_the_shard_without_its_prefix(table: Table) -> None:
    edge_aggregator.handler(window_event("0001-a", readings("d")), Context())
    item = table.get(keys.Key(telemetry_keys.device("d"), SUMMARY))
    assert item is not None
    assert packed_checkpoints.unpack(item["Seqs"]["B"]) == {"0001-a": Checkpoint(10**20, 1535544000000)}


def test_a_record_that_cannot_be_understood_is_set_aside_whole_and_blocks_nobody(table: Table) -> None:
    records = readings("a", "b", "c")
    del records[1]["dynamodb"]["NewImage"]["Metrics"]
    for _ in range(2):
        edge_aggregator.handler(window_event("0001-a", records), Context())
    assert [device_events(table, device) for device in "abc"] == [1, 0, 1]
    (kept,) = table.query(Query(keys.join("QUARANTINE", "0001-a"))).items
    assert kept["Text"] == {"S": "KeyError: 'Metrics'"}
    assert json.loads(gzip.decompress(kept["Record"]["B"])) == records[1]


def test_a_fault_of_the_table_is_raised_so_that_the_batch_comes_again(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def throttled(*_: Any, **__: Any) -> None:
        raise ClientError({"Error": {"Code": "ThrottlingException", "Message": "slow down"}}, "PutItem")

    with monkeypatch.context() as patch:
        patch.setattr(table, "replace", throttled)
        with pytest.raises(ClientError):
            edge_aggregator.handler(window_event("0001-a", readings("d")), Context())
    edge_aggregator.handler(window_event("0001-a", readings("d")), Context())
    assert device_events(table, "d") == 1


def test_the_golden_event_is_absorbed(table: Table) -> None:
    edge_aggregator.handler(GOLDEN, Context())
    assert not table.query(Query(keys.join("QUARANTINE", GOLDEN["shardId"].removeprefix("shardId-")))).items
    devices = {r["dynamodb"]["Keys"]["PK"]["S"].removeprefix("DEVICE#") for r in RECORDS if "DEVICE#" in str(r)}
    assert devices
    assert all(device_events(table, device) for device in devices)


HOUR = 3600


@pytest.mark.parametrize(("age", "events"), [(26 * HOUR, 1), (35 * HOUR, 1), (35 * HOUR + 1, 0)])
def test_a_record_that_the_stream_gives_late_counts_once_or_is_noted(
    table: Table, capsys: pytest.CaptureFixture[str], age: int, events: int
) -> None:
    """Records older than a day are only subject to trimming: the same one may be read at 26 hours, and again."""
    (record,) = readings("d")
    record["dynamodb"]["ApproximateCreationDateTime"] = PRESENT / 1000 - age
    for _ in range(2):
        edge_aggregator.handler(window_event("0001-a", [record]), Context())
    assert device_events(table, "d") == events
    assert bool(counted("IncompleteAggregates", capsys)) == (events == 0)
    assert [each.kind for each in incomplete.page(table, 9, None)[0]] == ([] if events else ["DEVICE"])


def test_a_record_read_again_at_26_hours_counts_once(table: Table) -> None:
    """Meanwhile another shard has written the aggregate, which drops checkpoints that are too old."""
    first, second = readings("d"), readings("d", sequence=10**20 + 5)
    first[0]["dynamodb"]["ApproximateCreationDateTime"] -= 26 * HOUR
    edge_aggregator.handler(window_event("0001-a", first), Context())
    edge_aggregator.handler(window_event("0002-b", second), Context())
    edge_aggregator.handler(window_event("0001-a", first), Context())
    assert device_events(table, "d") == 2


def window(records: list[dict[str, Any]], **other: Any) -> dict[str, Any]:
    return window_event("0001-a", records, ends=False) | other


def test_freshness_is_the_age_of_the_oldest_change_once_it_is_absorbed(
    table: Table, capsys: pytest.CaptureFixture[str]
) -> None:
    young, old = readings("d", "e")
    young["dynamodb"]["ApproximateCreationDateTime"] = PRESENT / 1000 - 2
    old["dynamodb"]["ApproximateCreationDateTime"] = PRESENT / 1000 - 7
    edge_aggregator.handler(window_event("0001-a", [young, old]), Context())
    assert counted("Freshness", capsys) == [7000]


def test_it_is_told_for_each_shard_too(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    for shard, age in (("0001-a", 7), ("0002-b", 3)):
        (record,) = readings("d")
        record["dynamodb"]["ApproximateCreationDateTime"] = PRESENT / 1000 - age
        edge_aggregator.handler(window_event(shard, [record]), Context())
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines() if "ShardFreshness" in line]
    assert [(line["shard"], line["ShardFreshness"]) for line in told] == [("0001-a", [7000]), ("0002-b", [3000])]
    assert {name for line in told for name in line["_aws"]["CloudWatchMetrics"][0]["Dimensions"][0]} == {
        "service",
        "shard",
    }


def records(table: StreamedTable) -> list[dict[str, Any]]:
    return [each for shard in table.shards.values() for each in shard]


def test_a_change_that_a_carrier_brings_is_as_old_as_it_is_then(
    table: StreamedTable, capsys: pytest.CaptureFixture[str]
) -> None:
    (record,) = readings("d")
    record["dynamodb"]["ApproximateCreationDateTime"] = PRESENT / 1000 - 9
    record["dynamodb"]["NewImage"]["Place"] = {"L": [{"S": "US"}]}
    answer = edge_aggregator.handler(window([record]), Context())
    assert counted("Freshness", capsys) == [9000]  # of the device
    edge_aggregator.handler(window([], state=answer["state"], isFinalInvokeForWindow=True), Context())
    assert counted("Freshness", capsys) == []
    brought = [each for each in records(table) if carrying.CARRIES in each["dynamodb"].get("NewImage", {})]
    edge_aggregator.handler(window_event("0002-b", brought), Context())
    assert counted("Freshness", capsys) == [9000]  # of the place


def test_nothing_absorbed_has_no_freshness(capsys: pytest.CaptureFixture[str]) -> None:
    edge_aggregator.handler(window_event("0001-a", []), Context())
    assert counted("Freshness", capsys) == []


def test_the_line_of_an_invocation_tells_what_it_alone_spent(table: Table) -> None:
    with lines() as found:
        edge_aggregator.handler(window_event("0001-a", readings("d")), Context())
        edge_aggregator.handler(window_event("0001-a", []), Context())
    first, second = (line for line in found if line["message"] == "absorbed")
    assert first["write_units"] >= 1
    # The register is read, and where the shard is read again if need be; whatever the batch.
    assert (second["requests"], second["write_units"]) == (2, 0)
    assert min(first["took_ms"], second["took_ms"]) >= 0


def test_requests_that_failed_as_a_whole_are_counted_and_the_line_has_their_codes(
    table: Table, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The readings are counted all the same, by puts: nothing else would tell."""

    def denied(**_: Any) -> None:
        raise ClientError({"Error": {"Code": "AccessDeniedException", "Message": "no"}}, "BatchExecuteStatement")

    own = edge_aggregator.table()
    monkeypatch.setattr(own, "statements", True)
    monkeypatch.setattr(own.client, "batch_execute_statement", denied)
    with lines() as found:
        edge_aggregator.handler(window_event("0001-a", readings("d", "e")), Context())
    (failures,) = (line["failures"] for line in found if line["message"] == "absorbed")
    assert failures.keys() == {"AccessDeniedException"}
    assert counted("RequestsFailed", capsys) == [sum(failures.values())]
    assert (device_events(table, "d"), device_events(table, "e")) == (1, 1)
