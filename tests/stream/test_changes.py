"""Stream records to what they change, and what can't be understood."""

from decimal import Decimal
from functools import partial
from typing import Any

import pytest

from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.measures import Observation
from edgewise.dynamodb.attributes import key_of
from edgewise.errors import MalformedRecordError
from edgewise.stream import changes
from functions.catalog import CATALOG
from functions.systems.chat import codec as chat_codec
from functions.systems.chat.entity import Message
from functions.systems.places.system import PLACE
from functions.systems.telemetry import codec as telemetry_codec
from functions.systems.telemetry import system as telemetry_system
from functions.systems.telemetry.entity import Reading
from functions.systems.telemetry.system import REPORTED_FROM, ROLLUP_DAY, ROLLUP_HOUR

NOON = 1535544000000  # 2018-08-29T12:00:00.000Z
DAY = 1535500800000
CHECKPOINT = Checkpoint(10**20, 1535544001500)
EXPIRY = {"type": "Service", "principalId": "dynamodb.amazonaws.com"}


def reading(temp: str | None = "39.02", place: tuple[str, ...] = ("US",), **other: Any) -> dict[str, Any]:
    metrics = {} if temp is None else {"temp": Decimal(temp)}
    return telemetry_codec.event_item(Reading("123", NOON, "e1", place, metrics)) | other


def record(new: Any = None, old: Any = None, **other: Any) -> dict[str, Any]:
    images = {name: image for name, image in (("NewImage", new), ("OldImage", old)) if image is not None}
    name = "INSERT" if old is None else "REMOVE" if new is None else "MODIFY"
    change = {"SequenceNumber": str(10**20), "ApproximateCreationDateTime": 1535544001.5} | images
    return {"eventName": name, "dynamodb": change} | other


SEEN, TEMP = Observation(at=NOON), Observation(1, Decimal("39.02"), NOON)
DEVICE, EDGE = telemetry_system.DEVICE("123"), REPORTED_FROM("123", ("US",))
US, DE = PLACE(("US",)), PLACE(("DE",))
ROLLUPS = ROLLUP_HOUR("123", NOON), ROLLUP_DAY("123", DAY)
SOURCE = key_of(telemetry_codec.event_item(Reading("123", NOON, "e1", ("US",), {})))
HOUR = "426540"  # hours between 1970 and NOON
OPEN = {f"{HOUR}.temp": TEMP, "at.US": SEEN}
effect = partial(Effect, CHECKPOINT, source=SOURCE)


def test_an_insert_adds_and_a_removal_takes_away_the_same() -> None:
    added = {DEVICE: {"Events": SEEN} | OPEN, US: {"Events": Observation()}}
    assert changes.effects(CATALOG, record(reading())) == {id: effect(cells, {}) for id, cells in added.items()}
    taken = changes.effects(CATALOG, record(None, reading()))
    assert {id: taken[id] for id in added} == {id: effect({}, cells) for id, cells in added.items()}


@pytest.mark.parametrize(
    ("hours", "waits"), [(2, True), (2.001, False), (-2, True), (-2.001, False), (24 * 365, False)]
)
def test_a_reading_of_about_now_waits_in_the_open_hour(hours: float, waits: bool) -> None:
    """The record alone says so: its time against the reading's."""
    late = record(reading())
    late["dynamodb"]["ApproximateCreationDateTime"] = NOON / 1000 + hours * 3600
    fed = changes.effects(CATALOG, late)
    assert fed.keys() == {DEVICE, US} | (set() if waits else {EDGE, *ROLLUPS})
    assert (fed[DEVICE].added.keys() > {"Events"}) == waits


def test_corrections_wait_in_the_open_hour_however_old() -> None:
    """Only the device knows whether the reading that goes is still open."""
    late = record(None, reading())
    late["dynamodb"]["ApproximateCreationDateTime"] = NOON / 1000 + 365 * 86_400
    fed = changes.effects(CATALOG, late)
    assert fed[DEVICE].removed == {"Events": SEEN} | OPEN


