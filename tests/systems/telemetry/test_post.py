"""Readings in: what is stored, what is refused and why, and what sending again does."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import Table
from edgewise.stream.changes import effects
from functions.catalog import CATALOG
from tests.support.http import Answer, Client
from tests.support.streams import StreamedTable

pytestmark = pytest.mark.usefixtures("handlers")

ROUTE = "POST /telemetry"
DEVICE = Client(groups=("ingest",))
NOON = "2018-08-29T12:00:00.000Z"


def event(**other: Any) -> dict[str, Any]:
    return {"device_id": "123", "at": NOON, "event_id": "e1", "metrics": {"temp": 39.02}} | other


def post(*events: Any) -> Answer:
    return DEVICE.call(ROUTE, body={"events": list(events)})


def stored(table: Table, sk: str = f"EVENT#{NOON}#e1", device: str = "123") -> Any:
    return table.get(Key(f"DEVICE#{device}", sk))


def all_items(table: Table) -> list[Any]:
    return table.client.scan(TableName=table.name)["Items"]


def test_a_reading_is_stored_as_it_was_sent(table: Table) -> None:
    answer = post(event(place=["US", "New York"], metrics={"temp": 39.02, "count": 7}))
    assert (answer.status, answer.body) == (202, {"accepted": 1, "rejected": []})
    item = stored(table)
    assert item["Metrics"] == {"M": {"temp": {"N": "39.02"}, "count": {"N": "7"}}}
    assert item["Place"] == {"L": [{"S": "US"}, {"S": "New York"}]}


@pytest.mark.parametrize(
    ("at", "stored_at"),
    [
        ("2018-08-29T14:00:00.123456+02:00", "2018-08-29T12:00:00.123Z"),
        (1535544000, "2018-08-29T12:00:00.000Z"),
        (1535544000.9999, "2018-08-29T12:00:00.999Z"),
        (-0.001, "1969-12-31T23:59:59.999Z"),
        ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
    ],
)
def test_instants_are_stored_in_utc_with_milliseconds(table: Table, at: Any, stored_at: str) -> None:
    assert post(event(at=at)).status == 202
    assert stored(table, f"EVENT#{stored_at}#e1")


REJECTED = {
    "no object": (5, "body"),
    "empty object": ({}, "device_id"),
    "unknown field": (event(devise="x"), "devise"),
    "no metrics": ({"device_id": "123", "at": 0}, "metrics"),
    "metrics are a list": (event(metrics=[]), "metrics"),
    "metric is text": (event(metrics={"temp": "39"}), "metrics.temp"),
    "metric is a boolean": (event(metrics={"temp": True}), "metrics.temp"),
    "metric of 310 digits": (event(metrics={"temp": 10**309}), "metrics.temp"),
    "metric of 39 digits": (event(metrics={"temp": int("1" * 39)}), "metrics.temp"),
    "101 metrics": (event(metrics={f"m{number}": 1 for number in range(101)}), "metrics"),
    "thousands of metrics": (event(metrics={f"m{number}": "x" for number in range(9_000)}), "metrics"),
    "thousands of fields": (event(**{f"f{number}": 1 for number in range(9_000)}), "body"),
    "a place of thousands of levels": (event(place=["x"] * 9_000), "place"),
    "metric without a name": (event(metrics={"": 1}), "metrics."),
    "metric name of 257 characters": (event(metrics={"x" * 257: 1}), f"metrics.{'x' * 192}…"),
    "metric name of 257 bytes": (event(metrics={"é" * 128 + "x": 1}), f"metrics.{'é' * 128}x"),
    "device is a number": (event(device_id=123), "device_id"),
    "device is empty": (event(device_id=""), "device_id"),
    "device of 201 characters": (event(device_id="x" * 201), "device_id"),
    "device too long when escaped": (event(device_id="\U0001f600" * 200 + " "), "device_id"),
    "device with a line break": (event(device_id="a\nb"), "device_id"),
    "device with a null": (event(device_id="a\x00"), "device_id"),
    "device with half a surrogate pair": (event(device_id="\ud800"), "device_id"),
    "at is a boolean": (event(at=True), "at"),
    "at is null": (event(at=None), "at"),
    "at has no offset": (event(at="2018-08-29T12:00:00"), "at"),
    "at is no day": (event(at="2018-02-30T12:00:00Z"), "at"),
    "at in the year 10000": (event(at=253402300800), "at"),
    "at before the year 1": (event(at="0001-01-01T00:00:00+01:00"), "at"),
    "event id is empty": (event(event_id=""), "event_id"),
    "event id of 191 bytes": (event(event_id="x" * 191), "event_id"),
    "event id is a number": (event(event_id=7), "event_id"),
    "attributes are a list": (event(attributes=[]), "attributes"),
    "attributes are null": (event(attributes=None), "attributes"),
    "attribute without a name": (event(attributes={"": 1}), "attributes."),
    "attribute name of 65 characters": (event(attributes={"x" * 65: 1}), f"attributes.{'x' * 65}"),
    "51 attributes": (event(attributes={f"a{number}": 1 for number in range(51)}), "attributes"),
    "attributes of 8193 bytes": (
        event(attributes={f"a{number}": "é" * 1000 for number in range(4)} | {"b": "x" * 184}),
        "attributes",
    ),
    "place is text": (event(place="US"), "place"),
    "place is empty": (event(place=[]), "place"),
    "place of nine levels": (event(place=list("abcdefghi")), "place"),
    "place with an empty component": (event(place=["US", ""]), "place.1"),
    "place with a control character": (event(place=["US\t"]), "place.0"),
    "place too long together": (event(place=["é" * 200, "é" * 200, "é" * 51]), "place"),
}


@pytest.mark.parametrize(("wrong", "field"), REJECTED.values(), ids=REJECTED.keys())
def test_a_wrong_event_is_rejected_by_name_and_its_neighbours_are_stored(table: Table, wrong: Any, field: str) -> None:
    answer = post(event(event_id="before"), wrong, event(event_id="after"))
    assert (answer.status, answer.body["accepted"]) == (202, 2)
    assert [(fault["index"], fault["field"]) for fault in answer.body["rejected"]] == [(1, field)]
    assert answer.body["rejected"][0]["error"]
    assert len(all_items(table)) == 2


@pytest.mark.parametrize(
    ("field", "unreadable"),
    [
        *(("metrics", value) for value in ("39", True, [39], {"max": 39}, 10**309, int("1" * 39))),
        *(("attributes", value) for value in (["/"], {"path": "/"}, int("1" * 39), "x" * 2001, "\x1b[1m", "\ud800")),
    ],
)
def test_an_event_is_stored_without_a_value_that_cannot_be_read(table: Table, field: str, unreadable: Any) -> None:
    sent = event(metrics={"temp": 1}, attributes={"page": "/"})
    sent[field]["odd"] = unreadable
    answer = post(event(event_id="before"), sent)
    assert (answer.status, answer.body["accepted"], answer.body["rejected"]) == (202, 2, [])
    assert [(fault["index"], fault["field"]) for fault in answer.body["without"]] == [(1, f"{field}.odd")]
    assert answer.body["without"][0]["error"]
    assert [*stored(table)["Metrics"]["M"]] == ["temp"]
    assert [*stored(table)["Attributes"]["M"]] == ["page"]


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ({"metrics": {"temp": 1, "wind": None}}, {"temp"}),
        ({"metrics": {"wind": None}}, set()),
        ({"metrics": {"temp": 1}, "attributes": {"page": None}}, {"temp"}),
    ],
)
def test_what_is_null_was_not_measured(table: Table, sent: Any, kept: set[str]) -> None:
    given = {"device_id": "123", "at": NOON, "event_id": "e1", **sent}
    assert post(given).body == {"accepted": 1, "rejected": []}
    assert {*stored(table).get("Metrics", {"M": {}})["M"]} == kept
    assert "Attributes" not in stored(table)


def test_an_event_without_an_id_is_the_same_whatever_of_it_is_stored(table: Table) -> None:
    """Or the release that reads what this one can't would count the rest of the event twice."""
    sent = {"device_id": "123", "at": NOON, "metrics": {"temp": 1, "door": "1"}}
    assert [post(sent).body["accepted"] for _ in range(2)] == [1, 1]
    assert post(sent | {"metrics": {"temp": 1}}).body["accepted"] == 1
    assert len(all_items(table)) == 2


