"""One metric by hour and by day."""

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from tests.support.http import Answer, Client

pytestmark = pytest.mark.usefixtures("handlers")

ROUTE = "GET /devices/{device}/rollups"
DEVICE, READER = Client(groups=("ingest",)), Client()
READINGS = [
    ("2018-08-29T11:59:59.999Z", "1.5"),
    ("2018-08-29T12:00:00.000Z", "39.02"),
    ("2018-08-29T12:59:59.999Z", "-0.3"),
    ("2018-08-29T12:30:00.000Z", "50"),
    ("2018-08-29T13:00:00.000Z", "0.1"),
    ("2018-08-29T13:00:00.001Z", "0.2"),
    ("2018-08-30T00:00:00.000Z", "7"),
]


@pytest.fixture
def absorbed(drain: Callable[[], None]) -> None:
    events = ", ".join(
        f'{{"device_id": "123", "at": "{at}", "metrics": {{"temp": {value}, "temp.max": 1, "wind": 3}}}}'
        for at, value in READINGS
    )
    assert DEVICE.call("POST /telemetry", body=f'{{"events": [{events}]}}').body["accepted"] == len(READINGS)
    drain()


def get(**query: str) -> Answer:
    spelt = {"from" if name == "start" else name: value for name, value in query.items()}
    return READER.call(ROUTE, {"metric": "temp", "grain": "hour"} | spelt, device="123")


def rollup(start: str, count: int, mean: str, *numbers: str) -> dict[str, Any]:
    names = ("sum", "min", "max", "first", "last")
    exact = dict(zip(names, map(Decimal, numbers), strict=True))
    return {"start": f"2018-08-{start}:00:00.000Z", "count": count, "mean": Decimal(mean), "recounting": False} | exact


H11 = rollup("29T11", 1, "1.5", "1.5", "1.5", "1.5", "1.5", "1.5")
H12 = rollup("29T12", 3, "29.573333333333333333333333333333333333", "88.72", "-0.3", "50", "39.02", "-0.3")
H13 = rollup("29T13", 2, "0.15", "0.3", "0.1", "0.2", "0.1", "0.2")
H24 = rollup("30T00", 1, "7.0", "7", "7", "7", "7", "7")
D29 = rollup("29T00", 6, "15.086666666666666666666666666666666667", "90.52", "-0.3", "50", "1.5", "0.2")


@pytest.mark.usefixtures("absorbed")
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, [H11, H12, H13, H24]),
        ({"grain": "day"}, [D29, H24]),
        ({"start": "2018-08-29T12:00:00Z"}, [H12, H13, H24]),
        ({"start": "2018-08-29T14:00:00+02:00"}, [H12, H13, H24]),
        ({"to": "2018-08-29T13:00:00Z"}, [H11, H12]),
        ({"to": "2018-08-29T14:00:00Z"}, [H11, H12, H13]),
        ({"start": "2018-08-29T12:00:00Z", "to": "2018-08-29T13:00:00Z"}, [H12]),
        ({"start": "2018-08-29T14:00:00Z", "to": "2018-08-30T00:00:00Z"}, []),
        ({"grain": "day", "start": "2018-08-30T00:00:00Z"}, [H24]),
        ({"grain": "day", "to": "2018-08-30T00:00:00Z"}, [D29]),
        ({"start": "0001-01-01T00:00:00Z", "to": "9999-12-31T23:00:00Z"}, [H11, H12, H13, H24]),
        ({"metric": "tem"}, []),
        ({"metric": "nothing"}, []),
    ],
)
def test_buckets_between_the_bounds(query: dict[str, str], expected: list[dict[str, Any]]) -> None:
    answer = get(**query)
    assert (answer.status, answer.body["rollups"], answer.body["cursor"]) == (200, expected, None)
    assert answer.cost[0] == 2


@pytest.mark.parametrize(
    ("query", "errors"),
    [
        (
            {"grain": "day", "start": "2026-03-01T00:00:00+05:45", "to": "2026-03-02T00:00:00+05:45"},
            {
                "from": "a day of UTC.*such as 2026-02-28T00:00:00.000Z$",
                "to": "a day of UTC.*such as 2026-03-01T00:00:00.000Z$",
            },
        ),
        ({"grain": "day", "start": "2026-03-01T00:00:00+09:00"}, {"from": "a day of UTC"}),
        ({"start": "2026-03-01T00:00:00+09:30"}, {"from": "an hour of UTC.*such as 2026-02-28T14:00:00.000Z$"}),
        ({"to": "2018-08-29T13:00:00.001Z"}, {"to": "an hour of UTC"}),
        ({"to": "9999-12-31T23:59:59.999Z"}, {"to": "such as 9999-12-31T23:00:00.000Z$"}),
    ],
)
def test_a_range_that_cuts_a_bucket_is_refused_with_the_way_out(query: dict[str, str], errors: dict[str, str]) -> None:
    """What a bucket holds on either side of a bound is unknown: its sum would be one of other instants than asked."""
    answer = get(**query)
    assert (answer.status, answer.fields) == (400, list(errors))
    for fault, pattern in zip(answer.body["errors"], errors.values(), strict=True):
        assert re.search(pattern, fault["error"])


@pytest.mark.usefixtures("absorbed")
def test_a_metric_may_have_a_point_in_its_name() -> None:
    counts = [bucket["count"] for bucket in get(metric="temp.max", grain="day").body["rollups"]]
    assert counts == [6, 1]


@pytest.mark.usefixtures("absorbed")
def test_the_answer_says_what_was_asked() -> None:
    body = get(grain="day").body
    assert (body["device"], body["metric"], body["grain"]) == ("123", "temp", "day")


@pytest.mark.usefixtures("absorbed")
def test_pages_end_at_blocks() -> None:
    """Of four hours each; all pages together are all buckets."""
    for limit in ("1", "2", "3"):
        body = get(limit=limit).body
        found = body["rollups"]
        while body["cursor"]:
            body = get(limit=limit, cursor=body["cursor"]).body
            found += body["rollups"]
        assert found == [H11, H12, H13, H24]


@pytest.mark.usefixtures("absorbed")
def test_a_cursor_serves_no_other_range() -> None:
    cursor = get(limit="1").body["cursor"]
    for other in (
        {"metric": "wind"},
        {"grain": "day"},
        {"start": "2018-08-29T00:00:00Z"},
        {"to": "2019-01-01T00:00:00Z"},
    ):
        assert get(**other, cursor=cursor).fields == ["cursor"]


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ({"grain": "week"}, ["grain"]),
        ({"grain": ""}, ["grain"]),
        ({"metric": ""}, ["metric"]),
        ({"start": "3600", "to": "3600"}, ["to"]),
        ({"start": "7200", "to": "3600"}, ["to"]),
        ({"start": "then"}, ["from"]),
        ({"limit": "1001"}, ["limit"]),
    ],
)
def test_what_is_wrong_with_a_query_is_named(query: dict[str, str], fields: list[str]) -> None:
    answer = get(**query)
    assert (answer.status, answer.fields) == (400, fields)


def test_metric_and_grain_must_be_given() -> None:
    answer = READER.call(ROUTE, {}, device="123")
    assert (answer.status, answer.fields) == (400, ["metric", "grain"])
