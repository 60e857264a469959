"""What is printed of a run is read from the files that its job has left, whoever did the job."""

import json
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import partial
from typing import Any

import boto3
import pytest
from moto import mock_aws

from batch import results
from batch.__main__ import ALL, SHOWN_OF
from batch.comparing import BACKFILLING, FOLLOWS, UNREADABLE, WRONG, Compared
from batch.derived import Astray
from batch.found import UNSETTLED, named
from batch.reconcile import Check, Declared
from batch.runs.run_report import differences, filled, told
from batch.runs.run_results import Results
from edgewise.aggregates import keys
from edgewise.aggregates.additions import Added
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Extremes
from edgewise.dynamodb.keys import Key
from edgewise.stream import put_right
from functions.systems.chat.system import ROOM, USER

RUN = "20261123T054100Z"
PREFIX = f"runs/{RUN}/result"
SUMMARY = {"run": RUN, "nodes": 1200, "edges": 3400, "components": 5, "seconds": 7.5}


@pytest.fixture
def left(aws_env: pytest.MonkeyPatch) -> Iterator[Results]:
    """The bucket of a run, with what jobs of other runs have left."""
    with mock_aws():
        s3 = boto3.client("s3")
        s3.create_bucket(Bucket="runs")
        yield Results(s3, "runs", RUN)


def put_into(left: Results) -> Callable[[str, bytes], object]:
    return lambda path, content: left.s3.put_object(Bucket="runs", Key=path, Body=content)


@pytest.fixture
def leave(left: Results) -> Callable[..., list[str]]:
    """What is printed of a check that found this."""

    def leave(differing: list[Compared], plan: list[Compared], late: int = 0, before: Any = None) -> list[str]:
        check = Check(sources=9000, aggregates=1234, differing=differing, plan=plan, late=late)
        results.write(put_into(left), PREFIX, Declared(), check, before or {}, {"run": RUN})
        return list(told(left, left.checked()))

    return leave


def differs(about: AggregateId, why: str, **more: Any) -> Compared:
    cells = {"expected": {"Count": "3"}, "stored": {"Count": "4"}}
    return Compared(keys.of(about), about.kind.name, why, named(about), **(cells | more))


unreadable = partial(Compared, kind="", why=UNREADABLE, reason="Text is missing")


def test_nothing_differs(leave: Callable[..., list[str]], left: Results) -> None:
    assert leave([], []) == ["1,234 aggregates compared, 0 differences"]
    assert differences(left.checked()) == 0


def test_causes_come_first_and_what_follows_from_them_last(leave: Callable[..., list[str]], left: Results) -> None:
    user = differs(USER("amy"), FOLLOWS, expected={"Count": ""}, stored={"Count": "1"})
    room = differs(ROOM("r1"), WRONG)
    assert leave([user, unreadable(Key("X", "Y")), room], [], late=2) == [
        "1,234 aggregates compared, 3 differences",
        "2 have not absorbed a change in time: the consumer is behind, or has lost records",
        "wrong: ROOM#r1 / EDGE#: Count: expected 3, stored 4",
        "X / Y: can't be read: Text is missing",
        "follows: USER#amy / EDGE#: Count: expected nothing, stored 1",
    ]
    assert differences(left.checked()) == 3


def test_what_is_not_settled_is_no_difference(leave: Callable[..., list[str]], left: Results) -> None:
    assert leave([differs(ROOM("r1"), UNSETTLED), differs(USER("amy"), BACKFILLING)], []) == [
        "1,234 aggregates compared, 0 differences",
        "1 not settled: they differ, but were being written; check again",
        "1 being backfilled",
        "unsettled: ROOM#r1 / EDGE#: Count: expected 3, stored 4",
    ]
    assert differences(left.checked()) == 0


def test_what_was_verified_directly_is_told_with_what_the_job_found(
    leave: Callable[..., list[str]], left: Results
) -> None:
    rooms = [differs(ROOM(name), UNSETTLED) for name in ("r1", "r2", "r3")]
    twice = {each.key: 2 for each in rooms}
    assert "3 never settled: they always had a change to absorb" in leave(rooms, [], before=twice)
    wrong = json.loads(json.dumps(results.difference(rooms[0]))) | {"why": WRONG}
    direct = {"verified": 1, "busy": 1, "differences": [wrong]}
    left.s3.put_object(Bucket="runs", Key=f"{PREFIX}/direct.json", Body=json.dumps(direct).encode())
    assert list(told(left, left.checked()))[:5] == [
        "1,234 aggregates compared, 1 differences",
        "3 not settled: they differ, but were being written; check again",
        "1 not settled three times in a row, then verified directly: they are right",
        "1 never settled: they always had a change to absorb",
        "wrong: ROOM#r1 / EDGE#: Count: expected 3, stored 4",
    ]
    assert differences(left.checked()) == 1


