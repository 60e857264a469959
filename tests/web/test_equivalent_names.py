"""Names that Unicode calls canonically equivalent are one name, however a keyboard or a file system composes them."""

import unicodedata
from collections.abc import Callable
from typing import Any

import pytest

from edgewise.dynamodb.table import Table
from functions.systems.chat import codec as chat_codec
from functions.systems.chat.entity import Message, Room
from functions.systems.telemetry import codec as telemetry_codec
from functions.systems.telemetry.entity import Reading
from functions.web.spelling import spell
from tests.support.http import Answer, Client, send

pytestmark = pytest.mark.usefixtures("handlers")

SENDER, IMPORTER, READER = Client(groups=("ingest",)), Client("ivy", ("import",)), Client()
NOON = "2018-08-29T12:00:00.000Z"
EVENTS, MESSAGES = "GET /devices/{device}/events", "GET /rooms/{room}/messages"
# An accent, syllables that are written as letters, a dotted I, and a sign that is equivalent to another letter.
NAMES = {"café", "한글", "İzmir", "5 Å"}
NFD = unicodedata.normalize("NFD", "café")
SPELLINGS = sorted({(name, unicodedata.normalize("NFD", name)) for name in NAMES} | {("5 Å", "5 \u212b")})


def written(client: Client, route: str, text: str, body: Any = None) -> Answer:
    """The answer to a request with a name in its path just as it is written: nothing in it need be escaped."""
    path = route.partition(" ")[2]
    name = path[path.index("{") + 1 : path.index("}")]
    return send(client.event(route, None, body, **{name: "x"}) | {"rawPath": path.replace(f"{{{name}}}", text)})


@pytest.mark.parametrize(("composed", "other"), SPELLINGS)
def test_a_device_and_a_place_are_one_under_both(composed: str, other: str, drain: Callable[[], None]) -> None:
    events = [
        {"device_id": name, "at": NOON, "event_id": f"e{number}", "place": [name, "x"], "metrics": {"t": 1}}
        for number, name in enumerate((other, composed, other))
    ]
    assert SENDER.call("POST /telemetry", body={"events": events}).body["accepted"] == 3
    drain()
    assert READER.call("GET /devices").body["devices"] == [composed]
    assert READER.call("GET /places/roots").body["places"] == [composed]
    for name in (composed, other):
        assert len(written(READER, EVENTS, name).body["events"]) == 3
        assert READER.call("GET /places", {"path": f"{name}/x"}).body["summary"]["events"] == 3


@pytest.mark.parametrize(("composed", "other"), SPELLINGS)
def test_a_room_and_a_person_are_one_under_both(composed: str, other: str, drain: Callable[[], None]) -> None:
    post = "POST /rooms/{room}/messages"
    assert written(IMPORTER, post, other, {"messages": [{"text": "1", "user": other}]}).status == 202
    assert written(Client(other), post, composed, {"messages": [{"text": "2"}]}).status == 202
    drain()
    assert READER.call("GET /rooms").body["rooms"] == [composed]
    assert READER.call("GET /rooms/{room}/users", room=composed).body["users"] == [composed]
    for name in (composed, other):
        assert len(written(READER, MESSAGES, name).body["messages"]) == 2
        assert len(READER.call(MESSAGES, {"user": name}, room=composed).body["messages"]) == 2


def test_a_reading_without_an_id_is_the_same_under_both(table: Table) -> None:
    for name in (NFD, "café"):
        SENDER.call("POST /telemetry", body={"events": [{"device_id": name, "at": NOON, "metrics": {"t": 1}}]})
    assert len(table.client.scan(TableName=table.name)["Items"]) == 1


def test_what_was_stored_decomposed_is_read_by_a_spelling_of_its_own(table: Table) -> None:
    """By the one that clients make of a name in a list: so each name that an answer gives leads to what has it."""
    table.put_many(
        [
            telemetry_codec.event_item(Reading(NFD, 0, "old", (), {})),
            chat_codec.room_item(Room.starting_with(NFD, 1)),
            chat_codec.message_item(Message(NFD, 1, "amy", 0, "old", "hi")),
        ]
    )
    assert spell(NFD) == "cafe~CC~81"
    assert [each["event_id"] for each in READER.call(EVENTS, device=NFD).body["events"]] == ["old"]
    assert [each["message_id"] for each in READER.call(MESSAGES, room=NFD).body["messages"]] == ["old"]
    assert written(READER, EVENTS, NFD).body["events"] == []


def test_letters_that_are_not_equivalent_stay_apart() -> None:
    """No letter case, no width, no look: those are for people to tell."""
    names = ["İ", "I", "i", "ı", "ﬁ", "fi", "Ａ", "A"]
    events = [{"device_id": name, "at": NOON, "metrics": {}} for name in names]
    SENDER.call("POST /telemetry", body={"events": events})
    assert [len(READER.call(EVENTS, device=name).body["events"]) for name in names] == [1] * len(names)


@pytest.mark.parametrize("length", [200, 201])
def test_a_name_is_as_long_as_it_is_composed(length: int) -> None:
    """Three letters each, written apart."""
    name = unicodedata.normalize("NFD", "한") * length
    answer = SENDER.call("POST /telemetry", body={"events": [{"device_id": name, "at": NOON, "metrics": {}}]})
    assert answer.body["accepted"] == (length == 200)
