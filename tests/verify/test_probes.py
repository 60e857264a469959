"""What probes say of what they see: as AWS is documented, as the local cloud is, and where something is wrong."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from edgewise.stream.telling import delivered
from tests.support.streams import window_event
from verify.lines import Line, parsed
from verify.of_delivery import of_lines, of_mapping
from verify.of_stream import of_records, of_shards
from verify.of_writes import of_size, of_writes
from verify.probing import ASSUMPTIONS, Seen
from verify.scratch import Scratch
from verify.stream import Shard

PAGE = (Path(__file__).parents[2] / "docs" / "exactly-once.md").read_text()
MAPPING = {
    "BatchSize": 1000,
    "TumblingWindowInSeconds": 10,
    "FilterCriteria": {"Filters": [{}, {}]},
    "MaximumRetryAttempts": -1,
    "State": "Enabled",
    "LastProcessingResult": "OK",
}
# A window of ten seconds on a shard: two batches, then the final call.
ONE = Line("a", 1_000, 100, 10, 1, 10, 700, 10_000, False, 0, 0)
TWO = replace(ONE, ended=2_000, first=11, last=20)
END = replace(ONE, ended=40_000, records=0, first=None, last=None, age=None, final=True)


def record(event: str, number: int, old: int | None, new: int | None) -> Any:
    images = {
        name: {"Version": {"N": f"{version}"}}
        for name, version in (("OldImage", old), ("NewImage", new))
        if version is not None
    }
    return {"eventName": event, "dynamodb": {"SequenceNumber": f"{10**20 + number}", **images}}


RECORDS = (
    record("INSERT", 1, None, 1),
    record("MODIFY", 2, 1, 5),
    record("MODIFY", 3, 5, 100),
    record("REMOVE", 4, 100, None),
)
SCRATCH = Scratch((1, 5, 100), RECORDS, 1, {"Item": {}}, 2.0, 1.0, 1.0, (None, "ConditionalCheckFailed"))


def test_a_consumer_that_may_not_send_statements_is_told_by_its_own_line() -> None:
    """The run itself has the rights of an administrator."""
    denied = replace(TWO, failures={"AccessDeniedException": 3, "413": 1})
    assert says(of_lines([ONE, TWO, END], MAPPING))["statements-allowed"] == "holds"
    (found,) = (each for each in of_lines([ONE, denied, END], MAPPING) if each.name == "statements-allowed")
    assert found.verdict == "differs"
    assert "3 with AccessDeniedException, 1 with 413" in found.what


def says(found: Any) -> dict[str, str]:
    return {each.name: each.verdict for each in found}


def everything(scratch: Scratch, lines: list[Line], mapping: Any, shards: list[Shard]) -> list[Seen]:
    return [
        *of_records(scratch),
        *of_writes(scratch),
        *of_shards(shards, 1),
        *of_lines(lines, mapping),
        *of_mapping(mapping),
        of_size(10, 10, 6),
    ]


def test_the_page_lists_the_names_in_the_same_order() -> None:
    section = PAGE.partition("## What we assume of AWS")[2].partition("\n## ")[0]
    assert tuple(re.findall(r"\[`([a-z-]+)`\]", section)) == ASSUMPTIONS


def test_each_name_is_told_once() -> None:
    found = everything(SCRATCH, [ONE], MAPPING, [])
    assert sorted(each.name for each in found) == sorted(ASSUMPTIONS)


def test_a_stream_as_documented_holds() -> None:
    assert set(says(of_records(SCRATCH)).values()) == {"holds"}


@pytest.mark.parametrize(
    ("records", "differ"),
    [
        ((RECORDS[0], *RECORDS), {"each-change-once", "nothing-for-no-change", "order-of-one-item", "numbers-grow"}),
        (RECORDS[1:], {"each-change-once", "nothing-for-no-change", "order-of-one-item"}),
        ((RECORDS[0], RECORDS[2], RECORDS[1], RECORDS[3]), {"order-of-one-item", "numbers-grow"}),
        ((RECORDS[0], record("MODIFY", 2, None, 5), *RECORDS[2:]), {"each-change-once"}),
        ((), {"each-change-once", "nothing-for-no-change", "order-of-one-item", "numbers-grow"}),
    ],
    ids=["a no-op gives a record", "one is missing", "swapped", "no old image", "nothing came"],
)
def test_a_stream_that_is_otherwise_differs(records: tuple[Any, ...], differ: set[str]) -> None:
    found = says(of_records(replace(SCRATCH, records=records)))
    assert {name for name, verdict in found.items() if verdict == "differs"} == differ


def test_writes_differ_if_two_win_a_refusal_says_nothing_or_units_are_others() -> None:
    assert set(says(of_writes(SCRATCH)).values()) == {"holds"}
    assert says(of_writes(replace(SCRATCH, winners=2)))["conditional-write"] == "differs"
    assert says(of_writes(replace(SCRATCH, refusal={})))["conditional-write"] == "differs"
    for codes in ((None, None), ("ConditionalCheckFailed", "ConditionalCheckFailed"), (None, "ValidationError")):
        assert says(of_writes(replace(SCRATCH, statements=codes)))["statement-alone"] == "differs"
    assert says(of_writes(replace(SCRATCH, transaction_units=1.0)))["transaction-units"] == "differs"
    assert says(of_writes(replace(SCRATCH, refused_units=0.0)))["refused-units"] == "differs"
    assert says(of_writes(replace(SCRATCH, refused_units=None)))["refused-units"] == "not observable here"


def test_children_begin_after_their_parents_end() -> None:
    parent = Shard("p", None, 1, 10)
    assert says(of_shards([parent, Shard("c", "p", 11, None)], 1))["parents-before-children"] == "holds"
    assert says(of_shards([parent, Shard("c", "p", 10, None)], 1))["parents-before-children"] == "differs"
    trimmed = of_shards([Shard("c", "p", 11, None)], 1)
    assert says(trimmed) == {"shards-described": "holds", "parents-before-children": "not observable here"}


def test_windows_as_documented_hold() -> None:
    kept = [replace(ONE, state_left=500), replace(TWO, state_came=500, state_left=900), replace(END, state_came=900)]
    assert says(of_lines(kept, MAPPING)) == {
        "in-order-the-first-time": "holds",
        "shard-id": "holds",
        "one-invocation-a-shard": "holds",
        "window-end": "holds",
        "state-kept": "holds",
        "batch-and-age": "holds",
        "statements-allowed": "holds",
    }
    (end,) = (each for each in of_lines(kept, MAPPING) if each.name == "window-end")
    assert end.what == "1 final invocations, 29.9 s to 29.9 s after the end"


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        ([replace(TWO, ended=900), ONE], "in-order-the-first-time"),
        ([ONE, replace(TWO, took=1_500)], "one-invocation-a-shard"),
        ([replace(ONE, state_left=500), TWO], "state-kept"),
        ([replace(ONE, records=1_001)], "batch-and-age"),
    ],
)
def test_a_delivery_that_is_otherwise_differs(lines: list[Line], name: str) -> None:
    assert says(of_lines(lines, MAPPING))[name] == "differs"


def test_a_repeated_batch_is_no_disorder() -> None:
    again = [ONE, TWO, replace(ONE, ended=3_000), replace(TWO, ended=4_000, first=15)]
    assert says(of_lines(again, MAPPING))["in-order-the-first-time"] == "holds"


def test_without_windows_they_can_not_be_observed() -> None:
    """No window, nothing that waits."""
    lines = [replace(line, window_end=None) for line in (ONE, TWO)]
    found = says(of_lines(lines, MAPPING))
    assert {name for name, verdict in found.items() if verdict == "not observable here"} == {
        "shard-id",
        "window-end",
        "state-kept",
    }
    local = {name: value for name, value in MAPPING.items() if name != "TumblingWindowInSeconds"}
    assert says(of_mapping(local)) == {"mapping-kept": "differs", "stream-rights": "holds"}


def test_a_mapping_that_can_not_read_differs() -> None:
    assert says(of_mapping({**MAPPING, "LastProcessingResult": "PROBLEM: access denied"}))["stream-rights"] == "differs"


def test_an_answer_that_did_not_all_arrive_differs() -> None:
    assert of_size(1_000, 900, 6).verdict == "differs"


def test_what_the_consumer_logs_is_what_is_read() -> None:
    """As Powertools writes it: without what is null, and beside other lines."""
    event = {**window_event("0001-a", []), "isFinalInvokeForWindow": True}
    told = {name: value for name, value in delivered(event).items() if value is not None}
    text = {"message": "absorbed", **told, "shard": "0001-a", "state_left": 0, "took_ms": 12}
    events = [{"message": json.dumps(text), "timestamp": 1_000}, {"message": "END RequestId: x", "timestamp": 1_001}]
    (line,) = parsed(events)
    assert (line.shard, line.began, line.first, line.records, line.final) == ("0001-a", 988, None, 0, True)
    assert line.window_end is not None
