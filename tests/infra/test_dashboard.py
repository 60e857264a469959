"""The dashboard answers its questions, and what functions count is shown there or wakes somebody."""

import ast
import json
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from edgewise.dynamodb.schema import INDEXES
from functions.routes import ROUTES
from functions.systems.proof.system import SYSTEM as PROOF
from infra.objectives import OBJECTIVES
from tests.infra.alarm_world import alarms_of
from tests.infra.conftest import Deployment
from tests.support.cloudwatch import Metric, watched

ROOT = Path(__file__).parents[2]
ROWS = {
    "Is it as promised?": {"5xx", "Latency", "IteratorAge", "ApproximateAgeOfOldestMessage"},
    "Is it exact?": {"QuarantineLevel", "IncompleteAggregates", "WrongAggregates", "LostRecords"},
    "Does it fail?": {"Errors", "5xx", "ApproximateNumberOfMessagesVisible"},
    "Is it late?": {"IteratorAge", "Freshness", "ApproximateAgeOfOldestMessage"},
    "What does it cost?": {"ConsumedWriteCapacityUnits", "ConsumedReadCapacityUnits", "Invocations", "Duration"},
    "Who is throttled?": {
        "ReadThrottleEvents",
        "WriteThrottleEvents",
        "TooManyRequests",
        "Throttles",
        "ClaimedAccountConcurrency",
    },
}
SPENT = ("ConsumedReadCapacityUnits", "ConsumedWriteCapacityUnits")
THROTTLED = ("ReadThrottleEvents", "WriteThrottleEvents")
Shown = list[list[Any]]


def body(deployment: Deployment) -> Any:
    """The dashboard's widgets; what only AWS knows is replaced by its name in the template."""
    (dashboard,) = deployment.api.find_resources("AWS::CloudWatch::Dashboard").values()
    _, parts = dashboard["Properties"]["DashboardBody"]["Fn::Join"]
    texts = [part if isinstance(part, str) else re.sub(r"\W+", ".", json.dumps(part)) for part in parts]
    return json.loads("".join(texts))["widgets"]


def rows(deployment: Deployment) -> dict[str, Shown]:
    """The metrics of each row, as CloudWatch writes them, without searches: `.` stands for what is above it."""
    found: dict[str, Shown] = {}
    for widget in body(deployment):
        if widget["type"] == "log":
            continue
        if widget["type"] == "text":
            shown: Shown = []
            found[widget["properties"]["markdown"].removeprefix("## ")] = shown
        else:
            shown += (metric for metric in map(list, widget["properties"]["metrics"]) if isinstance(metric[0], str))
    return found


def test_six_questions_are_answered(dev: Deployment) -> None:
    found = rows(dev)
    assert found.keys() == ROWS.keys()
    for question, metrics in ROWS.items():
        assert metrics <= {metric[1] for metric in found[question]}


def test_checks_are_shown_where_there_are_any(dev: Deployment, checked: Deployment) -> None:
    for deployment, shown in ((dev, False), (checked, True)):
        assert ("Differences" in {metric[1] for metric in rows(deployment)["Is it exact?"]}) == shown


def test_each_objective_is_shown_beside_what_a_month_may_have(checked: Deployment) -> None:
    shown = {
        each["properties"]["title"]: each["properties"] for each in body(checked) if "annotations" in each["properties"]
    }
    for objective in OBJECTIVES.values():
        graph = shown.pop(f"{objective.percent} %: {objective.says}")
        (bad,) = (each[0]["expression"] for each in graph["metrics"] if isinstance(each[0], dict))
        assert bad == objective.bad
        (may,) = graph["annotations"]["horizontal"]
        assert may["value"] == pytest.approx(100 - objective.percent)
    assert shown == {}


def dimensions(metric: list[Any]) -> dict[str, str]:
    texts = [each for each in metric[2:] if isinstance(each, str)]
    return dict(zip(texts[::2], texts[1::2], strict=True))


def test_what_is_spent_and_throttled_is_told_apart_by_index(dev: Deployment) -> None:
    found = [metric for row in rows(dev).values() for metric in row]
    for name in (*SPENT, *THROTTLED):
        indexes = {dimensions(metric).get("GlobalSecondaryIndexName") for metric in found if metric[1] == name}
        assert indexes == {None, *(index.name for index in INDEXES)}


