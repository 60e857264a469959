"""What functions really ask of the table is allowed: a right that is too narrow fails here, and not on AWS.

Every documented request of every system, with what follows from it; histories of the stream, with redrives and sweeps;
and the operators' recounts.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from random import Random
from typing import Any, cast

import pytest
from aws_lambda_powertools.utilities.typing import LambdaContext

from delivery import NONE, Mapping, Simulator
from docs import housekeeping
from docs.access_patterns import READS, WRITES
from docs.patterns.pattern import Read, Write
from edgewise.aggregates.keys import AggregateId
from edgewise.dynamodb.schema import INDEXES
from edgewise.stream import lost
from edgewise.stream.redrive import redrive as redrive_record
from edgewise.stream.register import double_groups, register
from edgewise.stream.sweep import sweep
from functions.catalog import SYSTEMS
from functions.handlers import cascade, edge_aggregator, last_line, redrive, sweeper
from functions.systems.graph import passes, telling
from functions.systems.graph import store as graph
from functions.systems.graph.entity import GraphEdge, NodeId
from infra.rights import RIGHTS
from tests.delivery import world
from tests.delivery.consuming import consuming
from tests.infra import iam
from tests.infra.asking import Asked, AskedTable
from tests.infra.conftest import Deployment
from tests.support import examples, leasing
from tests.support.http import FUNCTION_OF, Client, Context
from tests.systems.graph.generations import FIRST, person, publish

HISTORIES, HAPPENINGS = 6, 120
READERS = (edge_aggregator, cascade, redrive, sweeper, last_line)
ALL = Mapping(batch_size=10)
EXAMPLES: Sequence[Read | Write] = (*READS, *WRITES)


class Unhurried(Context):
    """There is time for all that is asked."""

    def get_remaining_time_in_millis(self) -> int:
        return 600_000


@pytest.fixture(scope="module")
def asked() -> Asked:
    return Asked()


@pytest.fixture
def on(asked: Asked, by_statements: None, monkeypatch: pytest.MonkeyPatch) -> Callable[[], AskedTable]:
    """Makes an empty table, on which all functions are; they note there what callers have taken."""
    leasing.begin(monkeypatch)

    def new() -> AskedTable:
        table = AskedTable(asked)
        leasing.restart()
        monkeypatch.setattr("functions.web.runtime.table", lambda: table)
        for reader in READERS:
            monkeypatch.setattr(reader, "table", lambda: table)
        return table

    return new


def refused(deployment: Deployment, asked: Asked) -> set[tuple[str, iam.Request]]:
    """What was asked for, and by whom, that the policies don't allow; of functions that a deployment has."""
    return {
        (name, request)
        for name, requests in asked.requests.items()
        if name in deployment.functions()
        for request in requests
        if not iam.allows(iam.statements(deployment, name), request)
    }


def absorb(table: AskedTable) -> None:
    """Let both readers of the stream have what it holds, and what they write themselves."""
    readers = [
        Simulator(table.asked.wrapped(name, reader.handler), table.stream, ALL, NONE, seed=1)
        for name, reader in (("edge_aggregator", edge_aggregator), ("cascade", cascade))
    ]
    while any([reader.step() for reader in readers]):
        pass


def call(table: AskedTable, example: Read | Write) -> None:
    client = Client(example.user, example.groups, example.headers if isinstance(example, Write) else {})
    query, body = (example.query, None) if isinstance(example, Read) else (None, example.body)
    with table.asked.by(FUNCTION_OF[example.route]):
        client.call(example.route, query, body, **example.path)


def test_every_documented_request_and_what_follows(
    on: Callable[[], AskedTable], asked: Asked, checked: Deployment, breakable: Deployment
) -> None:
    for example in EXAMPLES:
        table = on()
        example.given(table)
        call(table, example)
        call(table, example)  # again: what is stored already takes other ways
        absorb(table)
    assert {system.name for system in SYSTEMS if RIGHTS[system.name].actions} <= set(asked.requests)
    assert refused(checked, asked) | refused(breakable, asked) == set()


def test_histories_of_the_stream(asked: Asked, checked: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world, "sweep", asked.wrapped("sweeper", sweep))
    monkeypatch.setattr(world, "redrive", asked.wrapped("redrive", redrive_record))
    with consuming() as consume:
        monkeypatch.setattr(cascade, "handler", asked.wrapped("cascade", cascade.handler))
        for seed in range(HISTORIES):
            table = AskedTable(asked, shards=4)
            if seed % 2:
                double_groups(table, register(table))
            done = world.run(Random(seed), table, lambda on: asked.wrapped("edge_aggregator", consume(on)), HAPPENINGS)
            assert done.found == done.expected
    assert refused(checked, asked) == set()
    assert {"edge_aggregator", "cascade", "sweeper", "redrive"} <= set(asked.requests)


def test_operators_recounts(on: Callable[[], AskedTable], asked: Asked, checked: Deployment) -> None:
    table = on()
    table.put_many(examples.stored())
    housekeeping.given(table)
    commands: list[dict[str, Any]] = [{"do": "list"}, {"do": "apply_all"}]
    for about in examples.fed():
        commands += [{"do": "recount", **_named(about), "repair": repair} for repair in (False, True)]
    with asked.by("redrive"):
        for command in commands:
            answer = redrive.handler(command, cast(LambdaContext, Unhurried()))
            assert answer.get("complete", True), command
    indexes = {request.resource for request in asked.requests["redrive"]} - {"table"}
    assert indexes == {f"table/index/{index.name}" for index in INDEXES}
    assert refused(checked, asked) == set()


def test_the_last_line_and_the_sweeper(
    on: Callable[[], AskedTable], asked: Asked, checked: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = on()
    table.put_many(examples.stored())
    records = [record.form for shard in table.stream.shards for record in shard.records]
    for shard in ("shardId-1", None):
        monkeypatch.setattr(lost, "read", lambda *_, shard=shard: lost.Lost(shard, records, None))
        with asked.by("last_line"):
            last_line.handler({"detail": {"bucket": {"name": "b"}, "object": {"key": "k"}}}, Unhurried())
    with asked.by("sweeper"):
        sweeper.handler({}, Unhurried())
    assert refused(checked, asked) == set()


def _named(about: AggregateId) -> dict[str, object]:
    dimensions = [list(each) if isinstance(each, tuple) else each for each in about.dimensions]
    return {"kind": about.type, "dimensions": dimensions}


def test_a_fill_that_takes_over_from_the_stream(
    on: Callable[[], AskedTable], asked: Asked, checked: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telling, "AT_ONCE", 1)
    monkeypatch.setattr(telling, "STEP", 1)
    monkeypatch.setattr(passes, "MOST", 1)
    table, host, services = on(), NodeId("host", "h"), [NodeId("service", name) for name in "abc"]
    for node in (host, *services):
        graph.put_node(table, node, [], 1)
    for service in services:
        graph.put_edge(table, GraphEdge(host, "RUNS", service, Decimal(1)))
    graph.put_state(table, host, "down", {})
    absorb(table)
    with asked.by("batch_publish"):
        publish(table, FIRST, replace(person("x"), node=host))
    assert not graph.node(table, host)[-1]
    assert refused(checked, asked) == set()
