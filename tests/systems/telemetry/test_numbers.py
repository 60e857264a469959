"""Whatever number a meter sends comes back as it was, and is added up to the last digit, also when it is corrected."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edgewise import clock, rfc_3339
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import Table
from edgewise.times import HOUR
from functions.handlers import cascade, edge_aggregator
from functions.web import runtime
from tests.support.http import Client, Context
from tests.support.streams import StreamedMemory, window_event

pytestmark = pytest.mark.usefixtures("handlers")

DEVICE = Client(groups=("ingest",))
NOON = "2018-08-29T12:00:00.000Z"
SENT = {
    "a disk of 16 TB": "16000900661248",
    "a counter of 64 bits": "18446744073708291555",
    "0.001 of 32 bits": "0.0010000000474974513",
    "a third of a thousandth": "0.00033333333333333335",
    "half a float's last digit": "5.960464477539063e-08",
    "the greatest": "1.7976931348623157e308",
    "the least": "-5e-324",
    "nothing, from below": "-0.0",
    "38 digits": "-0." + "1" * 38,
}


def post(at: str, **metrics: str) -> Any:
    """Each metric as a request of its own text: floats of Python would round some."""
    for name, number in metrics.items():
        told = f'"device_id": "d", "at": "{at}", "event_id": "{name}", "metrics": {{"n": {number}}}'
        attributes = f'"attributes": {{"n": {number}, "digits": "{number}"}}'
        answer = DEVICE.call("POST /telemetry", None, '{"events": [{' + told + ", " + attributes + "}]}")
        assert (answer.status, answer.body["accepted"]) == (202, 1)
        yield answer.body


def day() -> dict[str, Any]:
    query = {"grain": "day", "metric": "n"}
    (found,) = DEVICE.call("GET /devices/{device}/rollups", query, device="d").body["rollups"]
    return dict(found)


@pytest.mark.parametrize("number", SENT.values(), ids=SENT)
def test_a_number_comes_back_as_it_was(number: str, drain: Callable[[], None]) -> None:
    assert [*post(NOON, one=number)] == [{"accepted": 1, "rejected": []}]
    (event,) = DEVICE.call("GET /devices/{device}/events", device="d").body["events"]
    assert event["metrics"] == {"n": Decimal(number)}
    assert event["attributes"] == {"n": Decimal(number), "digits": number}
    drain()
    found = day()
    told = {found[name] for name in ("sum", "mean", "min", "max", "first", "last")}
    assert (found["count"], told) == (1, {Decimal(number)})


@pytest.mark.parametrize(("number", "kind"), [("18446744073708291555", "N"), ("1e-131", "S"), ("1e126", "S")])
def test_it_is_a_number_in_the_table_if_dynamodb_can_hold_it(table: Table, number: str, kind: str) -> None:
    assert [*post(NOON, one=number)]
    item = table.get(Key("DEVICE#d", f"EVENT#{NOON}#one"))
    assert item
    assert [*item["Metrics"]["M"]["n"]] == [kind]
    assert [*item["Attributes"]["M"]["n"]] == ["N" if kind == "N" else "M"]


def test_sent_again_it_is_no_correction() -> None:
    for position, number in enumerate(SENT.values()):
        for _ in range(2):
            assert [*post(NOON, **{f"e{position}": number})] == [{"accepted": 1, "rejected": []}]


@pytest.mark.parametrize("number", ["1.7976931348623158e308", "1e-325", "1" * 39])
def test_what_no_double_is_is_refused_with_the_bounds(number: str) -> None:
    told = f'"device_id": "d", "at": "{NOON}", "metrics": {{"n": {number}, "other": 1}}'
    (fault,) = DEVICE.call("POST /telemetry", None, '{"events": [{' + told + "}]}").body["without"]
    assert fault["field"] == "metrics.n"
    assert "between -1.7976931348623157e+308 and 1.7976931348623157e+308, with at most 38 digits" in fault["error"]


NUMBERS = st.floats(allow_nan=False, allow_infinity=False).map(repr) | st.integers(-(2**63), 2**64 - 1).map(str)
POSTS = st.lists(st.dictionaries(st.sampled_from("abc"), NUMBERS, min_size=1), min_size=1, max_size=5)


@given(posts=POSTS, cuts=st.lists(st.integers(0, 20), max_size=3), live=st.booleans())
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_sums_and_extremes_are_those_of_what_was_sent_last(
    posts: Sequence[dict[str, str]], cuts: Sequence[int], live: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of readings that wait in an open hour, and of old ones; each batch is delivered once more in two halves."""
    table, at = StreamedMemory(), NOON
    for module in (runtime, edge_aggregator, cascade):
        monkeypatch.setattr(module, "table", lambda: table)
    if live:
        at = rfc_3339(clock.now() // HOUR * HOUR)
    stored: dict[str, Fraction] = {}
    for metrics in posts:
        assert len([*post(at, **metrics)]) == len(metrics)
        stored |= {name: Fraction(Decimal(number)) for name, number in metrics.items()}
        deliver(table, cuts)
        found = day()
        told = (found["count"], *(Fraction(found[name]) for name in ("sum", "min", "max", "first", "last")))
        least, most = min(stored.values()), max(stored.values())
        assert told == (len(stored), sum(stored.values()), least, most, least, most)


def deliver(table: StreamedMemory, cuts: Sequence[int]) -> None:
    (shard,) = table.shards.values()
    while shard:
        batch, shard[:] = list(shard), []
        cut = cuts[len(batch) % len(cuts)] % len(batch) if cuts else 0
        for part in (batch, batch[:cut], batch[cut:]):
            edge_aggregator.handler(window_event("1", part), Context())