@pytest.mark.parametrize("number", ["1e400", "-1e400", "1e-400", "1e-325", "1" * 39, "1.8e308"])
def test_numbers_that_could_not_be_summed_exactly_are_rejected(number: str) -> None:
    body = '{"events":[{"device_id":"123","at":0,"metrics":{"temp":%s}}]}' % number  # noqa: UP031 (JSON is braces)
    answer = DEVICE.call(ROUTE, body=body)
    assert (answer.status, [fault["field"] for fault in answer.body["rejected"]]) == (400, ["metrics.temp"])
    assert (answer.body["accepted"], answer.fields) == (0, ["events.0.metrics.temp"])


def test_a_correction_is_told_from_what_is_stored_anew_and_from_a_repeat() -> None:
    told = [post(event(metrics={"temp": temp}), event(event_id="e2")).body.get("corrected") for temp in (1, 1, 2)]
    assert told == [None, None, 1]


def test_the_longest_and_the_oddest_texts_are_stored(table: Table) -> None:
    odd = event(device_id="\U0001f600" * 200, event_id="x" * 190, place=["a/b", "#$ %", "é" * 200, "Zürich"])
    assert post(odd).body == {"accepted": 1, "rejected": []}
    assert stored(table, f"EVENT#{NOON}#{'x' * 190}", "\U0001f600" * 200)["Place"]["L"][1] == {"S": "#$ %"}


