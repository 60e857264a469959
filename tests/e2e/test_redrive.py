"""A record that the deployed consumer can't understand: set aside, listed, applied after a fix, counted once."""

import json
from copy import deepcopy
from typing import Any

import pytest

from edgewise.dynamodb.attributes import Item, s
from edgewise.dynamodb.table import Table
from edgewise.stream.quarantine import find, quarantine_items
from edgewise.times import from_rfc_3339
from functions.systems.chat import codec as chat_codec
from functions.systems.chat.entity import Message
from ops.processes import wait_until
from ops.redrive import command
from tests.e2e.conftest import Client, Deployment, Settle

ROOM, USER, NOON = "redriven", "rhea", "2018-08-29T12:00:0{}Z"
AGGREGATES = ((f"POSTED_IN {USER} {ROOM}", "Count"), (f"ROOM {ROOM}", "Messages"), (f"USER {USER}", "Messages"))


@pytest.fixture
def table(deployment: Deployment) -> Table:
    return deployment.table


def operate(deployment: Deployment, arguments: str) -> Any:
    """What `make redrive DO="..."` answers."""
    functions, name = deployment.cloud.client("lambda"), deployment.outputs["RedriveFunctionName"]
    response = functions.invoke(FunctionName=name, Payload=json.dumps(command(arguments.split())))
    return json.load(response["Payload"])


def wait_for_quarantine(deployment: Deployment, count: int) -> list[Any]:
    """The records in quarantine as soon as there are so many."""
    wait_until(lambda: len(operate(deployment, "list")["records"]) == count, 180, f"{count} records in quarantine")
    records: list[Any] = operate(deployment, "list")["records"]
    return records


def post(importer: Client, second: int) -> None:
    message = {"text": "hi", "user": USER, "sent_at": NOON.format(second), "message_id": f"{second}"}
    assert importer.post("rooms", ROOM, "messages", body={"messages": [message]})["accepted"] == 1


def message_item(user: str = USER) -> Item:
    return chat_codec.message_item(Message(ROOM, 1, user, from_rfc_3339(NOON.format(5)), "5", "hi"))


def without_text(item: Item) -> Item:
    return {name: value for name, value in item.items() if name != "Text"}


def as_a_release_sees_it_that_needs_no_text(table: Table, quarantined: Any) -> None:
    """The record is stored whole; what changes with a fix is the code that reads it, here the record in its place."""
    found = find(table, quarantined["shard"], quarantined["sequence"])
    assert found is not None
    record: Any = deepcopy(found.record)
    for image in ("OldImage", "NewImage"):
        if image in record["dynamodb"]:
            record["dynamodb"][image].setdefault("Text", s("hi"))
    table.put_many(quarantine_items(quarantined["shard"], record, quarantined["error"]))


def recounts(deployment: Deployment) -> list[Any]:
    """Of each aggregate, what is stored, and whether its sources say the same."""
    found = [operate(deployment, f"recount {aggregate}") for aggregate, _ in AGGREGATES]
    return [(one["stored"][cell], one["equal"]) for one, (_, cell) in zip(found, AGGREGATES, strict=True)]


def test_a_record_is_set_aside_listed_applied_and_counted_once(
    deployment: Deployment, table: Table, importer: Client, guest: Client, settle: Settle
) -> None:
    post(importer, 1)
    table.put_many([without_text(message_item())])
    post(importer, 9)
    (quarantined,) = wait_for_quarantine(deployment, 1)
    assert "Text" in quarantined["error"]
    settle()
    room = guest.get("rooms", ROOM)  # the others went on
    assert (room["shards"], room["messages"], room["users"]) == (1, 2, 1)

    still = operate(deployment, "apply")
    assert (still["done"], still["count"]) == (0, 1)
    assert [(one["sequence"], one["error"]) for one in still["malformed"]] == [
        (quarantined["sequence"], quarantined["error"])
    ]
    assert "Text" in operate(deployment, f"apply {quarantined['shard']} {quarantined['sequence']}")["error"]

    table.put_many([message_item()])  # its record shows what was there before, which can't be understood either
    for each in wait_for_quarantine(deployment, 2):
        as_a_release_sees_it_that_needs_no_text(table, each)
    assert operate(deployment, "apply") == {"done": 2, "malformed": [], "count": 0, "finished": True}
    settle()
    assert guest.get("rooms", ROOM)["messages"] == 3
    exact = recounts(deployment)
    assert [equal for _, equal in exact] == [True] * 3

    assert operate(deployment, "apply") == {"done": 0, "malformed": [], "count": 0, "finished": True}
    settle()
    assert recounts(deployment) == exact


def test_a_record_that_nobody_will_understand_is_given_up(deployment: Deployment, table: Table) -> None:
    table.put_many([without_text(message_item("nobody"))])
    (quarantined,) = wait_for_quarantine(deployment, 1)
    assert operate(deployment, f"discard {quarantined['shard']} {quarantined['sequence']}")["count"] == 0
    told = operate(deployment, "list")
    assert (told["records"], told["count"], told["after"]) == ([], 0, None)
    # Other tests leave a device with a source that can't be read.
    assert not [each for each in told["incomplete"] if each["kind"] != "DEVICE"]
