"""What a run sends and expects: every system and kind, in its corner only, the same for the same seed."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from functions.catalog import CATALOG, SYSTEMS
from ops.recounting.facts import Facts, Name
from verify.corner import Corner
from verify.share import Request, Share, times
from verify.shares import chat, graph, measured, shares
from verify.shares.chat import Message
from verify.shares.readings import Reading

CORNER = Corner("verify-0")


@pytest.fixture(params=[200, 2000])
def everything(request: pytest.FixtureRequest) -> list[Share]:
    return shares(CORNER, 1, request.param)


def expected(share: Share) -> Facts:
    return {name: fields for check in share.checks for name, fields in check.expected.items()}


def requests(share: Share) -> Iterator[Request]:
    yield from (request for of_round in share.rounds for request in of_round)


def test_every_kind_of_aggregate_is_expected_and_recounted(everything: list[Share]) -> None:
    assert {name.kind for share in everything for name in expected(share)} == {*CATALOG.kinds, "walk from", "place of"}
    assert {name.kind for share in everything for name in share.recounts} == set(CATALOG.kinds)


def test_every_system_is_called(everything: list[Share]) -> None:
    """Walks are a system of reads only: the graph's share takes one. `api` is the description of the others.

    Checks are what runs of the batch side leave, alerts what the stream does. Operations, the quarantine, push and
    search store nothing of their own. The proof breaks what is to be verified.
    """
    uncalled = {"api", "walks", "checks", "operations", "quarantine", "push", "search", "alerts", "proof"}
    assert {share.name for share in everything} == {system.name for system in SYSTEMS} - uncalled


def test_the_deployment_understands_what_it_is_to_recount(everything: list[Share]) -> None:
    for share in everything:
        for name in share.recounts:
            CATALOG.named_by_people(name.kind, json.loads(json.dumps(name.about)))


def test_all_that_is_sent_stands_in_the_corner(everything: list[Share]) -> None:
    """Every path names the corner, but for that of telemetry, whose body does."""
    for share in everything:
        for request in [*requests(share), *share.removal]:
            assert CORNER.name in "/".join(request.path) or all(
                event["device_id"].startswith(CORNER.name)
                and event.get("place", [CORNER.name])[0].startswith(CORNER.name)
                for event in (request.body or {})["events"]
            )


def test_the_same_seed_sends_the_same_and_another_one_does_not() -> None:
    def sent(seed: int) -> list[Any]:
        return [(share.rounds, share.queued) for share in shares(CORNER, seed, 200)]

    assert sent(1) == sent(1) != sent(2)


def test_one_round_never_sends_two_contents_under_one_name(everything: list[Share]) -> None:
    """They are sent side by side: nobody could say which one stands in the end."""
    (share,) = (share for share in everything if share.name == "telemetry")
    for of_round in share.rounds:
        contents: dict[str, Any] = {}
        for event in (event for request in of_round for event in (request.body or {})["events"]):
            assert contents.setdefault(event["event_id"], event) == event


def test_what_comes_through_the_queue_is_never_corrected(everything: list[Share]) -> None:
    """It may be delivered once more at any time, and would undo the correction."""
    (share,) = (share for share in everything if share.name == "telemetry")
    queued = {event["event_id"] for body in share.queued for event in body["events"]}
    posted = {event["event_id"] for request in requests(share) for event in (request.body or {})["events"]}
    assert queued
    assert not queued & posted


def test_some_thousand_writes_are_sent_by_default() -> None:
    assert 3_000 < sum(share.writes for share in shares(CORNER, 1, 2000)) < 8_000
    assert times(Request("POST", ("telemetry",), {}, accepted=50, times=2)) == 100


def reading(device: str, hour: int, minute: int, place: tuple[str, ...], **metrics: str) -> Reading:
    at = datetime(2026, 1, 5, hour, minute, tzinfo=UTC)
    return Reading(device, at, f"{hour}:{minute}", place, {name: Decimal(value) for name, value in metrics.items()})


def test_readings_are_counted_by_device_place_hour_and_day() -> None:
    hall = (CORNER.id("site"), "hall")
    readings = [
        reading("d1", 10, 0, hall, temp="1.5"),
        reading("d1", 10, 30, hall, temp="-2.5", load="7"),
        reading("d1", 11, 0, (), temp="4"),
        reading("d2", 9, 0, hall[:1]),
    ]
    found = {name: fields for check in measured.checks(CORNER, readings) for name, fields in check.expected.items()}
    assert found[Name("DEVICE", ("d1",))] == {
        "events": 3,
        "places": 1,
        "first": "2026-01-05T10:00:00.000Z",
        "last": "2026-01-05T11:00:00.000Z",
    }
    assert found[Name("REPORTED_FROM", ("d1", hall))]["events"] == 2
    assert found[Name("PLACE", (hall[:1],))] == {"events": 3, "devices": 2}
    assert found[Name("PLACE", (hall,))] == {"events": 2, "devices": 1}
    assert found[Name("ROLLUP_HOUR", ("d1", "temp", "2026-01-05T10:00:00.000Z"))] == {
        "count": 2,
        "sum": Decimal("-1.0"),
        "mean": -0.5,
        "min": Decimal("-2.5"),
        "max": Decimal("1.5"),
        "first": Decimal("1.5"),
        "last": Decimal("-2.5"),
    }
    assert found[Name("ROLLUP_DAY", ("d1", "temp", "2026-01-05T00:00:00.000Z"))]["mean"] == 1.0
    assert Name("ROLLUP_HOUR", ("d1", "load", "2026-01-05T11:00:00.000Z")) not in found


def test_messages_are_counted_by_room_and_user() -> None:
    at = datetime(2026, 1, 5, tzinfo=UTC)
    messages = [Message("r1", "amy", at, "1"), Message("r1", "bob", at, "2"), Message("r2", "amy", at, "3")]
    found = {name: fields for check in chat._checks(messages) for name, fields in check.expected.items()}
    assert found[Name("ROOM", ("r1",))] == {"messages": 2, "users": 2}
    assert found[Name("USER", ("amy",))] == {"messages": 2, "rooms": 2}
    assert found[Name("POSTED_IN", ("bob", "r1"))]["messages"] == 1


def test_what_is_reached_is_counted_by_its_distance() -> None:
    edges = {("a", "b"): Decimal(1), ("b", "c"): Decimal(1), ("a", "d"): Decimal(1), ("c", "e"): Decimal(1)}
    assert graph._reached("a", {**edges, ("e", "f"): Decimal(1)}) == {"1 steps": 2, "2 steps": 1, "3 steps": 1}