@pytest.mark.parametrize("name", ["ns=2;s=" + "x" * 249, "é" * 128])
def test_a_metric_may_have_a_name_of_256_bytes(name: str, drain: Callable[[], None]) -> None:
    post(event(metrics={name: 7}))
    drain()
    found = Client().call("GET /devices/{device}/rollups", {"metric": name, "grain": "day"}, device="123").body
    assert [each["sum"] for each in found["rollups"]] == [7]


def test_numbers_keep_every_digit(table: Table) -> None:
    number = "-1234567890123.123456789012345678"
    body = f'"device_id": "123", "at": "{NOON}", "event_id": "e1", "metrics": {{"t": {number}}}'
    assert DEVICE.call(ROUTE, body='{"events": [{' + body + "}]}").body["accepted"] == 1
    assert stored(table)["Metrics"]["M"]["t"] == {"N": number}


class TestAttributes:
    def read(self) -> Any:
        return Client().call("GET /devices/{device}/events", device="123").body["events"][0]

    def test_what_is_no_number_comes_back_as_it_came(self) -> None:
        texts = {"page": "/cart?a=1", "log": "one\n\ttwo 😀", "nothing": "", "digits": "5"}
        told = texts | {"first": True, "last": False, "n": -7, "d": 0.1}
        assert post(event(attributes=told)).body["accepted"] == 1
        found = self.read()["attributes"]
        assert found == told | {"d": Decimal("0.1")}
        assert [type(found[name]) for name in ("first", "n", "page")] == [bool, int, str]
        assert self.read()["metrics"] == {"temp": Decimal("39.02")}

    @pytest.mark.parametrize("metrics", [{}, {"metrics": {}}])
    def test_an_event_may_have_attributes_alone(self, metrics: Any) -> None:
        assert post({"device_id": "123", "at": NOON, "attributes": {"page": "/"}} | metrics).body["accepted"] == 1
        assert (self.read()["metrics"], self.read()["attributes"]) == ({}, {"page": "/"})

    def test_an_event_without_any_is_answered_with_none(self) -> None:
        post(event())
        assert self.read()["attributes"] == {}

    @pytest.mark.parametrize("number", ["1" * 38, "-0." + "1" * 38, "12345678901234567890.123456789012345678"])
    def test_numbers_keep_38_digits(self, number: str) -> None:
        body = f'{{"device_id": "123", "at": "{NOON}", "attributes": {{"n": {number}}}}}'
        assert DEVICE.call(ROUTE, body='{"events": [' + body + "]}").body["accepted"] == 1
        assert self.read()["attributes"]["n"] == Decimal(number)

    def test_as_many_as_are_let_through(self) -> None:
        """50 names and values of 8,192 bytes together."""
        told = {f"{number:02d}": "x" * 161 for number in range(50)} | {"00": "é" * 101 + "x"}
        assert sum(len(name) + len(text.encode()) for name, text in told.items()) == 8192
        assert post(event(attributes=told)).body["accepted"] == 1
        assert self.read()["attributes"] == told

    def test_they_are_part_of_what_an_event_without_an_id_is(self, table: Table) -> None:
        nameless = event(event_id=None)
        click = nameless | {"attributes": {"page": "/"}}
        post(nameless, click, nameless | {"attributes": {"page": "/cart"}}, click, nameless | {"attributes": {}})
        assert len(all_items(table)) == 3

    def test_changed_ones_are_in_the_stream_and_in_no_aggregate(
        self, table: StreamedTable, drain: Callable[[], None]
    ) -> None:
        post(event(place=["US"], attributes={"page": "/", "n": 1}))
        drain()
        sent = ("EVENT", "CARRIER")
        before = {str(item["SK"]): item for item in all_items(table) if item["Type"]["S"] not in sent}
        post(event(place=["US"], attributes={"page": "/cart", "n": 2}))
        post(event(place=["US"]))
        changes = [record for records in table.shards.values() for record in records]
        assert [effects(CATALOG, change) for change in changes] == [{}, {}]
        drain()
        assert {str(item["SK"]): item for item in all_items(table) if item["Type"]["S"] not in sent} == before