def test_every_function_that_somebody_waits_for_is_shown(checked: Deployment) -> None:
    for name in ("Invocations", "Duration", "Throttles", "IteratorAge"):
        found = [metric for row in rows(checked).values() for metric in row if metric[1] == name]
        assert len({dimensions(metric)["FunctionName"] for metric in found}) == (
            2 if name == "IteratorAge" else len(ROUTES.keys() - {PROOF.name}) + 2
        )


def test_the_dashboard_fits(dev: Deployment) -> None:
    """AWS takes 500 widgets, and 500 metrics in one; widgets stand in 24 columns."""
    for widget in body(dev):
        assert widget["width"] <= 24
        assert widget["x"] + widget["width"] <= 24
        assert len(widget["properties"].get("metrics", ())) <= 500


def counted() -> Iterator[str]:
    """The names of metrics in the functions' code."""
    for path in chain((ROOT / "edgewise").rglob("*.py"), (ROOT / "functions").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "add_metric":
                (name, *_) = node.args
                assert isinstance(name, ast.Constant), path
                yield str(name.value)


@pytest.mark.parametrize("name", sorted(set(counted())))
def test_what_is_counted_is_read_by_somebody(checked: Deployment, name: str) -> None:
    shown = {(metric[0], metric[1]) for row in rows(checked).values() for metric in row}
    assert ("Edgewise/prod", name) in shown | {(namespace, metric) for namespace, metric, _ in alarmed(checked)}


def test_what_is_read_is_counted(checked: Deployment) -> None:
    """Of the stage's own metrics, none is shown that no code counts."""
    shown = {metric[1] for row in rows(checked).values() for metric in row if metric[0] == "Edgewise/prod"}
    filters = checked.api.find_resources("AWS::Logs::MetricFilter").values()
    from_logs = {one["Properties"]["MetricTransformations"][0]["MetricName"] for one in filters}
    assert shown <= {*counted(), *from_logs}


def alarmed(deployment: Deployment) -> set[Metric]:
    """The metrics of all alarms."""
    return {metric for each in alarms_of(deployment).values() if "AlarmRule" not in each for metric in watched(each)}


def test_whatever_wakes_somebody_has_a_graph(checked: Deployment) -> None:
    """But what is divided by, and what its alarm alone tells: that an event for a function is lost."""
    shown = {metric[1] for row in rows(checked).values() for metric in row}
    searched = set(re.findall(r'MetricName=\\"(\w+)', json.dumps(body(checked))))
    wakes = {name for _, name, _ in alarmed(checked)} - {"Count", "AsyncEventsDropped"}
    assert wakes - shown == {"DroppedEventCount", "OnFailureDestinationDeliveredEventCount", "InvokedEventCount"}
    assert wakes - shown <= searched


def test_what_no_metric_tells_of_each_function_is_asked_of_their_logs(prod: Deployment) -> None:
    """A metric of each function would be billed all month, a query only when somebody looks."""
    queries = {one["properties"]["title"]: one["properties"]["query"] for one in body(prod) if one["type"] == "log"}
    assert queries.keys() == {"Units by function", "Cold starts"}
    asked = {"write_units", "read_units", "function_name"}
    assert asked <= set(re.findall(r"[a-z_]+", queries["Units by function"]))
    for query in queries.values():
        assert query.count("SOURCE") == len(prod.functions().keys() & (ROUTES.keys() | {"edge_aggregator", "cascade"}))


def test_all_functions_of_the_api_count_as_one(checked: Deployment) -> None:
    """Each name that counts makes one more of each metric; 14 systems apart were 84 metrics."""
    names = {
        name: one["Environment"]["Variables"]["POWERTOOLS_SERVICE_NAME"] for name, one in checked.functions().items()
    }
    assert {service for name, service in names.items() if name in ROUTES} == {"api"}
    assert all(service == name for name, service in names.items() if name not in ROUTES)
    shown = {dimensions(metric).get("service") for row in rows(checked).values() for metric in row}
    assert shown - {None} <= set(names.values())
