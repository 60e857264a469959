from decimal import Decimal

import pytest

from ops.recounting import recount
from ops.recounting.facts import Name
from ops.recounting.samples import Message, Reading

JFK, LGA = ("US", "New York", "New York", "JFK"), ("US", "New York", "New York", "LGA")
READINGS = [
    Reading("a", "2013-01-01T06:10:00Z", JFK, {"temp": Decimal("1.1")}),
    Reading("a", "2013-01-01T06:00:00Z", JFK, {"temp": Decimal("2.2")}),
    Reading("a", "2013-01-02T00:00:00Z", LGA, {"temp": Decimal("-3")}),
    Reading("b", "2013-01-01T06:00:00Z", LGA, {}),
]
MESSAGES = [
    Message("r1", "amy", "2018-08-29T12:00:00Z", "0", "one"),
    Message("r1", "amy", "2018-08-29T12:00:00Z", "1", "two in a second"),
    Message("r1", "bob", "2018-08-29T12:00:05Z", "2", "three"),
    Message("r2", "amy", "2018-08-28T00:00:00Z", "0", "four"),
]


def test_rooms_count_messages_and_distinct_users() -> None:
    assert recount.rooms(MESSAGES) == {
        Name("ROOM", ("r1",)): {"messages": 3, "users": 2},
        Name("ROOM", ("r2",)): {"messages": 1, "users": 1},
    }


def test_users_count_messages_and_distinct_rooms() -> None:
    assert recount.users(MESSAGES) == {
        Name("USER", ("amy",)): {"messages": 3, "rooms": 2},
        Name("USER", ("bob",)): {"messages": 1, "rooms": 1},
    }


def test_an_edge_has_the_first_and_the_last_instant() -> None:
    late_first = list(reversed(MESSAGES))
    assert recount.users_in_rooms(late_first)[Name("POSTED_IN", ("amy", "r1"))] == {
        "messages": 2,
        "first": "2018-08-29T12:00:00.000Z",
        "last": "2018-08-29T12:00:00.000Z",
    }


def test_devices_count_events_and_distinct_places() -> None:
    assert recount.devices(READINGS)[Name("DEVICE", ("a",))] == {
        "events": 3,
        "places": 2,
        "first": "2013-01-01T06:00:00.000Z",
        "last": "2013-01-02T00:00:00.000Z",
    }
    assert recount.devices_at_places(READINGS)[Name("REPORTED_FROM", ("a", JFK))]["events"] == 2


def test_places_of_every_level_count_all_below_and_each_device_once() -> None:
    assert recount.places(READINGS) == {
        Name("PLACE", (("US",),)): {"events": 4, "devices": 2},
        Name("PLACE", (("US", "New York"),)): {"events": 4, "devices": 2},
        Name("PLACE", (("US", "New York", "New York"),)): {"events": 4, "devices": 2},
        Name("PLACE", (JFK,)): {"events": 2, "devices": 1},
        Name("PLACE", (LGA,)): {"events": 2, "devices": 2},
    }


def test_an_hour_sums_exactly_and_orders_by_time() -> None:
    hours = recount.recount(READINGS, MESSAGES)
    assert hours[Name("ROLLUP_HOUR", ("a", "temp", "2013-01-01T06:00:00.000Z"))] == {
        "count": 2,
        "sum": Decimal("3.3"),
        "mean": 1.65,
        "min": Decimal("1.1"),
        "max": Decimal("2.2"),
        "first": Decimal("2.2"),  # at 06:00, although it stands second
        "last": Decimal("1.1"),
    }


def test_a_day_ends_at_midnight_utc() -> None:
    days = recount.rollups(recount.DAYS, READINGS)
    assert {name.about[2]: fields["count"] for name, fields in days.items()} == {
        "2013-01-01T00:00:00.000Z": 2,
        "2013-01-02T00:00:00.000Z": 1,
    }


def test_a_sum_keeps_digits_that_a_float_would_lose() -> None:
    summed = recount.summary([("1", Decimal("10.357019999999999")), ("2", Decimal("1e15"))])["sum"]
    assert summed == Decimal("1000000000000010.357019999999999")


@pytest.mark.parametrize("count", [3, 7])
def test_the_mean_is_rounded_because_no_decimal_holds_it(count: int) -> None:
    assert recount.rounded_mean(Decimal(1) / count) == pytest.approx(1 / count, rel=1e-11)


def test_a_place_knows_each_device_at_it_or_below() -> None:
    below = recount.devices_below(READINGS)
    assert {name.about[1] for name in below if name.about[0] == ("US", "New York")} == {"a", "b"}
    assert {name.about[1] for name in below if name.about[0] == JFK} == {"a"}


def test_a_reading_without_a_place_is_at_none() -> None:
    nowhere = [Reading("a", "2013-01-01T06:10:00Z", (), {})]
    assert recount.devices(nowhere)[Name("DEVICE", ("a",))]["places"] == 0
    assert not {**recount.devices_at_places(nowhere), **recount.places(nowhere), **recount.devices_below(nowhere)}