class TestSendingAgain:
    @pytest.mark.parametrize("named", [True, False])
    def test_it_changes_nothing(self, table: Table, named: bool) -> None:
        reading = event(place=["US"]) if named else event(event_id=None, place=["US"])
        post(reading)
        before = all_items(table)
        assert post(reading, reading).body["accepted"] == 2
        assert all_items(table) == before
        assert len(before) == 1

    @pytest.mark.parametrize(
        "same",
        [
            '"at": "2018-08-29T14:00:00+02:00", "metrics": {"temp": 39.02, "wind": 1}',
            '"at": 1535544000, "metrics": {"temp": 39.02, "wind": 1}',
            '"at": 1535544000.0, "metrics": {"wind": 1.0, "temp": 39.020}',
            '"at": 1535544000, "metrics": {"temp": 3902e-2, "wind": 0.01e2}',
        ],
    )
    def test_an_id_follows_from_values_not_from_spelling(self, table: Table, same: str) -> None:
        post({"device_id": "123", "at": NOON, "metrics": {"temp": 39.02, "wind": 1}})
        DEVICE.call(ROUTE, body='{"events": [{"device_id": "123", ' + same + "}]}")
        assert len(all_items(table)) == 1

    def test_two_different_events_at_one_instant_both_survive(self, table: Table) -> None:
        nameless = event(event_id=None)
        post(nameless, nameless | {"metrics": {"temp": 40}}, nameless | {"place": ["US"]})
        assert len(all_items(table)) == 3

    def test_less_than_a_millisecond_apart_both_survive(self, table: Table) -> None:
        nameless = event(event_id=None)
        post(nameless | {"at": "2018-08-29T12:00:00.0001Z"}, nameless | {"at": "2018-08-29T12:00:00.0002Z"})
        assert len(all_items(table)) == 2

    def test_a_named_event_sent_with_another_content_is_replaced(self, table: Table) -> None:
        post(event())
        post(event(metrics={"temp": 40}))
        assert stored(table)["Metrics"] == {"M": {"temp": {"N": "40"}}}
        assert len(all_items(table)) == 1


@pytest.mark.usefixtures("by_statements")
def test_500_events_are_written_in_20_requests(engine_on_local: StreamedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Table(engine_on_local.name, engine_on_local.client)
    monkeypatch.setattr("functions.web.runtime.table", lambda: plain)
    answer = post(*(event(event_id=f"e{number}") for number in range(500)))
    assert answer.body["accepted"] == 500
    assert answer.cost[0] == 20
    assert len(all_items(plain)) == 500


class TestAheadOfTheClock:
    """It shows noon."""

    @pytest.mark.parametrize(("at", "stored"), [("2018-08-30T12:00:00.000Z", 1), ("2018-08-30T12:00:00.001Z", 0)])
    @pytest.mark.usefixtures("clock")
    def test_a_reading_may_be_by_a_day(self, at: str, stored: int, table: Table) -> None:
        assert post(event(at=at)).body["accepted"] == stored
        assert len(all_items(table)) == stored

    @pytest.mark.usefixtures("clock")
    @pytest.mark.parametrize("sender", [DEVICE, Client("ivy", ("ingest", "import"))])
    def test_one_of_a_wrong_clock_is_refused_by_name_and_its_neighbours_are_stored(self, sender: Client) -> None:
        events = [event(), event(at="2106-02-07T06:28:15Z"), event(event_id="e2")]
        answer = sender.call(ROUTE, body={"events": events})
        assert (answer.status, answer.body["accepted"]) == (202, 2)
        error = (
            "may be at most 24 hours ahead of the server's clock, which shows 2018-08-29T12:00:00.000Z:"
            " correct the clock that it is from"
        )
        assert answer.body["rejected"] == [{"index": 1, "field": "at", "error": error}]
