"""Which changes are hinted at, what a message says, and how the queue is told."""

from typing import Any

import pytest

from edgewise import Key
from edgewise.dynamodb.attributes import Item
from functions.catalog import WATCHED
from functions.owned import Withdrawal, tombstone
from functions.search import hints
from functions.search.engine import Address
from functions.search.hints import HintQueue, Rebuild
from functions.systems.chat import codec as chat_codec
from functions.systems.chat.entity import Message
from functions.systems.documents.items import METADATA, NEWEST, PERMISSIONS
from functions.systems.graph import codec as graph_codec
from functions.systems.graph.entity import Attribute, Node, NodeId, State

AMY = NodeId("person", "amy")
MESSAGE = chat_codec.message_item(Message("sea", 1, "amy", 1535544000000, "m1", "hi"))
DEVICE: Item = {"PK": {"S": "DEVICE#d"}, "SK": {"S": "#SUMMARY"}, "Type": {"S": "DEVICE"}, "Version": {"N": "1"}}


def hinted(new: Item | None, old: Item | None = None) -> list[Address]:
    images = {name: image for name, image in (("NewImage", new), ("OldImage", old)) if image}
    return WATCHED.hints([{"dynamodb": images}])


def test_what_comes_and_what_goes_is_hinted_at() -> None:
    key = Key(MESSAGE["PK"]["S"], MESSAGE["SK"]["S"])
    assert hinted(MESSAGE) == hinted(None, MESSAGE) == [Address("message", key)]
    assert hinted(MESSAGE, MESSAGE | {"Text": {"S": "ho"}}) == [Address("message", key)]


def test_what_is_withdrawn_is_hinted_at_and_has_no_contents() -> None:
    gone = tombstone(MESSAGE, Withdrawal("amy", 1535544000000))
    assert hinted(gone, MESSAGE) == hinted(MESSAGE, gone) == hinted(MESSAGE)
    assert hinted(gone, gone) == []
    assert WATCHED.kinds["message"].contents([gone]) is None


def test_what_is_not_searched_is_no_news() -> None:
    assert hinted(MESSAGE, MESSAGE | {"Expires": {"N": "1"}}) == []
    assert hinted(DEVICE, DEVICE | {"Version": {"N": "2"}}) == [], "each batch of readings changes its summary"
    assert [each.kind for each in hinted(DEVICE)] == ["device"]
    up, down = (graph_codec.node_item(Node(AMY, n, State(n, name))) for n, name in ((1, "up"), (2, "down")))
    assert hinted(down, up) == [], "some nodes change their state each second"
    assert [each.kind for each in hinted(graph_codec.node_item(Node(AMY, 3, deleting=True)), down)] == ["node"]


def test_all_items_of_a_thing_hint_at_it() -> None:
    attribute = graph_codec.attribute_item(AMY, Attribute("skill", ("SQL",)))
    assert hinted(attribute) == hinted(graph_codec.node_item(Node(AMY, 1)))
    own = METADATA.key("d")
    for of in (METADATA, PERMISSIONS, NEWEST):
        key = of.key("d")
        item: Item = {"PK": {"S": key.pk}, "SK": {"S": key.sk}, "Type": {"S": of.name}}
        assert hinted(item) == [Address("document", own)]


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"dynamodb": {}},
        {"dynamodb": {"NewImage": {"Type": {"N": "1"}}}},
        {"dynamodb": {"NewImage": {"Type": {"S": "x"}}}},
    ],
)
def test_a_record_that_is_not_understood_hides_no_other(record: dict[str, Any]) -> None:
    broken = {"dynamodb": {"NewImage": MESSAGE | {"Text": {"N": "1"}}, "OldImage": MESSAGE}}
    assert len(WATCHED.hints([record, broken, {"dynamodb": {"NewImage": MESSAGE}}])) == 1


@pytest.mark.parametrize(
    "message",
    [
        [Address("message", Key("CHAT#\u2028é", "b")), Address("x", Key("c", "d"))],
        Rebuild("g"),
        Rebuild("g", Key("a", "b")),
    ],
)
def test_a_message_survives_its_text(message: hints.Message) -> None:
    text = hints.text(message)
    assert text.isascii()
    assert hints.message(text) == message


class Client:
    """SQS, which remembers what it was sent."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []

    def send_message(self, **request: Any) -> None:
        self.sent.append(request)


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Client:
    made = Client()
    monkeypatch.setattr("edgewise.aws.client", lambda *_: made)
    return made


def test_all_messages_are_of_one_group_and_none_is_dropped_as_the_same(client: Client) -> None:
    for _ in range(2):
        HintQueue("url").send([Address("message", Key("a", "b"))])
    assert {each["MessageGroupId"] for each in client.sent} == {"index"}
    assert len({each["MessageDeduplicationId"] for each in client.sent}) == 2


def test_a_part_of_a_rebuild_is_asked_for_once(client: Client) -> None:
    for wanted in (Rebuild("g"), Rebuild("g"), Rebuild("g", Key("a", "b")), Rebuild("h")):
        HintQueue("url").rebuild(wanted)
    ids = [each["MessageDeduplicationId"] for each in client.sent]
    assert ids[0] == ids[1]
    assert len(set(ids)) == 3


def test_many_hints_go_in_messages_that_the_queue_takes(client: Client) -> None:
    many = [Address("message", Key(f"CHAT#{'é' * 500}-{n}", "b")) for n in range(300)]
    HintQueue("url").send(many)
    assert len(client.sent) > 1
    assert all(len(each["MessageBody"]) <= 262_144 for each in client.sent)
    assert [a for each in client.sent for a in hints.message(each["MessageBody"])] == many  # type: ignore[union-attr]
