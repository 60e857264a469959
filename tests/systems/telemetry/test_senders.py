"""A reading is its first sender's: who may change it, and what others are told."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import Table
from tests.support.http import Answer, Client
from tests.support.queue import batch, deliver, failed
from tests.support.streams import StreamedMemory

pytestmark = pytest.mark.usefixtures("handlers")

NOON = "2018-08-29T12:00:00.000Z"
AMY, BOB = Client("amy", ("ingest",)), Client("bob", ("ingest",))
IMPORTER = Client("importer", ("ingest", "import"))
SENDER = "AIDAIENQZJOLO23YVJ4VO"  # of the messages that tests.support.queue makes


def event(value: float = 10, name: str | None = "e1", **other: Any) -> dict[str, Any]:
    named = {"event_id": name} if name else {}
    return {"device_id": "123", "at": NOON, "metrics": {"temp": value}} | named | other


def post(client: Client, *events: Any) -> Answer:
    return client.call("POST /telemetry", None, {"events": list(events)})


def stored(name: str = "e1") -> str:
    events = Client().call("GET /devices/{device}/events", device="123").body["events"]
    (found,) = [each for each in events if each["event_id"] == name]
    return str(found["metrics"]["temp"])


def send(*events: Any, sender: str = SENDER) -> list[str]:
    """Through the queue; returns the messages that go back."""
    messages = batch({"events": list(events)})
    for record in messages["Records"]:
        record["attributes"] = record["attributes"] | {"SenderId": sender}
    return failed(deliver(messages))


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> StreamedMemory:
    """In memory, because moto takes no statements."""
    found = StreamedMemory()
    monkeypatch.setattr("functions.web.runtime.table", lambda: found)
    return found


@pytest.fixture(params=["puts", "statements"], autouse=True)
def writes(request: pytest.FixtureRequest) -> None:
    if request.param == "statements":
        request.getfixturevalue("by_statements")


@pytest.mark.parametrize("name", ["e1", None], ids=["with an id", "without"])
def test_nobody_else_overwrites_a_reading(name: str | None) -> None:
    """What the attack did: the 10 of one user became the 999 of another."""
    post(AMY, event(10, name))
    (found,) = Client().call("GET /devices/{device}/events", device="123").body["events"]
    answer = post(BOB, event(999, found["event_id"]))
    assert (answer.status, answer.body["accepted"], answer.fields) == (400, 0, ["events.0.event_id"])
    assert "first sender" in answer.body["rejected"][0]["error"]
    assert stored(found["event_id"]) == "10"


def test_what_is_refused_is_named_and_its_neighbours_are_stored() -> None:
    post(AMY, event(10))
    answer = post(BOB, event(1, "before"), {}, event(999), event(10), event(2, "after"))
    assert (answer.status, answer.body["accepted"]) == (202, 3)
    assert [(each["index"], each["field"]) for each in answer.body["rejected"]] == [(1, "device_id"), (2, "event_id")]
    assert [stored(name) for name in ("before", "e1", "after")] == ["1", "10", "2"]


def test_of_several_in_one_list_the_last_counts() -> None:
    post(AMY, event(10), event(11))
    assert stored() == "11"
    answer = post(BOB, event(11), event(12))
    assert (answer.body["accepted"], [each["index"] for each in answer.body["rejected"]]) == (1, [1])


@pytest.mark.parametrize("name", ["e1", None], ids=["with an id", "without"])
def test_anybody_may_send_the_same_again(table: StreamedMemory, name: str | None) -> None:
    """Gateways repeat what devices have sent: it stays the first sender's, and the stream tells nothing."""
    post(AMY, event(10, name))
    before, told = table.all_items(), sum(map(len, table.shards.values()))
    assert post(BOB, event(10, name), event(10.0, name)).body == {"accepted": 2, "rejected": []}
    assert send(event(10, name)) == []
    assert table.all_items() == before
    assert sum(map(len, table.shards.values())) == told == 1


def test_the_first_sender_may_correct() -> None:
    post(AMY, event(10))
    assert post(AMY, event(11)).status == 202
    assert stored() == "11"


def test_an_importer_may_correct_and_the_first_sender_stays_the_first() -> None:
    post(AMY, event(10))
    assert post(IMPORTER, event(11)).status == 202
    assert stored() == "11"
    assert post(Client("importer", ("ingest",)), event(12)).status == 400
    assert post(AMY, event(13)).status == 202
    assert stored() == "13"


def test_a_sender_is_the_sub_and_not_the_name() -> None:
    post(Client("amy", ("ingest",), sub="1"), event(10))
    assert post(Client("amy", ("ingest",), sub="2"), event(999)).status == 400
    assert post(Client("anne", ("ingest",), sub="1"), event(11)).status == 202


def test_a_reading_of_unknown_origin_is_corrected_by_importers_only(table: Table) -> None:
    post(AMY, event(10))
    item = dict(table.get(Key("DEVICE#123", f"EVENT#{NOON}#e1")) or {})
    del item["Sender"]
    table.put_many([item])
    assert (post(AMY, event(11)).status, post(AMY, event(10)).status, stored()) == (400, 202, "10")
    assert (post(IMPORTER, event(12)).status, stored()) == (202, "12")


class TestQueue:
    def test_it_does_not_overwrite_what_a_user_sent(self) -> None:
        post(AMY, event(10))
        assert send(event(999), event(1, "other")) == ["m1"]
        assert (stored(), stored("other")) == ("10", "1")

    def test_a_user_does_not_overwrite_what_came_through_it(self) -> None:
        assert send(event(10)) == []
        assert post(AMY, event(999)).status == 400
        assert stored() == "10"

    def test_its_senders_correct_their_own(self) -> None:
        """A role is one sender, whatever its sessions are called."""
        assert send(event(10), sender="AROAEXAMPLE:i-1") == []
        assert send(event(999), sender="AIDAEXAMPLE:i-1") == ["m1"]
        assert send(event(11), sender="AROAEXAMPLE:i-2") == []
        assert stored() == "11"


class Sent(NamedTuple):
    sender: str
    imports: bool
    events: Sequence[tuple[int, int]]  # id, value


SENT = st.builds(
    Sent,
    st.sampled_from(["amy", "bob"]),
    st.booleans(),
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=4),
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(history=st.lists(SENT, max_size=8))
def test_any_history(history: Sequence[Sent]) -> None:
    """Against what a list of who sent what first says; the stream tells of nothing but what changes."""
    table, owners, values, changes = StreamedMemory(), dict[int, str](), dict[int, int](), 0
    with pytest.MonkeyPatch.context() as patches:
        patches.setattr("functions.web.runtime.table", lambda: table)
        for sent in history:
            others = {name for name, first in owners.items() if first != sent.sender and not sent.imports}
            for name, value in dict(sent.events).items():
                owners.setdefault(name, sent.sender)
                if name not in others and values.get(name) != value:
                    values[name], changes = value, changes + 1
            client = Client(sent.sender, ("ingest", "import") if sent.imports else ("ingest",))
            answer = post(client, *(event(value, str(name)) for name, value in sent.events))
            lost = [i for i, (name, value) in enumerate(sent.events) if name in others and value != values[name]]
            assert [each["index"] for each in answer.body["rejected"]] == lost
            assert answer.body["accepted"] == len(sent.events) - len(lost)
    found = {item["SK"]["S"].rpartition("#")[2]: item for item in table.all_items()}
    assert {int(name): int(item["Metrics"]["M"]["temp"]["N"]) for name, item in found.items()} == values
    assert {int(name): item["Sender"]["S"] for name, item in found.items()} == owners
    assert sum(map(len, table.shards.values())) == changes
