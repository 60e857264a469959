"""A window is of whole periods: it counts what is in the instants that it names, and nothing else."""

from datetime import UTC, datetime, timedelta
from typing import Any, assert_type
from unittest.mock import patch
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from delivery import NONE
from edgewise import clock
from edgewise.times import millis
from edgewise.views import View, Window, count, day_of, distinct, each_of, group_by, hour_of, max_of, month_of, sum_of
from edgewise.views.groupings import ByPeriod
from edgewise.views.windows import whole
from tests.support.own_tables import TOLD, Shop
from tests.views.shop import SHOP, Customers, Order, put, told

ZONES = (
    "UTC",
    "Europe/Berlin",
    "Asia/Kathmandu",
    "America/Havana",
    "America/St_Johns",
    "America/Toronto",
    "Asia/Beirut",
)
PERIODS = {"hour": "2026-11-30T14", "day": "2026-11-30", "month": "2026-11"}
INSTANTS = st.datetimes(datetime(1900, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC))
HOURS = [f"2026-11-30T{hour:02}" for hour in range(10, 15)]


def _by(period: str, zone: str) -> ByPeriod:
    return ByPeriod(Order.placed, period, len(PERIODS[period]), "UTC" if period == "hour" else zone)


def _name(by: ByPeriod, at: datetime) -> str:
    return at.astimezone(ZoneInfo(by.zone)).isoformat()[: len(PERIODS[by.name])]


@given(st.sampled_from([*PERIODS]), st.sampled_from(ZONES), st.integers(1, 40), INSTANTS, st.floats(-0.5, 1.5))
def test_its_periods_are_those_of_its_instants(period: str, zone: str, number: int, at: datetime, where: float) -> None:
    by = _by(period, zone)
    try:
        span = whole(by, number, at)
    except ValueError:
        assert zone == "America/St_Johns", "only there"
        return
    for other in (span.since, span.until, span.since + where * (span.until - span.since)):
        for near in (other - timedelta(microseconds=1), other, other + timedelta(microseconds=1)):
            assert (span.since <= near < span.until) is (span.first <= _name(by, near) <= span.last)
    assert span.until <= at
    assert _name(by, at) > span.last, "a period that is not over"
    assert _name(by, at) == _name(by, span.until), "the last one that is over"


@pytest.mark.parametrize(
    ("by", "number", "first", "last", "since", "until"),
    [
        (_by("hour", "UTC"), 24, "2026-11-29T14", "2026-11-30T13", "2026-11-29T14:00", "2026-11-30T14:00"),
        (_by("day", "UTC"), 7, "2026-11-23", "2026-11-29", "2026-11-23T00:00", "2026-11-30T00:00"),
        (_by("month", "UTC"), 12, "2025-11", "2026-10", "2025-11-01T00:00", "2026-11-01T00:00"),
        # An hour longer: clocks go back within it.
        (_by("month", "Europe/Berlin"), 1, "2026-10", "2026-10", "2026-09-30T22:00", "2026-10-31T23:00"),
    ],
)
def test_it_ends_with_the_last_period_that_is_over(
    by: ByPeriod, number: int, first: str, last: str, since: str, until: str
) -> None:
    span = whole(by, number, datetime(2026, 11, 30, 14, 5, tzinfo=UTC))
    assert (span.first, span.last) == (first, last)
    assert (span.since, span.until) == tuple(datetime.fromisoformat(f"{at}+00:00") for at in (since, until))


def test_a_day_that_begins_within_an_hour_that_is_skipped_begins_after_that() -> None:
    """In Toronto, clocks went from half past eleven in the evening to half past midnight."""
    span = whole(_by("day", "America/Toronto"), 1, datetime(1919, 4, 1, 12, tzinfo=UTC))
    assert span.since == datetime(1919, 3, 31, 4, 30, tzinfo=UTC)


def test_a_day_that_begins_twice_begins_and_ends_no_window() -> None:
    """In St. John's, clocks went back to the day before, a minute past midnight."""
    by = _by("day", "America/St_Johns")
    with pytest.raises(ValueError, match="2006-10-29 begins twice in America/St_Johns, whose clocks went back"):
        whole(by, 1, datetime(2006, 10, 30, 12, tzinfo=UTC))
    assert whole(by, 2, datetime(2006, 10, 30, 12, tzinfo=UTC)).last == "2006-10-29"


class Hourly(View, of=Order):
    product, hour = group_by(Order.product), group_by(hour_of(Order.placed))
    orders, net, greatest, buyers = count(), sum_of(Order.net), max_of(Order.net), distinct(Order.customer)