def test_hours_days_and_edges_are_told_of_the_values_that_go() -> None:
    """They may have been told directly of those that came, and closings overtake what comes directly."""
    fed = changes.effects(CATALOG, record(None, reading()))
    assert fed.keys() == {DEVICE, US, EDGE, *ROLLUPS}
    for about, name in ((EDGE, "Count"), (ROLLUPS[0], "0.temp"), (ROLLUPS[1], "0.temp")):
        seen = TEMP if name != "Count" else SEEN
        assert fed[about] == effect({}, {name: Observation(0, seen.value, NOON, Decimal(0))})


def test_a_change_touches_only_what_it_changes() -> None:
    other, gone = Observation(1, Decimal(40), NOON), Observation(0, Decimal("39.02"), NOON, Decimal(0))
    changed = {DEVICE: effect({f"{HOUR}.temp": other}, {f"{HOUR}.temp": TEMP})}
    told = {about: effect({}, {"0.temp": gone}) for about in ROLLUPS}
    assert changes.effects(CATALOG, record(reading("40"), reading())) == changed | told
    assert changes.effects(CATALOG, record(reading(place=("DE",)), reading())) == {
        DEVICE: effect({"at.DE": SEEN}, {"at.US": SEEN}),
        EDGE: effect({}, {"Count": Observation(0, None, NOON, Decimal(0))}),
        US: effect({}, {"Events": Observation()}),
        DE: effect({"Events": Observation()}, {}),
    }


@pytest.mark.parametrize(
    ("new", "old"),
    [
        (reading(Note={"S": "x"}), reading()),
        (reading(Attributes={"M": {"page": {"S": "/"}}}), reading()),
        (reading(Attributes={"M": {"n": {"N": "1"}}}), reading(Attributes={"M": {"n": {"BOOL": True}}})),
        (reading(ExpiresAt={"N": "1"}), reading()),
        (
            chat_codec.message_item(Message("seattle", 1, "amy", NOON, "m", "hi")),
            chat_codec.message_item(Message("seattle", 1, "amy", NOON, "m", "edited")),
        ),
        ({"Type": {"S": "ROOM"}}, None),
        ({"Type": {"S": "QUARANTINE"}}, {"Type": {"S": "SOMETHING"}}),
    ],
)
def test_a_change_that_contributes_nothing_touches_nothing(new: Any, old: Any) -> None:
    assert changes.effects(CATALOG, record(new, old)) == {}


def test_an_aggregate_of_which_nothing_is_observed_is_not_touched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CATALOG, "contributions", lambda *_: {DEVICE: {}, EDGE: {"Count": SEEN}})
    assert changes.effects(CATALOG, record(reading())).keys() == {EDGE}


def test_what_its_time_to_live_removed_stays_counted() -> None:
    assert changes.effects(CATALOG, record(None, reading(), userIdentity=EXPIRY)) == {}


@pytest.mark.parametrize("identity", [None, {"type": "Service", "principalId": "somebody.else"}, {"type": "User"}])
def test_what_anybody_else_removed_is_retracted(identity: Any) -> None:
    found = changes.effects(CATALOG, record(None, reading(), userIdentity=identity))
    assert found.keys() == {DEVICE, US, EDGE, *ROLLUPS}


def test_a_time_to_live_service_retracts_nothing_of_a_new_image() -> None:
    """Only removals can be expiries: a replicated write by the same principal counts."""
    found = changes.effects(CATALOG, record(reading("1"), reading("2"), userIdentity=EXPIRY))
    assert found.keys() == {DEVICE, *ROLLUPS}


def without(image: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in image.items() if key != name}


def broken(**change: Any) -> dict[str, Any]:
    whole = record(reading())
    return whole | {"dynamodb": whole["dynamodb"] | change}


def message(**other: Any) -> dict[str, Any]:
    return chat_codec.message_item(Message("seattle", 1, "amy", NOON, "m", "hi")) | other


