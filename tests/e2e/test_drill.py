"""The drill of docs/restoring.md: restore, attach, reconcile, repair, exact again.

The emulator restores a table as it is, whatever the instant. So what is not absorbed at the instant is made here by a
consumer that stands still. All later tests find the restored table attached.
"""

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from batch.runs.run_report import differences
from edgewise.aggregates.keys import SUMMARY
from edgewise.dynamodb.keys import Key
from functions.systems.chat import keys as chat_keys
from local import deploy
from local.drain import drain
from local.stream import running
from ops import refusal
from ops.recounting.compare import compare
from ops.recounting.facts import Facts
from ops.recounting.feed import chat_requests, post_all, telemetry_requests
from ops.recounting.readback import read_back
from ops.recounting.recount import recount
from ops.recounting.samples import Message, Reading
from tests.e2e.conftest import Client, Deployment, Reconcile, quiet
from tests.support.commands import outcome

ROOM, DAY = "drill", "2018-08-29"
COUNTED = Key(chat_keys.room(ROOM), SUMMARY)


def reading(device: str, at: str, temp: str) -> Reading:
    """A reading at a place of four levels; the last one is the device's own."""
    return Reading(device, f"{DAY}T{at}:00Z", ("Drill", "North", "Dock", device), {"temp": Decimal(temp)})


def message(number: int, user: str) -> Message:
    return Message(ROOM, user, f"{DAY}T12:00:{number:02}Z", str(number), "hi")


@dataclass(frozen=True)
class Sent:
    """What is posted together."""

    readings: list[Reading]
    messages: list[Message]

    def __add__(self, other: "Sent") -> "Sent":
        return Sent([*self.readings, *other.readings], [*self.messages, *other.messages])

    def recounted(self) -> Facts:
        """Every aggregate of it, counted by code that knows nothing of the table."""
        return recount(self.readings, self.messages)


ABSORBED = Sent(
    [reading("pump", "01:00", "20.5"), reading("pump", "02:00", "21")], [message(1, "dora"), message(2, "dora")]
)
# Stored at the instant, but counted by nobody.
LACKING = Sent(
    [reading("pump", "02:30", "22"), reading("valve", "03:00", "4")], [message(3, "dora"), message(4, "dan")]
)
LATER = Sent([reading("pump", "04:00", "19")], [message(5, "dan")])
ALL = ABSORBED + LACKING + LATER


@dataclass(frozen=True)
class Drill:
    """The deployment, and who posts to it."""

    deployment: Deployment
    sensor: Client
    importer: Client

    def post(self, sent: Sent) -> None:
        """Store it."""
        post_all(self.sensor, telemetry_requests(sent.readings), lambda _: None)
        post_all(self.importer, chat_requests(sent.messages), lambda _: None)

    def settle(self) -> None:
        """Wait until it is absorbed."""
        drain(self.deployment.cloud)

    def stop_consumer(self) -> None:
        """Let it absorb nothing more."""
        functions = self.deployment.cloud.client("lambda")
        name = self.deployment.outputs["EdgeAggregatorFunctionName"]
        (mapping,) = functions.list_event_source_mappings(FunctionName=name)["EventSourceMappings"]
        functions.update_event_source_mapping(UUID=mapping["UUID"], Enabled=False)
        running.news(self.deployment.cloud)  # the answer comes when it stands still

    def command(self, module: str, *arguments: str) -> str:
        """What a command of the Makefile's prints."""
        status, printed = outcome(module, "local", *arguments, port=self.deployment.cloud.port)
        assert status == 0, printed
        return printed

    def attach(self, line: str, folder: Path) -> None:
        """Deploy with this line in the stage's file."""
        settings = (deploy.STAGES / "local.toml").read_text()
        (folder / "local.toml").write_text(f"{line}\n{settings}")
        deploy.synthesize(self.deployment.cloud, stages=folder)
        deploy.publish(self.deployment.cloud)


@pytest.fixture
def drill(deployment: Deployment, sensor: Client, importer: Client) -> Drill:
    return Drill(deployment, sensor, importer)


def test_a_restored_table_is_exact_again(drill: Drill, guest: Client, reconcile: Reconcile, tmp_path: Path) -> None:
    drill.post(ABSORBED)
    drill.settle()
    drill.stop_consumer()
    drill.post(LACKING)
    old, before = drill.deployment.table, drill.deployment.table.get(COUNTED)
    printed = drill.command("ops.restore", datetime.now(UTC).isoformat(), "")
    assert not guest.raw("GET", "rooms", ROOM).ok  # halted
    dynamodb = drill.deployment.cloud.client("dynamodb")
    arn = dynamodb.describe_table(TableName=old.name)["Table"]["TableArn"]
    assert refusal.NAME in dynamodb.get_resource_policy(ResourceArn=arn)["Policy"]

    (line,) = (each for each in printed.splitlines() if each.startswith("restored = "))
    drill.attach(line, tmp_path)
    drill.command("ops.halting", "resume")
    assert refusal.NAME in dynamodb.get_resource_policy(ResourceArn=arn)["Policy"], "it is not used any more"
    assert f":table/{drill.deployment.outputs['TableName']}/stream/" in line
    drill.post(LATER)
    drill.settle()
    assert old.get(COUNTED) == before
    assert drill.deployment.table.get(COUNTED) != before
    quiet()

    found = reconcile("plan").summary()
    assert {kind: sum(number.values()) for kind, number in found["differences"].items()} == lacking()
    assert found["unsettled"] == 0
    drill.settle()
    assert differences(reconcile().checked()) == 0
    stored = read_back(guest, ALL.recounted(), lambda _: None)
    assert different(stored, ALL.recounted()) == []


def lacking() -> Counter[str]:
    """How many aggregates of each kind need LACKING to be what they should be."""
    return Counter(different((ABSORBED + LATER).recounted(), ALL.recounted()))


def different(found: Facts, expected: Facts) -> list[str]:
    """The kind of each aggregate that is not as expected."""
    return [line.name.kind for line in compare("all", found, expected).different]
