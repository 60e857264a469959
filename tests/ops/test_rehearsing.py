"""`make rehearse`: this release computes what a stage has kept; what nobody has announced stops a deployment."""

import io
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from edgewise.dynamodb.keys import Key
from edgewise.stream.kept import KeptBatch
from functions import announced
from functions.announced import Announced
from infra.settings import InfraSettings
from ops.rehearsing import __main__ as command
from ops.rehearsing.differing import Difference
from ops.rehearsing.values import Place
from ops.rehearsing.verdict import Rehearsed, judge, told

STAGE = InfraSettings("dev")
DAY = Difference(Place("DAY", Key("DEVICE#d", "DAY#2026-11-30"), "Cells.Events"), "1", "2")
ROOM = Difference(Place("ROOM", Key("ROOM#r", "SUMMARY"), "Version"), "3", "4")
DAYS = Announced("days count twice", frozenset({"DAY"}))
ROOMS = Announced("rooms are numbered anew", frozenset({"ROOM"}))


def batch(counts: int = 0) -> KeptBatch:
    return KeptBatch(counts, 1, 2, {"Records": [{}, {}], "shardId": "shardId-1-a"}, {}, {}, {}, {}, {})


class Reader:
    """The clients of somebody who may read a stage: its stacks, and the objects of one bucket; nothing else."""

    def __init__(self, objects: Mapping[str, bytes], outputs: Mapping[str, str]) -> None:
        self.objects, self.outputs = objects, outputs
        self.asked = set[str]()

    def __call__(self, service: str) -> "Reader":
        return self

    def get_paginator(self, operation: str) -> Any:
        self.asked.add(operation)
        outputs = [{"OutputKey": name, "OutputValue": value} for name, value in self.outputs.items()]
        tags = [{"Key": "stage", "Value": "dev"}]
        pages = {
            "describe_stacks": {
                "Stacks": [{"StackName": "edgewise-dev-edge-stream", "Outputs": outputs, "Tags": tags}]
            },
            "list_objects_v2": {"Contents": [{"Key": key} for key in self.objects]},
        }
        return type("Pages", (), {"paginate": lambda _, **__: [pages[operation]]})()

    def get_object(self, Bucket: str, Key: str) -> dict[str, Any]:
        self.asked.add("get_object")
        assert Bucket == "kept"
        return {"Body": io.BytesIO(self.objects[Key])}


def reader(*counts: int) -> Reader:
    """A stage that has kept batches under these announcements, each a minute after the other."""
    stored = {
        f"batches/2026-11-30T05:{minute:02}:00.000Z-1-a.json.gz": batch(each).packed
        for minute, each in enumerate(counts)
    }
    return Reader(stored, {command.OUTPUT: "kept"})


def rehearsed(monkeypatch: pytest.MonkeyPatch, client: Reader, *found: Difference, before: str = "") -> list[str]:
    """What the command prints if this release differs in these in each batch."""
    monkeypatch.setattr(command, "computed", lambda batches: [found for _ in batches])
    return command.rehearse(STAGE, client, before)


def test_a_difference_that_nobody_has_announced_stops_the_release(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(command.RehearsalError) as refused:
        rehearsed(monkeypatch, reader(0, 0), DAY)
    said = str(refused.value).splitlines()
    assert said[:4] == [
        "rehearsal: batch 2026-11-30T05:00:00.000Z-1-a.json.gz: 2 records, kept under the announcement 0",
        "rehearsal:   DAY PK=DEVICE#d SK=DAY#2026-11-30 Cells.Events",
        "rehearsal:     expected 1",
        "rehearsal:     computed 2",
    ]
    assert "rehearsal: this release computes 2 of 2 batches otherwise than the running one" in said
    assert "Nothing was deployed." in said[-3]


def test_no_difference_lets_it_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    client = reader(0, 0, 0)
    (said,) = rehearsed(monkeypatch, client)
    assert said.startswith("rehearsal: as before: this release computes 3 batches")
    assert client.asked == {"describe_stacks", "list_objects_v2", "get_object"}, "it only reads"


def test_what_is_announced_since_a_batch_was_kept_lets_it_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announced, "CHANGES", (DAYS,))
    assert rehearsed(monkeypatch, reader(0, 0), DAY)[0] == (
        "rehearsal: announced: days count twice (DAY): 2 batches differ in that"
    )
    with pytest.raises(command.RehearsalError):  # the running release has it: its days are as they shall be
        rehearsed(monkeypatch, reader(1), DAY)


def test_an_announcement_excuses_its_types_only() -> None:
    verdict = judge([Rehearsed("b", batch(), [DAY, ROOM])], [DAYS])
    assert [each.differences for each in verdict.wrong] == [[ROOM]]
    assert judge([Rehearsed("b", batch(), [DAY, ROOM])], [DAYS, ROOMS]).wrong == []
    assert judge([Rehearsed("b", batch(1), [DAY, ROOM])], [DAYS, ROOMS]).wrong[0].differences == [DAY]


def test_an_announcement_that_nothing_needs_is_told() -> None:
    assert next(told(judge([Rehearsed("b", batch(), [])], [DAYS]))) == (
        "announced: days count twice (DAY): 0 batches differ in that"
    )


@pytest.mark.parametrize("where", ["Text", "Record", "Lacks.0"])
def test_what_people_wrote_stands_in_no_log(where: str) -> None:
    secret = Difference(Place("MESSAGE", Key("ROOM#r", "1"), where), "my password", "my passwort")
    lines = list(told(judge([Rehearsed("b", batch(), [secret])], [])))
    assert not any("passw" in line for line in lines)
    one, other = (line.split()[1:] for line in lines if "digest" in line)
    assert one != other


def test_only_what_was_kept_before_a_bad_release_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = list[Sequence[KeptBatch]]()

    def noting(batches: Sequence[KeptBatch]) -> list[tuple[()]]:
        taken.append(batches)
        return [() for _ in batches]

    monkeypatch.setattr(command, "computed", noting)
    command.rehearse(STAGE, reader(0, 1, 2), "2026-11-30T06:02:00+01:00")
    assert [each.counts for each in taken[0]] == [0, 1]
    assert command.rehearse(STAGE, reader(0), "2026-11-30T05:00:00Z") == [
        "rehearsal: no batch is kept yet from before 2026-11-30T05:00:00Z, so nothing was computed"
    ]
    with pytest.raises(command.RehearsalError, match="BEFORE=yesterday must be an RFC 3339"):
        command.rehearse(STAGE, reader(0), "yesterday")


def test_a_stage_that_keeps_nothing_is_told_so_and_deployed() -> None:
    assert command.rehearse(STAGE, Reader({}, {}), "")[0].startswith("rehearsal: nothing is kept")


def test_of_many_batches_some_of_all_times_are_taken() -> None:
    keys = [f"batches/{number:04}" for number in range(1000)]
    found = command.chosen(keys, "")
    assert (len(found), found[0], found[1], found[-1]) == (command.MOST, keys[0], keys[5], keys[995])