class Daily(View, of=Order):
    day, tag = group_by(day_of(Order.placed)), group_by(each_of(Order.tags))
    orders, greatest = count(), max_of(Order.net)


class Months(View, of=Order):
    customer, month, product = group_by(Order.customer), group_by(month_of(Order.placed)), group_by(Order.product)
    orders = count()


@pytest.fixture
def shop() -> Shop:
    made = Shop(SHOP, 1, NONE)
    made.deploy(Hourly, Daily, Months)
    with made.delivered():
        for number, hour in enumerate(HOURS):
            put(made, "ann", number, net=2**number, product="tea", tags=["a", "b"], createdAt=f"{hour}:59:59.999Z")
        put(made, "bob", 1, net=100, product="mug", tags=["a"], createdAt=f"{HOURS[-1]}:00:00Z")
    return made


AT = datetime(2026, 11, 30, 14, 5, tzinfo=UTC)


def test_it_counts_whole_hours_of_a_group_by_one_query(shop: Shop) -> None:
    with patch.object(shop.engine, "query", wraps=shop.engine.query) as queries:
        found = assert_type(Hourly.window(shop.table, 3, AT, fresh=TOLD, product="tea"), Window[Hourly])
    assert queries.call_count == 1
    assert told(found.total.orders, found.total.net, found.total.greatest) == (3, 2 + 4 + 8, 8)
    assert (found.total.product, found.complete, found.as_of) == ("tea", True, found.total.as_of)
    assert (found.since, found.until) == (AT.replace(hour=11, minute=0), AT.replace(hour=14, minute=0))
    with pytest.raises(AttributeError, match="rows don't tell which values they have in common"):
        _ = found.total.buyers
    assert Hourly.window(shop.table, 3, AT.replace(hour=20), fresh=TOLD, product="tea").total.orders == 0


def test_it_ends_now_unless_somebody_says_when(shop: Shop) -> None:
    with patch.object(clock, "now", lambda: millis(AT + timedelta(hours=1))):
        found = Hourly.window(shop.table, 1, fresh=TOLD, product="mug")
    assert told(found.until, found.total.net) == (AT.replace(hour=15, minute=0), 100)


def test_rows_of_all_further_keys_are_in_it(shop: Shop) -> None:
    at = AT + timedelta(days=2)
    months = Months.window(shop.table, 1, at, customer="ann")
    assert (months.total.orders, months.total.customer) == (5, "ann")
    days = Daily.window(shop.table, 2, at, fresh=TOLD)
    assert told(days.total.greatest, days.complete) == (100, True)
    with pytest.raises(AttributeError, match="one item is in several groups by tag"):
        _ = days.total.orders


def test_it_is_as_complete_as_its_rows(shop: Shop) -> None:
    with shop.delivered():
        put(shop, "ann", 9, net="nine", product="tea", createdAt=f"{HOURS[0]}:00:00Z")
    found = Hourly.window(shop.table, 3, AT, fresh=TOLD, product="tea")
    assert told(found.complete, found.total.complete) == (False, False)


@pytest.mark.parametrize(
    ("asking", "error", "why"),
    [
        (lambda: Hourly.window(None, 24), TypeError, "Hourly: a window is of periods: give the keys before hour"),  # type: ignore[arg-type]
        (
            lambda: Customers.window(None, 24, customer="ann"),  # type: ignore[arg-type]
            TypeError,
            "Customers: a window is of periods: group by hour_of, day_of or month_of, too",
        ),
        (
            lambda: Hourly.window(None, 24, product="tea", hour="2026-11-30T14"),  # type: ignore[arg-type]
            TypeError,
            "a window is of periods: give the keys before hour",
        ),
        (
            lambda: Hourly.window(None, 24, AT, customer="ann"),  # type: ignore[arg-type]
            TypeError,
            r'Hourly is asked for product="\.\.\.", and got customer=',
        ),
        (lambda: Hourly.window(None, 0, product="tea"), ValueError, "a window has 1 to 10,000 periods, and not 0"),  # type: ignore[arg-type]
        (lambda: Hourly.window(None, True, product="tea"), ValueError, "1 to 10,000 periods, and not True"),  # type: ignore[arg-type]
        (
            lambda: Hourly.window(None, 1, datetime(2026, 11, 30), product="tea"),  # type: ignore[arg-type]
            ValueError,
            "a window ends at or before an instant, and 2026-11-30 00:00:00 needs a zone",
        ),
    ],
)
def test_what_is_no_window_is_refused_with_what_to_write(asking: Any, error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        asking()
