"""The deployed consumer dies in one shard, again and again: the other shard and the other reader go on."""

import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from functions.catalog import module_of
from functions.systems.graph import keys as graph_keys
from functions.systems.graph.entity import NodeId
from functions.systems.telemetry import keys as telemetry_keys
from infra.bundle import BREAKABLE
from local.shipping import packed
from ops.api import ApiError
from ops.processes import wait_until
from tests.e2e.conftest import Client, Deployment, Settle

NAME = "edge_aggregator"
MODULE = module_of(BREAKABLE[NAME])
DEVICES = [f"held-{number}" for number in range(12)]
HUBS = [f"hub-{number}" for number in range(12)]
# What dies is the process: no handler survives that.
DYING = """
import os
from {module} import handler as absorb

def handler(event, context):
    if event["shardId"] == {shard!r}:
        os._exit(1)
    return absorb(event, context)
"""


@contextmanager
def dying_in(deployment: Deployment, shard: str) -> Iterator[None]:
    """The deployed consumer, which dies in this shard during the block."""
    functions, function = deployment.cloud.client("lambda"), {"FunctionName": deployment.outputs.function(NAME)}
    whole = packed(NAME)
    file = io.BytesIO(whole)
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("dying.py", DYING.format(module=MODULE, shard=shard))
    functions.update_function_code(**function, ZipFile=file.getvalue())
    functions.update_function_configuration(**function, Handler="dying.handler")
    try:
        yield
    finally:
        functions.update_function_configuration(**function, Handler=f"{MODULE}.handler")
        functions.update_function_code(**function, ZipFile=whole)


class Shards:
    """The shards of the table's stream, as functions read them."""

    def __init__(self, deployment: Deployment) -> None:
        self._streams = deployment.cloud.client("dynamodbstreams")
        described = deployment.cloud.client("dynamodb").describe_table(TableName=deployment.outputs["TableName"])
        self._arn = described["Table"]["LatestStreamArn"]

    def open(self) -> list[str]:
        found = self._streams.describe_stream(StreamArn=self._arn)["StreamDescription"]["Shards"]
        return [each["ShardId"] for each in found if "EndingSequenceNumber" not in each["SequenceNumberRange"]]

    def partitions(self, shard: str, kind: str) -> set[str]:
        """The partitions of the items of this type that a shard has records of."""
        place = {"StreamArn": self._arn, "ShardId": shard, "ShardIteratorType": "TRIM_HORIZON"}
        at, found = self._streams.get_shard_iterator(**place)["ShardIterator"], set[str]()
        while (page := self._streams.get_records(ShardIterator=at))["Records"]:
            images = (each["dynamodb"].get("NewImage", {}) for each in page["Records"])
            found |= {image["PK"]["S"] for image in images if image.get("Type") == {"S": kind}}
            at = page["NextShardIterator"]
        return found


@pytest.fixture
def shards(deployment: Deployment) -> Shards:
    return Shards(deployment)


def counted(guest: Client, device: str) -> int:
    """How many readings of a device are counted."""
    try:
        summary = guest.get("devices", device)["summary"]
    except ApiError as error:
        if error.status == 404:
            return 0
        raise
    return int(summary["events"]) if summary else 0


def test_a_killed_consumer_holds_up_its_own_shard_and_no_other_reader(
    deployment: Deployment, shards: Shards, sensor: Client, app: Client, guest: Client, settle: Settle
) -> None:
    settle()
    held, *others = shards.open()
    assert others
    with dying_in(deployment, held):
        events = [{"device_id": each, "at": 1_535_544_000, "event_id": "1", "metrics": {"a": 1}} for each in DEVICES]
        assert sensor.post("telemetry", body={"events": events})["accepted"] == len(events)
        wait_until(lambda: len(spread(shards, [held, *others])) == len(DEVICES), 60, "the readings' records")
        waiting = [device for device, shard in spread(shards, [held, *others]).items() if shard == held]
        assert 0 < len(waiting) < len(DEVICES)
        going = [device for device in DEVICES if device not in waiting]
        wait_until(lambda: all(counted(guest, each) == 1 for each in going), 180, "the readings of other shards")
        assert [counted(guest, each) for each in waiting] == [0] * len(waiting)

        hub = hub_in(held, shards, app)
        app.call("DELETE", "graph", "nodes", "held", hub)
        wait_until(lambda: not neighbours(guest, hub), 180, "the second reader in the shard that is held up")
        assert [counted(guest, each) for each in waiting] == [0] * len(waiting)
    settle()
    assert [counted(guest, each) for each in DEVICES] == [1] * len(DEVICES)


def spread(shards: Shards, among: list[str]) -> dict[str, str]:
    """In which shard the record of each device's reading is."""
    return {
        device: shard
        for shard in among
        for device in DEVICES
        if telemetry_keys.device(device) in shards.partitions(shard, "EVENT")
    }


def hub_in(shard: str, shards: Shards, app: Client) -> str:
    """A node whose records come in this shard, with an edge from another."""
    for name in ("spoke", *HUBS):
        app.put("graph", "nodes", "held", name, body={"attributes": []})
    found = {graph_keys.node(NodeId("held", hub)): hub for hub in HUBS}
    wait_until(lambda: bool(found.keys() & shards.partitions(shard, "NODE")), 60, "a node in the shard")
    hub = found[min(found.keys() & shards.partitions(shard, "NODE"))]
    app.put("graph", "edges", "held", "spoke", "TOUCHES", "held", hub, body={})
    return hub


def neighbours(guest: Client, hub: str) -> list[object]:
    """What the edges from the spoke lead to."""
    edges = guest.get("graph", "nodes", "held", "spoke", "edges", direction="out")["edges"]
    return [edge for edge in edges if edge["target"]["id"] == hub]
