"""The overview: what was measured, what the table says, what was not measured, and what it costs."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from edgewise.dynamodb.table import Table
from edgewise.stream import incomplete, quarantine
from edgewise.times import rfc_3339
from functions.cloudwatch import MINUTE
from functions.systems.chat.system import ROOM
from functions.systems.checks import codec
from tests.support.http import Client
from tests.support.measured import Measurements
from tests.systems.checks.made import BEGAN, figures, reconcile

NOW = 1_795_436_941_752 // MINUTE * MINUTE + 20_000
NAMESPACE = "Edgewise"


@pytest.fixture(autouse=True)
def count(handlers: None, measurements: Measurements, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Lets a function have counted something."""
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", NAMESPACE)
    monkeypatch.setattr("edgewise.clock.now", lambda: NOW)

    def counted(name: str, value: float, minutes_ago: int = 5, **dimensions: str) -> None:
        namespace = "AWS/Lambda" if name == "IteratorAge" else NAMESPACE
        measurements.count(namespace, name, value, NOW - minutes_ago * MINUTE - 1, **dimensions)

    return counted


def asked() -> Any:
    answer = Client("amy").call("GET /overview")
    assert answer.status == 200, answer.body
    return answer.body


def flow(body: Any, name: str) -> Any:
    return next(each for each in body["flows"] if each["name"] == name)


class TestMeasured:
    def test_what_flows_in_minute_by_minute(self, count: Callable[..., None]) -> None:
        for minutes_ago, requests in ((5, 3), (5, 4), (0, 2), (61, 50)):
            count("Requests", requests, minutes_ago, service="api")
        count("RecordsDelivered", 40, 2, service="edge_aggregator")
        body = asked()
        requests = flow(body, "requests")
        assert (requests["total"], requests["minutes"][-6], requests["minutes"][-1]) == (9, 7, 2)
        assert len(requests["minutes"]) == 61
        assert flow(body, "delivered")["total"] == 40
        assert body["measured"] is True

    def test_ages_are_those_of_the_last_minute_that_has_one(self, count: Callable[..., None]) -> None:
        count("Freshness", 700, 9, service="edge_aggregator")
        count("Freshness", 1200, 30, service="edge_aggregator")
        count("ShardFreshness", 650, 9, service="edge_aggregator", shard="s1")
        count("IteratorAge", 90, 3, FunctionName="the-consumer")
        body = asked()
        greatest = next(each for each in body["freshness"] if each["name"] == "Maximum")
        at = rfc_3339((NOW - 9 * MINUTE) // MINUTE * MINUTE)
        assert greatest == {"name": "Maximum", "latest": 700, "at": at, "greatest": 1200}
        assert body["shards"] == [{"name": "s1", "latest": 650, "at": at, "greatest": 650}]
        assert [each["latest"] for each in body["lags"]] == [90, None]

    def test_units_and_what_they_cost(self, count: Callable[..., None]) -> None:
        """A million write units cost 0.625 USD, a million read units a fifth."""
        count("ReadUnits", 4000, service="api")
        count("WriteUnits", 1000, service="api")
        count("WriteUnits", 8000, service="edge_aggregator")
        body = asked()
        costs = {each["function"]: each["cost"] for each in body["units"]}
        assert costs == {"api": Decimal("0.001125"), "edge_aggregator": Decimal("0.005")}
        assert body["cost"] == Decimal("0.006125")

    def test_what_it_costs_to_know(self) -> None:
        """One cent for a thousand metrics: requests, two kinds of units of each who counts, and what readers tell."""
        metrics = 1 + 2 * 5 + 1 + 1 + 1 + 3 + 2
        assert asked()["sources"]["metrics"]["cost"] == Decimal("0.00001") * (metrics + 1)


class TestNotMeasured:
    def test_nothing_is_not_zero(self) -> None:
        body = asked()
        assert body["measured"] is False
        assert {each["latest"] for each in body["freshness"] + body["lags"]} == {None}
        assert (body["check"], body["units"], body["shards"]) == (None, [], [])

    def test_metrics_are_asked_for_once_a_minute(
        self, count: Callable[..., None], measurements: Measurements, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        count("Requests", 1, service="api")
        asked()
        count("Requests", 1, service="api")
        assert (flow(asked(), "requests")["total"], measurements.asked) == (1, 2)
        monkeypatch.setattr("edgewise.clock.now", lambda: NOW + MINUTE)
        assert flow(asked(), "requests")["total"] == 2

    def test_so_they_are_while_nobody_answers(
        self, count: Callable[..., None], measurements: Measurements, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Each request is metered, and somebody waits for it. The clock is at the twentieth second of a minute."""
        count("Requests", 1, service="api")
        measurements.down = True
        for _ in range(3):
            answer = Client("amy").call("GET /overview")
            assert (answer.status, answer.headers["Retry-After"]) == (503, "41")
        assert measurements.asked == 1
        measurements.down = False
        monkeypatch.setattr("edgewise.clock.now", lambda: NOW + 41_000)
        assert flow(asked(), "requests")["total"] == 1


class TestTheTable:
    def test_what_is_wrong_and_what_lacks(self, table: Table) -> None:
        quarantine.quarantine(table, "shard", quarantine.Entry({"dynamodb": {"SequenceNumber": "7"}}, "why"))
        incomplete.note(table, ROOM("quay"), "why")
        body = asked()
        assert (body["quarantined"], body["incomplete"]) == (1, 1)

    def test_the_last_check_says_how_many_aggregates_are_kept(self, table: Table) -> None:
        done = reconcile().done(BEGAN + 600_000, figures({"ROOM": {"wrong": 1, "follows": 2}}))
        running = reconcile("20261124T054100Z")
        table.put_many([codec.run_item(done), codec.run_item(running)])
        told = asked()["check"]
        assert (told["run"], told["differences"]) == (done.name, 3)
        assert told["aggregates"] == (done.figures.counts["aggregates"] if done.figures else None)
