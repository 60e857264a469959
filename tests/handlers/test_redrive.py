"""The function for people on duty. (How exact a redrive is: tests/delivery/test_exactly_once.py.)"""

from collections.abc import Callable
from decimal import Decimal
from typing import Any, cast

import pytest
from aws_lambda_powertools.utilities.typing import LambdaContext

from edgewise import clock
from edgewise.aggregates import keys as aggregate_keys
from edgewise.dynamodb import keys
from edgewise.dynamodb.attributes import Item, n
from edgewise.dynamodb.table import Table
from edgewise.sharding import listing
from functions.catalog import CATALOG
from functions.handlers import redrive
from functions.systems.chat import messages
from functions.systems.chat.entity import Message
from functions.systems.graph.declared import FORMS
from functions.systems.orders.items import ALL_OPEN
from functions.systems.telemetry import codec as telemetry_codec
from functions.systems.telemetry import keys as telemetry_keys
from functions.systems.telemetry.entity import Reading
from tests.support import readings as events
from tests.support.http import Context
from tests.support.streams import StreamedTable
from tests.support.told import counted

START = 1_535_544_000_000
EDGE = keys.Key("USER#amy", "EDGE#POSTED_IN#ROOM#r")
DEVICE = keys.Key("DEVICE#d", aggregate_keys.SUMMARY)


class Clock(Context):
    """So much time is left when it is asked for the first time, the second time ..."""

    def __init__(self, *left: int) -> None:
        self.left = list(left)

    def get_remaining_time_in_millis(self) -> int:
        return self.left.pop(0) if self.left else 600_000


@pytest.fixture(autouse=True)
def on(table: StreamedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redrive, "table", lambda: table)
    monkeypatch.setattr(redrive, "SETTLING_SECONDS", 0)


def ask(clock: Clock | None = None, **event: Any) -> dict[str, Any]:
    answer: dict[str, Any] = redrive.handler(event, cast(LambdaContext, clock or Clock()))
    return answer


def reading(number: int, device: str = "d") -> Reading:
    return Reading(device, START + number * 1000, f"e{number}", ("US",), {"t": Decimal(number)})


def events_of(table: Table, device: str) -> int:
    item = table.get(keys.Key(telemetry_keys.device(device), aggregate_keys.SUMMARY))
    return int(item["Cells"]["M"]["Events"]["S"].split(" ")[0]) if item else 0


def unreadable(item: Any) -> Any:
    raise KeyError("Metrics")