def metrics(value: Any) -> dict[str, Any]:
    return record(reading(Metrics={"M": {"temp": value}}))


MALFORMED = {
    "no change": {},
    "change is null": {"dynamodb": None},
    "no type": record(without(reading(), "Type")),
    "type is no text": record(reading(Type={"N": "1"})),
    "type is a list": record(reading(Type={"S": ["EVENT"]})),
    "image is a list": record([1]),
    "image is text": record("EVENT"),
    "no metrics": record(without(reading(), "Metrics")),
    "metrics are a list": record(reading(Metrics={"L": []})),
    "metrics are text": record(reading(Metrics={"M": "temp"})),
    "metric is another text": metrics({"S": "warm"}),
    "metric is no number": metrics({"N": "warm"}),
    "metric is null": metrics({"N": None}),
    "metric is not finite": metrics({"N": "NaN"}),
    "metric beyond bounds": metrics({"S": "2E+308"}),
    "metric too fine": metrics({"S": "1E-325"}),
    "metric of 39 digits": metrics({"N": "1" * 39}),
    "metric is a boolean": metrics({"BOOL": True}),
    "place is text": record(reading(Place={"S": "US"})),
    "place of numbers": record(reading(Place={"L": [{"N": "1"}]})),
    "place component is no text": record(reading(Place={"L": [{"S": 1}]})),
    "no partition key": record(without(reading(), "PK")),
    "key of another kind": record(reading(PK={"S": "USER#amy"})),
    "sort key of another kind": record(reading(SK={"S": "EDGE#"})),
    "sort key cut off": record(reading(SK={"S": "EVENT#2018-08-29T12:00:00.000Z"})),
    "instant unreadable": record(reading(SK={"S": "EVENT#noon#e1"})),
    "instant without zone": record(reading(SK={"S": "EVENT#2018-08-29#e1"})),
    "key is binary": record(reading(PK={"B": "REVWSUNF"})),
    "old image is broken": record(reading(), reading(Metrics={"L": []})),
    "removed image is broken": record(None, reading(Metrics={"L": []})),
    "message without text": record(without(message(), "Text")),
    "message without shard": record(message(PK={"S": "CHAT#seattle"})),
    "message of two parts": record(message(SK={"S": "amy#2018-08-29:12:00:00.000"})),
    "edge without target": record({"Type": {"S": "POSTED_IN"}, "PK": {"S": "USER#amy"}, "SK": {"S": "META"}}),
    "edge with text for a count": record(
        {
            "Type": {"S": "POSTED_IN"},
            "PK": {"S": "USER#amy"},
            "SK": {"S": "EDGE#POSTED_IN#ROOM#seattle"},
            "Cells": {"M": {"Count": {"S": "one"}}},
        }
    ),
    "no sequence number": {"dynamodb": without(record(reading())["dynamodb"], "SequenceNumber")},
    "sequence number is null": broken(SequenceNumber=None),
    "sequence number is no number": broken(SequenceNumber="first"),
    "no time": {"dynamodb": without(record(reading())["dynamodb"], "ApproximateCreationDateTime")},
    "time is text": broken(ApproximateCreationDateTime="2018-08-29"),
}


@pytest.mark.parametrize("malformed", MALFORMED.values(), ids=MALFORMED.keys())
def test_what_cannot_be_understood_says_so(malformed: dict[str, Any]) -> None:
    with pytest.raises(MalformedRecordError):
        changes.effects(CATALOG, malformed)


@pytest.mark.parametrize(
    "value",
    [
        *({"N": value} for value in ("9999999999999", "-0.000000000000000001", "0", "1E+2", "1" * 38, "1E-130")),
        *({"S": value} for value in ("1.7976931348623157E+308", "-5E-324")),
    ],
)
def test_numbers_within_bounds_are_understood(value: Any) -> None:
    ((_, text),) = value.items()
    assert changes.effects(CATALOG, metrics(value))[DEVICE].added[f"{HOUR}.temp"].value == Decimal(text)
