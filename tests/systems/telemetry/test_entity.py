"""Ids of readings that follow from their content."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.place import Place
from functions.systems.telemetry.entity import derived_event_id

NOON = datetime(2018, 8, 29, 12, tzinfo=UTC)
GIVEN: dict[str, Any] = {
    "device": "123",
    "instant": NOON,
    "place": ("US", "New York"),
    "metrics": {"temp": Decimal("39.02"), "wind": Decimal(1)},
    "attributes": {},
    "others": {},
}


def test_the_same_content_gives_the_same_id_always() -> None:
    """The literal: an id must stay the same over releases, or events sent again would become others."""
    assert derived_event_id(**GIVEN) == "8b5a6e01200e27e49ade0c7d65"


def test_the_order_of_metrics_and_of_attributes_does_not_count() -> None:
    turned = dict(reversed(GIVEN["metrics"].items()))
    assert derived_event_id(**GIVEN | {"metrics": turned}) == derived_event_id(**GIVEN)
    told = [{"page": "/", "first": True}, {"first": True, "page": "/"}]
    assert len({derived_event_id(**GIVEN | {"attributes": attributes}) for attributes in told}) == 1


def test_attributes_of_other_kinds_give_other_ids() -> None:
    values: Any = ("1", Decimal(1), True, "true", "", "['1']", Decimal("1.5"), False)
    told: list[Any] = [{}, *({"a": value} for value in values), {"b": "1"}, {"a": "1", "b": "1"}]
    assert len({derived_event_id(**GIVEN | {"attributes": attributes}) for attributes in told}) == len(told)


@pytest.mark.parametrize(
    "other",
    [
        {"device": "124"},
        {"instant": NOON + timedelta(microseconds=1)},
        {"place": ()},
        {"place": ("New York", "US")},
        {"place": ("US", "New", "York")},
        {"metrics": {"temp": Decimal("39.02")}},
        {"metrics": {"temp": Decimal("39.03"), "wind": Decimal(1)}},
        {"metrics": {"temp": Decimal(1), "wind": Decimal("39.02")}},
        {"others": {"metrics.door": "open"}},
        {"others": {"metrics.door": ["open"]}},
    ],
)
def test_other_content_gives_another_id(other: dict[str, Any]) -> None:
    assert derived_event_id(**GIVEN | other) != derived_event_id(**GIVEN)


def test_numbers_that_are_not_stored_count_by_value() -> None:
    told: list[Any] = [10**40, Decimal(f"{10**40}.0"), Decimal("1e40")]
    assert len({derived_event_id(**GIVEN | {"others": {"metrics.disk": number}}) for number in told}) == 1


@pytest.mark.parametrize(
    ("field", "numbers"),
    [
        ("metrics", ("16000900661248", "1e-19", "0.00033333333333333335", "5e-324", "-1e308")),
        ("attributes", ("1e38", "-1e-39", "5e-324", "-1e308")),
    ],
)
def test_a_number_that_can_be_read_now_leaves_the_id_as_it_was(field: str, numbers: tuple[str, ...]) -> None:
    """The releases that could not read it have stored the rest of such events under ids of this kind."""
    for number in map(Decimal, numbers):
        read = GIVEN | {field: {**GIVEN[field], "disk": number}}
        unread = GIVEN | {"others": {f"{field}.disk": number}}
        assert derived_event_id(**read) == derived_event_id(**unread)


def test_a_number_that_could_always_be_read_stands_where_it_stood() -> None:
    for field, number in (("metrics", Decimal("9999999999999")), ("attributes", Decimal("9" * 38))):
        read = GIVEN | {field: {**GIVEN[field], "disk": number}}
        unread = GIVEN | {"others": {f"{field}.disk": number}}
        assert derived_event_id(**read) != derived_event_id(**unread)


@given(device=st.text(), place=st.lists(st.text(), max_size=8).map(tuple))
def test_an_id_is_26_hexadecimal_digits(device: str, place: Place) -> None:
    made = derived_event_id(device, NOON, place, {}, {}, {})
    assert len(made) == 26
    assert set(made) <= set("0123456789abcdef")