@pytest.fixture
def quarantined(table: StreamedTable, drain: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> StreamedTable:
    """Three readings that a release could not read; the next one can."""
    with monkeypatch.context() as patch:
        patch.setattr(CATALOG, "decoders", {**CATALOG.decoders, "EVENT": unreadable})
        for number in range(3):
            table.clock = START / 1000 + number
            events.write(table, [reading(number)])
        drain()
    return table


def test_the_list_is_paged_and_counts_all(quarantined: StreamedTable) -> None:
    first = ask(do="list", limit=2)
    rest = ask(do="list", limit=2, after=first["after"])
    assert [record["at"][17:19] for record in first["records"] + rest["records"]] == ["00", "01", "02"]
    assert {record["error"] for record in first["records"]} == {"KeyError: 'Metrics'"}
    assert (first["count"], rest["count"], rest["after"]) == (3, 3, None)


def test_one_record_is_applied(quarantined: StreamedTable) -> None:
    record = ask(do="list")["records"][0]
    answer = ask(do="apply", shard=record["shard"], sequence=record["sequence"].lstrip("0"))
    assert answer == {"done": 1, "malformed": [], "count": 2, "finished": True}
    assert events_of(quarantined, "d") == 1
    assert "there is no quarantined record" in ask(do="apply", shard="shard-0", sequence=record["sequence"])["error"]


def test_all_are_applied_and_counted_once(quarantined: StreamedTable, drain: Callable[[], None]) -> None:
    assert ask(do="apply_all") == {"done": 3, "malformed": [], "count": 0, "finished": True}
    assert ask(do="apply_all") == {"done": 0, "malformed": [], "count": 0, "finished": True}
    drain()
    assert events_of(quarantined, "d") == 3
    assert ask(do="recount", kind="PLACE", dimensions=[["US"]])["stored"] == {"Events": "3", "Devices": "1"}


def test_what_still_cannot_be_understood_stays_and_says_why(
    quarantined: StreamedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(item: Any) -> Reading:
        if item["SK"]["S"].endswith("e1"):
            raise ValueError("still not")
        return telemetry_codec.event(item)

    monkeypatch.setattr(CATALOG, "decoders", {**CATALOG.decoders, "EVENT": half})
    answer = ask(do="apply_all")
    assert (answer["done"], answer["count"], answer["finished"]) == (2, 1, True)
    (left,) = answer["malformed"]
    assert left["error"] == "ValueError: still not"
    assert ask(do="apply", shard=left["shard"], sequence=left["sequence"]) == {"error": "ValueError: still not"}
    assert ask(do="list")["count"] == 1
    assert ask(do="discard", shard=left["shard"], sequence=left["sequence"])["count"] == 0
    assert events_of(quarantined, "d") == 2


def test_what_can_be_understood_is_not_given_up(quarantined: StreamedTable) -> None:
    record = ask(do="list")["records"][0]
    assert "apply it" in ask(do="discard", shard=record["shard"], sequence=record["sequence"])["error"]
    assert ask(do="list")["count"] == 3


def test_it_stops_in_time_and_says_so(quarantined: StreamedTable) -> None:
    assert ask(Clock(600_000, 1_000), do="apply_all") == {"done": 1, "malformed": [], "count": 2, "finished": False}
    assert ask(do="apply_all")["finished"] is True


@pytest.mark.parametrize(
    ("event", "error"),
    [
        ({}, "do"),
        ({"do": "dance"}, "dance"),
        (
            {"do": "recount", "kind": "ROOMS", "dimensions": ["r"]},
            "kind: must be one of ADJACENT",
        ),
        ({"do": "recount", "kind": "ROOM", "dimensions": ["r", "s"]}, "dimensions: name no ROOM"),
        ({"do": "recount", "kind": "DEGREE", "dimensions": ["amy", "out", "KNOWS"]}, "dimensions: name no DEGREE"),
    ],
)
def test_a_command_that_makes_no_sense_is_answered(event: dict[str, Any], error: str) -> None:
    assert any(each in ask(**event)["error"] for each in error.split("|"))


def test_a_recount_says_what_is_stored_and_what_the_sources_say(
    table: StreamedTable, drain: Callable[[], None]
) -> None:
    events.write(table, [reading(number) for number in range(3)])
    drain()
    cells = {"0.t": "3 3 0 2 0 2@2"}
    answer = ask(do="recount", kind="ROLLUP_HOUR", dimensions=["d", "2018-08-29T12:00:00.000Z"])
    assert answer == {
        "kind": "ROLLUP_HOUR",
        "dimensions": ["d", "2018-08-29T12:00:00.000Z"],
        "stored": cells,
        "recounted": cells,
        "recounting": [],
        "sources": 3,
        "unreadable": 0,
        "named": [],
        "levels": [{"kind": "ROLLUP_HOUR", "compared": 1, "wrong": 0, "first_wrong": []}],
        "differs": None,
        "complete": True,
        "equal": True,
        "repaired": False,
    }


def test_the_level_that_is_wrong_is_named_and_repaired_first(
    table: StreamedTable, drain: Callable[[], None], capsys: pytest.CaptureFixture[str]
) -> None:
    """A user's messages equal the edges below; the edges do not equal the messages."""
    messages.write(table, [Message("r", 1, "amy", START + number, f"{number}", "hi") for number in range(3)])
    drain()
    edge, user = (table.get(key) for key in (EDGE, keys.Key("USER#amy", aggregate_keys.SUMMARY)))
    assert edge is not None
    assert user is not None
    table.put_many([edge | {"Version": n(99), "Cells": {"M": {"Count": n(7)}}}])
    drain()
    answer = ask(do="recount", kind="USER", dimensions=["amy"])
    assert counted("WrongAggregates", capsys) == [1]
    assert (answer["stored"], answer["recounted"]) == ({"Messages": "7", "Rooms": "1"},) * 2
    assert (answer["equal"], answer["complete"], answer["differs"]) == (False, True, "POSTED_IN")
    assert [(level["kind"], level["compared"], level["wrong"]) for level in answer["levels"]] == [
        ("USER", 1, 0),
        ("POSTED_IN", 1, 1),
    ]
    (wrong,) = answer["levels"][1]["first_wrong"]
    assert (wrong["dimensions"], wrong["stored"]["Count"], wrong["sources"]) == (["amy", "r"], "7", 3)
    refused = ask(do="recount", kind="USER", dimensions=["amy"], repair=True)
    assert "aggregates below it are wrong (POSTED_IN)" in refused["error"]
    assert ask(do="recount", kind=wrong["kind"], dimensions=wrong["dimensions"], repair=True)["repaired"]
    drain()
    answer = ask(do="recount", kind="USER", dimensions=["amy"])
    assert (answer["stored"]["Messages"], answer["equal"]) == ("3", True)


def test_a_source_that_cannot_be_read_is_named_and_the_rest_compared(
    table: StreamedTable, drain: Callable[[], None]
) -> None:
    events.write(table, [reading(number) for number in range(3)])
    drain()
    foreign: Item = {
        "PK": {"S": "DEVICE#d"},
        "SK": {"S": "EVENT#2018-08-29T12:00:01.500Z#garbage"},
        "Type": {"S": "EVENT"},
    }
    super(type(table), table).put_many([foreign])  # nobody has heard of it
    answer = ask(do="recount", kind="DEVICE", dimensions=["d"])
    assert (answer["equal"], answer["unreadable"]) == (True, 1)
    assert answer["named"] == ["DEVICE#d / EVENT#2018-08-29T12:00:01.500Z#garbage"]
    assert ask(do="recount", kind="DEVICE", dimensions=["d"], repair=True)["repaired"]
    device = table.get(DEVICE)
    assert device is not None
    assert "1 of its sources can't be read" in device["Lacks"]["S"]
    assert events_of(table, "d") == 3
    table.delete(keys.Key("DEVICE#d", foreign["SK"]["S"]))
    table.shards["shard-0"].clear()
    assert ask(do="recount", kind="DEVICE", dimensions=["d"], repair=True)["repaired"]
    device = table.get(DEVICE)
    assert device is not None
    assert "Lacks" not in device
    assert ask(do="list")["incomplete"] == []


def test_a_repair_writes_what_the_sources_say(table: StreamedTable, drain: Callable[[], None]) -> None:
    events.write(table, [reading(number) for number in range(3)])
    drain()
    broken = table.get(keys.Key(telemetry_keys.device("d"), aggregate_keys.SUMMARY))
    assert broken is not None
    table.put_many([broken | {"Version": n(99), "Cells": {"M": {"Events": {"N": "7"}}}}])
    assert ask(do="recount", kind="DEVICE", dimensions=["d"])["equal"] is False
    answer = ask(do="recount", kind="DEVICE", dimensions=["d"], repair=True)
    assert (answer["stored"], answer["repaired"]) == ({"Events": "7"}, True)
    assert ask(do="recount", kind="DEVICE", dimensions=["d"])["equal"] is True
    assert events_of(table, "d") == 3


def test_nothing_is_repaired_while_records_are_in_quarantine(quarantined: StreamedTable) -> None:
    answer = ask(do="recount", kind="DEVICE", dimensions=["d"], repair=True)
    assert answer == {"error": "there are records in quarantine: redrive them first"}


def test_a_recount_without_time_is_not_complete(table: StreamedTable, drain: Callable[[], None]) -> None:
    events.write(table, [reading(0)])
    drain()
    answer = ask(Clock(1_000), do="recount", kind="DEVICE", dimensions=["d"])
    assert (answer["complete"], answer["equal"], answer["sources"]) == (False, False, 0)


def test_a_list_is_widened(table: StreamedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: START)
    first = ask(do="widen", of=["FIND", "skill"], shards=4)
    assert first == {"of": ["FIND", "skill"], "shards": 4, "since": "2018-08-29T12:00:30.000Z"}
    assert ask(do="widen", of=["FIND", "skill"], shards=4) == first
    refused = ask(do="widen", of=["FIND", "skill"], shards=2)
    assert refused == {"error": "'FIND#skill' has 4 shards and can't go down to 2: what they hold stays where it is"}
    ask(do="widen", of=["OPEN_ORDERS"], shards=2)
    assert listing.partitions(table, ALL_OPEN) == ["OPEN_ORDERS#1", "OPEN_ORDERS#2"]


@pytest.mark.parametrize(
    ("of", "error"),
    [
        ([], "of: must begin with one of ALERTS, AT, AWARD, FIND, INVOICES, OPEN_ORDERS"),
        (["RANK", "KNOWS"], "of: must begin with one of ALERTS, AT, AWARD, FIND, INVOICES, OPEN_ORDERS"),
        (["AT", "ROOM"], "of: must be AT KIND ROOT"),
        (["OPEN_ORDERS", "x"], "of: must be OPEN_ORDERS"),
        (
            ["FIND", "foo"],
            f"of: FIND has no name 'foo': expected {', '.join(sorted(FORMS))}",
        ),
        (
            ["AT", "DEVICE", "US"],
            "of: AT has no kind 'DEVICE': expected BILL, CUSTOMER, DOCUMENT, EQUIPMENT, INVOICE, PLAYER, ROOM, USER",
        ),
    ],
)
def test_a_list_that_does_not_exist_is_not_widened(table: StreamedTable, of: list[str], error: str) -> None:
    assert ask(do="widen", of=of, shards=4) == {"error": error}
    assert not table.all_items()
    assert "less than or equal to 16" in ask(do="widen", of=["FIND", "skill"], shards=17)["error"]
