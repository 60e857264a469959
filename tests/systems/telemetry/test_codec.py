"""Readings as items and back: everything a source holds survives."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from functions.systems.telemetry import codec as telemetry_codec
from functions.systems.telemetry.entity import Reading
from tests.support.items import NOON, instants, names, numbers, places

told = st.dictionaries(names, st.text() | st.booleans() | numbers)


@given(st.builds(Reading, names, instants, names, places, st.dictionaries(names, numbers), told))
def test_event(event: Reading) -> None:
    assert telemetry_codec.event(telemetry_codec.event_item(event)) == event


def test_an_event_carries_no_index_key() -> None:
    """Else every reading would cost one write unit more."""
    event = Reading("123", NOON, "e1", ("US", "New York"), {"temp": Decimal("39.02"), "n": Decimal("1E+3")})
    assert telemetry_codec.event_item(event) == {
        "PK": {"S": "DEVICE#123"},
        "SK": {"S": "EVENT#2018-08-29T12:00:00.000Z#e1"},
        "Type": {"S": "EVENT"},
        "Metrics": {"M": {"temp": {"N": "39.02"}, "n": {"N": "1000"}}},
        "Place": {"L": [{"S": "US"}, {"S": "New York"}]},
    }
    assert "Place" not in telemetry_codec.event_item(Reading("123", NOON, "e1", (), {}))
