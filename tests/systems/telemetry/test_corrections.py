"""Telemetry sent again with other content is a correction: every aggregate equals what a recount of the last would."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from functions.handlers import cascade, edge_aggregator
from functions.web import runtime
from tests.support.http import Client, Context
from tests.support.streams import StreamedMemory, window_event

pytestmark = pytest.mark.usefixtures("handlers")

DEVICE = Client(groups=("ingest",))
DAY = {"grain": "day", "metric": "temp"}
Reading = tuple[int, str, int, str]  # minute, id, value, place


def event(reading: Reading) -> dict[str, Any]:
    minute, name, value, place = reading
    at = f"2018-08-29T12:{minute:02d}:00Z"
    return {"device_id": "d", "at": at, "event_id": name, "place": ["US", place], "metrics": {"temp": value}}


def send(readings: Sequence[Reading]) -> None:
    answer = DEVICE.call("POST /telemetry", None, {"events": list(map(event, readings))})
    assert (answer.status, answer.body["accepted"]) == (202, len(readings))


def deliver(table: StreamedMemory, cuts: Sequence[int]) -> None:
    """All that the stream holds, each batch once more in two halves."""
    (shard,) = table.shards.values()
    while shard:
        batch, shard[:] = list(shard), []
        cut = cuts[len(batch) % len(cuts)] % len(batch) if cuts else 0
        for part in (batch, batch[:cut], batch[cut:]):
            edge_aggregator.handler(window_event("1", part), Context())


def rollup(stored: Mapping[tuple[int, str], tuple[int, str]]) -> dict[str, Any]:
    """What a day of these readings is, reckoned from all of them."""
    timed = sorted((minute, value) for (minute, _), (value, _) in stored.items())
    last_minute = timed[-1][0]
    values = [value for _, value in timed]
    return {
        "start": "2018-08-29T00:00:00.000Z",
        "count": len(values),
        "sum": sum(values),
        "mean": pytest.approx(Decimal(sum(values)) / len(values)),
        "min": min(values),
        "max": max(values),
        "first": timed[0][1],
        "last": max(value for minute, value in timed if minute == last_minute),
        "recounting": False,
    }


READINGS = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from("ab"), st.integers(-9, 9), st.sampled_from(["Texas", "Ohio"])),
    min_size=1,
    max_size=6,
)


@given(posts=st.lists(READINGS, min_size=1, max_size=6), cuts=st.lists(st.integers(0, 20), max_size=3))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_new_values_are_in_old_ones_out_and_extremes_counted_again(
    posts: list[list[Reading]], cuts: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = StreamedMemory()
    for module in (runtime, edge_aggregator, cascade):
        monkeypatch.setattr(module, "table", lambda: table)
    stored: dict[tuple[int, str], tuple[int, str]] = {}
    for readings in posts:
        send(readings)
        stored |= {(minute, name): (value, place) for minute, name, value, place in readings}
        deliver(table, cuts)
        (found,) = DEVICE.call("GET /devices/{device}/rollups", DAY, device="d").body["rollups"]
        assert found == rollup(stored)
        body = DEVICE.call("GET /devices/{device}", device="d").body
        places = [place for _, place in stored.values()]
        assert (body["summary"]["events"], body["summary"]["places"]) == (len(stored), len(set(places)))
        assert {each["place"][1]: each["events"] for each in body["places"]} == {
            place: places.count(place) for place in places
        }