def test_twenty_are_shown_of_many_and_the_files_that_are_not_needed_are_not_read(
    leave: Callable[..., list[str]], left: Results
) -> None:
    count = results.LINES + 1
    lines = leave([differs(ROOM(f"{number:04}"), WRONG) for number in range(count)], [])
    assert lines[0] == "1,234 aggregates compared, 1,001 differences"
    assert [line.partition(" /")[0] for line in lines[1:-1]] == [f"wrong: ROOM#{number:04}" for number in range(20)]
    assert lines[-1] == "and 981 more (TELL=all prints all)"
    left.s3.delete_object(Bucket="runs", Key=f"{PREFIX}/differences/part-00001.gz")
    assert list(told(left, left.checked())) == lines


def test_all_are_shown_if_asked_for(leave: Callable[..., list[str]], left: Results) -> None:
    """Whatever cause they have: items that can't be read are among them."""
    found = [differs(ROOM(f"{number:04}"), WRONG) for number in range(results.LINES)]
    leave([*found, unreadable(Key("X", "Y"))], [])
    lines = list(told(left, left.checked(), SHOWN_OF[ALL]))
    assert len(lines) == 1 + results.LINES + 1
    assert lines[-1] == "X / Y: can't be read: Text is missing"


def test_what_is_derived_wrongly_is_told_with_what_to_do_and_what_nobody_could_judge(left: Results) -> None:
    key, entry = Key("PLAYER#amy", "EDGE#"), {"GSI3SK": "2410"}
    board = Astray(key, "PLAYED", WRONG, entry, {"GSI3SK": "7410"}, put_right.entries(key))
    orphan = Astray(Key("INVOICE#i", "BILL#b"), "BILLED", WRONG, {"Version": ""}, {"Version": "1"}, None, "remove it")
    check = Check(9000, 1234, [], [], 0, [board, orphan], {"GRAPH_EDGE": 1200})
    declared = Declared()
    results.write(put_into(left), PREFIX, declared, check, {}, {"run": RUN})
    assert list(told(left, left.checked())) == [
        "1,234 aggregates compared, 2 differences",
        "wrong: INVOICE#i / BILL#b: Version: expected nothing, stored 1; remove it",
        "wrong: PLAYER#amy / EDGE#: GSI3SK: expected 2410, stored 7410",
        "a repair derives 1 anew",
        f"not judged, of 1,200 GRAPH_EDGE: {declared.derivations.unjudged['GRAPH_EDGE']}",
    ]


def test_short_files_are_read_one_after_the_other(leave: Callable[..., list[str]], left: Results) -> None:
    """As executors write them."""
    leave([differs(ROOM("r1"), WRONG)], [])
    first, last = (f"{PREFIX}/differences/part-{number:05}.gz" for number in (0, 7))
    left.s3.copy_object(Bucket="runs", Key=last, CopySource={"Bucket": "runs", "Key": first})
    assert [line["pk"] for line in left.first("differences", 20)] == ["ROOM#r1", "ROOM#r1"]


def test_the_plan_says_what_it_adds_and_what_the_stream_then_brings(leave: Callable[..., list[str]]) -> None:
    added = {"Count": Added(-1, Decimal("-2.50"), Extremes())}
    room = differs(ROOM("r1"), WRONG, adds=added, carries={"Users": Added(1, Decimal(0))})
    assert leave([], [room]) == [
        "1,234 aggregates compared, 0 differences",
        "a repair adds to 1 aggregates:",
        "ROOM#r1 / EDGE#: Count -1 (sum -2.50) (extremes recounted); the stream then adds Users +1",
    ]


def test_repairs_that_wait_are_told_and_are_in_no_plan(left: Results) -> None:
    edge = differs(USER("amy"), WRONG, adds={"Users": Added(1, Decimal(0))})
    check = Check(9000, 1234, [], [], 0, waiting=[edge])
    results.write(put_into(left), PREFIX, Declared(), check, {}, {"run": RUN})
    assert list(told(left, left.checked())) == [
        "1,234 aggregates compared, 0 differences",
        "1 repairs wait until what they feed is settled: else they would make right numbers wrong",
        "USER#amy / EDGE#: Users +1",
    ]
    assert left.first(results.PLAN, 1) == []


def test_a_fill_tells_what_it_counted(left: Results) -> None:
    left.s3.put_object(Bucket="runs", Key=f"{PREFIX}/{results.SUMMARY}", Body=json.dumps(SUMMARY).encode())
    assert filled(left.summary()) == "1,200 nodes, 3,400 edges, 5 components in 7.5 s"
