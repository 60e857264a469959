"""Readings by MQTT: what a rule of AWS IoT makes of a message is what the queue's function stores.

The rule's SQL is evaluated by tests/support/iot_sql.py.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from edgewise.dynamodb.table import Table
from functions.systems.telemetry import codec
from functions.systems.telemetry.entity import Reading
from functions.systems.telemetry.models import MAX_METRICS
from infra.iot import settings, sql
from tests.support.iot_sql import evaluated
from tests.support.queue import batch, deliver, failed

pytestmark = pytest.mark.usefixtures("handlers")

PAGE = (Path(__file__).parents[3] / "docs" / "iot.md").read_text()
READINGS = sql.readings("dev")
SPARKPLUG = sql.sparkplug("dev", ["temp", "Inputs/A"])
AT = 1_535_544_000_000  # 2018-08-29T12:00:00Z
NOON = "2018-08-29T12:00:00Z"


def arrive(table: Table, rule: str, topic: str, **message: Any) -> list[Reading]:
    """What is stored of a message on this topic."""
    body = evaluated(rule, topic, json.dumps(message))
    assert body is not None, "the rule is for this topic"
    answer = deliver(batch(body))
    items: Any = table.client.scan(TableName=table.name)["Items"]
    found = [codec.event(item) for item in items if item["Type"]["S"] == "EVENT"]
    assert bool(found) != bool(failed(answer))
    return found


def test_a_reading_is_stored_as_it_is(table: Table) -> None:
    (found,) = arrive(
        table,
        READINGS,
        "edgewise/dev/readings/pump-7",
        at=NOON,
        event_id="e1",
        place=["US", "New York"],
        metrics={"temp": 39.02, "level": 10.0},
        attributes={"model": "T-1000", "ok": True},
    )
    assert (found.device, found.at, found.id, found.place) == ("pump-7", AT, "e1", ("US", "New York"))
    assert {name: str(value) for name, value in found.metrics.items()} == {"temp": "39.02", "level": "10"}
    assert found.attributes == {"model": "T-1000", "ok": True}


def test_what_a_message_lacks_is_not_said(table: Table) -> None:
    (found,) = arrive(table, READINGS, "edgewise/dev/readings/pump-7", at=NOON, metrics={"temp": 1})
    assert (found.place, found.attributes) == ((), {})


def test_a_thing_can_not_say_that_it_is_another(table: Table) -> None:
    """Its topic says who it is; what else it calls itself is nowhere in the body."""
    said = {"device_id": "pump-8", "events": [{"device_id": "pump-8", "at": NOON, "metrics": {"temp": 1}}]}
    (found,) = arrive(table, READINGS, "edgewise/dev/readings/pump-7", at=NOON, metrics={"temp": 1}, **said)
    assert found.device == "pump-7"


def test_a_message_that_comes_twice_is_stored_once(table: Table) -> None:
    for _ in range(2):
        found = arrive(table, READINGS, "edgewise/dev/readings/pump-7", at=NOON, metrics={"temp": 1})
    assert len(found) == 1


@pytest.mark.parametrize(
    "message", [{}, {"metrics": {"temp": 1}}, {"at": NOON}, {"at": NOON, "metrics": {"temp": "1"}}]
)
def test_a_message_that_is_no_reading_goes_to_the_dead_letters(table: Table, message: dict[str, Any]) -> None:
    assert arrive(table, READINGS, "edgewise/dev/readings/pump-7", **message) == []


@pytest.mark.parametrize("topic", ["edgewise/prod/readings/a", "edgewise/dev/readings/a/b", "edgewise/dev/readings"])
def test_other_topics_are_nothing_to_the_rule(topic: str) -> None:
    assert evaluated(READINGS, topic, "{}") is None


def sparkplug(**values: Any) -> list[dict[str, Any]]:
    return [{"name": name, "timestamp": AT, "dataType": "Double", "value": value} for name, value in values.items()]


def test_metrics_of_a_list_are_those_of_one_reading(table: Table) -> None:
    (found,) = arrive(
        table,
        SPARKPLUG,
        "spBv1.0/edgewise-dev/DDATA/line-3/oven",
        timestamp=AT + 7,
        seq=2,
        metrics=[*sparkplug(temp=21.5, other=3), *sparkplug(**{"Inputs/A": 4})],
    )
    assert (found.device, found.at) == ("line-3.oven", AT + 7)
    assert {name: str(value) for name, value in found.metrics.items()} == {"temp": "21.5", "Inputs/A": "4"}


def test_a_list_may_lack_metrics(table: Table) -> None:
    """Sparkplug's nodes report what has changed."""
    (found,) = arrive(
        table, SPARKPLUG, "spBv1.0/edgewise-dev/DDATA/line-3/oven", timestamp=AT, metrics=sparkplug(temp=21.5)
    )
    assert found.metrics.keys() == {"temp"}


def test_no_two_nodes_have_a_device_in_common() -> None:
    """Names of things have letters, digits and `:_-`, so the first full stop ends that of the node."""
    topics = [f"spBv1.0/edgewise-dev/DDATA/{node}/{device}" for node, device in (("a", "b.c"), ("b", "c"), ("a", "b"))]
    bodies = [evaluated(SPARKPLUG, topic, '{"timestamp": 0}') for topic in topics]
    assert len({json.loads(body)["events"][0]["device_id"] for body in bodies if body}) == 3


def test_a_list_without_a_time_goes_to_the_dead_letters(table: Table) -> None:
    assert arrive(table, SPARKPLUG, "spBv1.0/edgewise-dev/DDATA/line-3/oven", metrics=sparkplug(temp=1)) == []


def test_what_the_page_publishes_is_stored(table: Table) -> None:
    """With the stage `alice`, as a reader would copy it."""
    ((topic, payload),) = re.findall(
        r"aws iot-data publish .*?--topic '([^']+)'.*?--payload '([^']+)'", PAGE, re.DOTALL
    )
    assert topic.startswith("$aws/rules/edgewise_alice_readings/")
    (found,) = arrive(table, sql.readings("alice"), topic, **json.loads(payload))
    assert found.device == topic.rpartition("/")[2]


def test_a_stage_can_name_as_many_metrics_as_a_reading_has() -> None:
    assert settings.MAX_METRICS == MAX_METRICS
