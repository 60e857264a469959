"""Instants as text and numbers, from the year 1 to the year 9999."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.times import (
    EARLIEST,
    LATEST,
    from_epoch_seconds,
    from_rfc_3339,
    is_period,
    millis,
    parse_instant,
    rfc_3339,
)

instants = st.integers(EARLIEST, LATEST)


@pytest.mark.parametrize(
    ("at", "text"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (1535544000000, "2018-08-29T12:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (951782400000, "2000-02-29T00:00:00.000Z"),
        (EARLIEST, "0001-01-01T00:00:00.000Z"),
        (LATEST, "9999-12-31T23:59:59.999Z"),
    ],
)
def test_text_is_of_fixed_width(at: int, text: str) -> None:
    assert rfc_3339(at) == text
    assert from_rfc_3339(text) == at


@given(one=instants, other=instants)
def test_text_sorts_as_the_instants_do(one: int, other: int) -> None:
    assert (rfc_3339(one) < rfc_3339(other)) == (one < other)
    assert from_rfc_3339(rfc_3339(one)) == one


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2018-08-29T12:00:00Z", 1535544000000),
        ("2018-08-29t12:00:00z", 1535544000000),
        ("2018-08-29 12:00:00+00:00", 1535544000000),
        ("2018-08-29T07:00:00-05:00", 1535544000000),
        ("2018-08-29T17:45:00+05:45", 1535544000000),
        ("2018-08-29T12:00:00-00:00", 1535544000000),
        ("2018-08-29T12:00:00.5Z", 1535544000500),
        ("2018-08-29T12:00:00.9999999999Z", 1535544000999),
        ("2016-02-29T00:00:00Z", 1456704000000),
        ("1969-12-31T23:59:59.9995Z", -1),
        ("0001-01-01T05:00:00+05:00", EARLIEST),
        ("9999-12-31T18:59:59.999-05:00", LATEST),
        ("2016-12-31T23:59:60Z", 1483228799999),
        ("2017-01-01t05:44:60.25+05:45", 1483228799999),
        ("9999-12-31T23:59:60Z", LATEST),
    ],
)
def test_an_instant_is_read_in_utc_and_cut_to_milliseconds(text: str, at: int) -> None:
    assert millis(parse_instant(text)) == at


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2018",
        "2018-08-29",
        "2018-08-29T12:00Z",
        "2018-08-29T12:00:00",
        "2018-8-29T12:00:00Z",
        "2018-02-29T00:00:00Z",
        "2018-13-01T00:00:00Z",
        "2018-08-29T24:00:00Z",
        "2018-08-29T12:00:60Z",
        "2016-12-31T23:59:60+01:00",
        "2016-12-31T23:59:61Z",
        "2018-08-29T12:00:00+24:00",
        "2018-08-29T12:00:00+05:60",
        "2018-08-29T12:00:00+0500",
        "0000-01-01T00:00:00Z",
        "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
        "2018-08-29T12:00:00Z\n",
        " 2018-08-29T12:00:00Z",
        "2018-08-29T12:00:00.Z",
        "+2018-08-29T12:00:00Z",
        "20180829T120000Z",
        "2018-W35-3T12:00:00Z",
        "٢018-08-29T12:00:00Z",
        "1535544000",
    ],
)
def test_anything_else_than_rfc_3339_within_the_years_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (the calendar's own words)
        parse_instant(text)


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        ("0", datetime(1970, 1, 1, tzinfo=UTC)),
        ("-0.0000001", datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)),
        ("1535544000.5", datetime(2018, 8, 29, 12, 0, 0, 500000, tzinfo=UTC)),
        ("1535544000.123456789", datetime(2018, 8, 29, 12, 0, 0, 123456, tzinfo=UTC)),
        ("-62135596800", datetime(1, 1, 1, tzinfo=UTC)),
        ("253402300799.999999", datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)),
        ("1e-9999", datetime(1970, 1, 1, tzinfo=UTC)),
    ],
)
def test_epoch_seconds_are_cut_to_microseconds(seconds: str, expected: datetime) -> None:
    assert from_epoch_seconds(Decimal(seconds)) == expected


@pytest.mark.parametrize(
    "seconds", ["-62135596800.000001", "253402300800", "1e12", "1535544000000", "-1e400", "NaN", "Infinity"]
)
def test_epoch_seconds_outside_the_years_are_refused(seconds: str) -> None:
    with pytest.raises(ValueError, match=r"is outside the years 0001 to 9999 \(milliseconds\?\): give seconds"):
        from_epoch_seconds(Decimal(seconds))


@pytest.mark.parametrize(
    "text",
    [
        "2018",
        "0001",
        "9999",
        "2018-08",
        "2018-08-29",
        "2018-08-29:12",
        "2018-08-29T12",
        "2018-08-29:12:59",
        "2018-08-29:12:59:59",
        "2018-08-29T12:59:59",
        "2016-02-29",
    ],
)
def test_a_period_is_a_year_or_any_part_of_an_instant_down_to_the_second(text: str) -> None:
    assert is_period(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "201",
        "2018-",
        "2018-8",
        "2018-13",
        "2018-00",
        "2018-02-29",
        "2018-08-32",
        "2018-08-29:",
        "2018-08-29:24",
        "2018-08-29:12:60",
        "2018-08-29:12:00:60",
        "2018-08-29 12",
        "2018-08-29:12:00:00.000",
        "0000",
        "2018-08\n",
        "2018-08-29T12T00",
        "20180",
        "٢٠١٨",
    ],
)
def test_anything_else_is_no_period(text: str) -> None:
    assert not is_period(text)
