"""What fields read of items, what conditions say of them, and the groups that they are in."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from edgewise.aggregates.catalog import DeclarationError
from edgewise.views import Instant, Number, Text, Texts, day_of, each_of, hour_of, levels_of, month_of
from edgewise.views.fields import Field

status, net, tags, placed = Text("status"), Number("price.net"), Texts("tags"), Instant("at")


def _at(path: str, value: Any) -> Any:
    *outer, last = path.split(".")
    item = {last: value}
    for name in reversed(outer):
        item = {name: {"M": item}}
    return item


@pytest.mark.parametrize(
    ("field", "value", "read"),
    [
        (status, {"S": "open"}, "open"),
        (status, {"N": "12.5"}, "12.5"),
        (status, {"B": b"\xff\x01"}, "ff01"),
        (status, {"BOOL": True}, "true"),
        (status, {"NULL": True}, None),
        (net, {"N": "12.50"}, Decimal("12.5")),
        (net, {"S": "12.50"}, Decimal("12.5")),
        (net, {"S": "-1e2"}, Decimal(-100)),
        (net, {"NULL": True}, None),
        (tags, {"SS": ["new", "gift"]}, ("new", "gift")),
        (tags, {"L": [{"S": "new"}, {"N": "1"}, {"S": "new"}]}, ("new", "1")),
        (tags, {"S": "new"}, ("new",)),
        (placed, {"S": "2026-11-30T01:00:00+01:00"}, datetime(2026, 11, 30, tzinfo=UTC)),
        (placed, {"N": "1.5"}, datetime(1970, 1, 1, 0, 0, 1, 500_000, tzinfo=UTC)),
        (placed, {"S": "2026-11-30T01:00:00.000000+0000"}, datetime(2026, 11, 30, 1, tzinfo=UTC)),
        (placed, {"S": "2026-11-30T01:00:00-0130"}, datetime(2026, 11, 30, 2, 30, tzinfo=UTC)),
        (Instant("at", milliseconds=True), {"N": "1796000000250"}, datetime(2026, 11, 30, 0, 53, 20, 250_000, UTC)),
        (Instant("at", milliseconds=True), {"S": "2026-11-30T00:00:00Z"}, datetime(2026, 11, 30, tzinfo=UTC)),
        (Text("key", after="CUSTOMER#"), {"S": "CUSTOMER#ann"}, "ann"),
        (Text("key", after="CUSTOMER#"), {"S": "CUSTOMER#"}, ""),
        (Text("key", after="CUSTOMER#"), {"S": "customer#ann"}, None),
        (Text("key", after="CUSTOMER#"), {"NULL": True}, None),
    ],
)
def test_a_value_is_read_as_its_fields_type(field: Field[Any], value: Any, read: Any) -> None:
    assert field.read(_at(field.path, value)) == read


@pytest.mark.parametrize(
    ("field", "item", "why"),
    [
        (status, {"status": {"M": {}}}, "status must be a text, a number, bytes or a boolean, and is M"),
        (net, {"price": {"M": {"net": {"S": "twelve"}}}}, "price.net must be a number, and is another text"),
        (net, {"price": {"M": {"net": {"S": "NaN"}}}}, "price.net must be a number, and is another text"),
        (net, {"price": {"M": {"net": {"S": "1e99999999999999999999"}}}}, "price.net must be a number, and is another"),
        (net, {"price": {"M": {"net": {"BOOL": True}}}}, "price.net must be a number, and is BOOL"),
        (net, {"price": {"M": {"net": {"S": "1E+309"}}}}, "between .* and 1.7976931348623157e.308"),
        (net, {"price": {"S": "12"}}, "price.net is within a map, and there is S"),
        (tags, {"tags": {"L": [{"M": {}}]}}, "tags must be a text, .* and is M"),
        (tags, {"tags": {"SS": [str(n) for n in range(101)]}}, "tags has 101 different texts"),
        (placed, {"at": {"S": "2026-11-30"}}, "at must be an RFC 3339 date-time with an offset"),
        (placed, {"at": {"S": "2026-11-30T00:00:00"}}, "at must be an RFC 3339 date-time with an offset"),
        (placed, {"at": {"S": "2026-11-30T00:00:00+9999"}}, "at must be an RFC 3339 date-time with an offset"),
        (Text("key", after="C#"), {"key": {"M": {}}}, "key must be a text, a number, bytes or a boolean, and is M"),
        (placed, {"at": {"N": "1796000000000"}}, "at is outside the years"),
    ],
)
def test_what_is_no_value_is_told_by_its_path(field: Field[Any], item: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        field.read(item)


@pytest.mark.parametrize("item", [{}, {"price": {"NULL": True}}, {"price": {"M": {}}}])
def test_a_path_that_leads_nowhere_is_no_value(item: Any) -> None:
    assert net.read(item) is None


@pytest.mark.parametrize(("value", "read"), [({"N": "7"}, Decimal(7)), ({"NULL": True}, None)])
def test_an_attribute_whose_name_has_points_comes_before_a_path(value: Any, read: Any) -> None:
    assert net.read(_at("price.net", {"N": "5"}) | {"price.net": value}) == read


OPEN, NOBODY = {"status": {"S": "open"}, **_at("price.net", {"N": "5"}), "tags": {"SS": ["a"]}}, dict[str, Any]()


@pytest.mark.parametrize(
    ("condition", "of_open", "of_nobody"),
    [
        (status == "open", True, False),
        (status != "open", False, True),
        (~(status == "paid"), True, True),
        (status.isin("paid", "open"), True, False),
        (status.exists(), True, False),
        (status < "p", True, False),
        (net >= 5, True, False),
        (net > Decimal("4.99"), True, False),
        (net < 5, False, False),
        (~(net < 5), True, True),
        (net <= 5, True, False),
        (tags.has("a"), True, False),
        (tags.isin("b", "c"), False, False),
        ((status == "open") & (net < 5), False, False),
        ((status == "open") | (net < 5), True, False),
    ],
)
def test_a_condition_holds_or_does_not_and_of_no_value_no_comparison_holds(
    condition: Any, of_open: bool, of_nobody: bool
) -> None:
    assert (condition.holds(OPEN), condition.holds(NOBODY)) == (of_open, of_nobody)


UNREADABLE = {"status": {"S": "open"}, **_at("price.net", {"S": "twelve"})}


@pytest.mark.parametrize("turned", [False, True])
def test_the_order_of_conditions_does_not_matter_as_it_does_not_for_the_version(turned: bool) -> None:
    def pair(one: Any, other: Any) -> Any:
        return (other, one) if turned else (one, other)

    (paid, large), (is_open, small) = pair(status == "paid", net > 5), pair(status == "open", net < 5)
    assert (paid & large).holds(UNREADABLE) is False
    assert (is_open | small).holds(UNREADABLE) is True
    for unclear in (is_open & small, paid | large):
        with pytest.raises(ValueError, match=r"price\.net must be a number"):
            unclear.holds(UNREADABLE)


@pytest.mark.parametrize(("month", "day", "utc"), [(10, 25, "00"), (3, 29, "01")])
def test_an_hour_that_a_zone_has_twice_or_never_is_compared_as_in_utc(month: int, day: int, utc: str) -> None:
    """In Python, such an instant equals none of another zone. Both ways to write it have one version."""
    at = datetime(2026, month, day, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"))
    item: Any = {"at": {"S": f"2026-{month:02}-{day}T{utc}:30:00Z"}}
    assert (placed == at).canonical == (placed == at.astimezone(UTC)).canonical
    holding = [placed == at, placed.isin(at), placed <= at, placed >= at]
    assert [condition.holds(item) for condition in holding] == [True] * 4
    assert (placed != at).holds(item) is False


def test_pythons_own_and_would_lose_a_condition() -> None:
    with pytest.raises(TypeError, match=r"combine conditions by &, \| and ~"):
        _ = (status == "open") and (net < 5)


@pytest.mark.parametrize(
    ("comparing", "why"),
    [
        (lambda: status == None, r"write status.exists\(\)"),  # noqa: E711
        (lambda: status == 5, 'status is compared with values such as "open", and not with 5'),
        (lambda: net > 1.5, r'price.net is compared with values such as 5 or Decimal\("12.50"\), and not with 1.5'),
        (lambda: net == True, "and not with True"),  # noqa: E712
        (lambda: placed < datetime(2026, 1, 1), "needs a zone"),
        (lambda: tags == "a", r"tags are several texts: write tags.has\('a'\)"),
        (lambda: status.isin(), r"status.isin needs the values"),
    ],
)
def test_a_comparison_that_means_nothing(comparing: Any, why: str) -> None:
    with pytest.raises(DeclarationError, match=why):
        comparing()


def test_periods_are_of_a_zone_and_sort_as_their_names() -> None:
    late: Any = {"at": {"S": "2026-10-31T23:30:00Z"}}
    early: Any = {"at": {"S": "0099-02-01T00:00:00Z"}}
    assert hour_of(placed).values(late) == ("2026-10-31T23",)
    assert day_of(placed, "Europe/Berlin").values(late) == ("2026-11-01",)
    assert month_of(placed, "America/New_York").values(late) == ("2026-10",)
    assert month_of(placed).values(early) == ("0099-02",)
    assert (month_of(placed).values({}), each_of(tags).values({})) == ((), ())


@pytest.mark.parametrize(
    ("path", "levels"),
    [
        ("eu", ("eu",)),
        ("eu/de/be", ("eu", "eu/de", "eu/de/be")),
        ("/eu/de", ("/eu", "/eu/de")),
        ("", ()),
    ],
)
def test_a_path_is_in_each_of_its_levels(path: str, levels: tuple[str, ...]) -> None:
    assert levels_of(status).values({"status": {"S": path}}) == levels
    assert levels_of(status, ".").values({"status": {"S": path.replace("/", ".")}}) == tuple(
        level.replace("/", ".") for level in levels
    )


def test_a_path_that_is_not_there_has_no_level() -> None:
    assert levels_of(status).values({}) == ()
