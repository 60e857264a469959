"""Whoever changes a node is charged for what the stream does because of it."""

from collections.abc import Callable
from typing import Any

import pytest

from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.measures import Cell
from edgewise.aggregates.stored import aggregate_item
from edgewise.times import SECOND
from functions import rates
from functions.systems.graph import cleanup
from functions.systems.graph.entity import EDGES, NodeId
from functions.systems.graph.system import DEGREE
from tests.support import leasing
from tests.support.clocks import Clock
from tests.support.http import Answer, Client
from tests.support.streams import StreamedTable

WRITER = Client("app", ("write",))
NODE, EDGE = "/graph/nodes/{type}/{id}", "/graph/edges/{type}/{id}/{label}/{target_type}/{target_id}"
pytestmark = pytest.mark.usefixtures("handlers")


def put_node(kind: str, name: str) -> None:
    assert WRITER.call(f"PUT {NODE}", body={"attributes": []}, type=kind, id=name).status == 200


def put_edge(kind: str, name: str, label: str, to: tuple[str, str]) -> None:
    ids = {"type": kind, "id": name, "label": label, "target_type": to[0], "target_id": to[1]}
    assert WRITER.call(f"PUT {EDGE}", None, {}, **ids).status == 200


def put_state(name: str, state: str) -> Answer:
    return WRITER.call(f"PUT {NODE}/state", body={"state": state}, type="host", id=name)


def charged(answer: Answer) -> int:
    return int(answer.headers.get("x-caused-units", 0))


def with_edges(table: StreamedTable, direction: str, label: str, number: int) -> None:
    """What the stream has counted of the host's edges, as if it had so many."""
    counted = Aggregate(DEGREE(NodeId("host", "h"), direction, label), 1, {EDGES: Cell(number)})
    table.put_many([aggregate_item(counted)])


def test_a_state_costs_what_is_written_of_it(table: StreamedTable, drain: Callable[[], None]) -> None:
    """A copy for each service that the host runs, and the numbers of each; edges that tell nothing are free."""
    put_node("host", "h")
    for name in "abc":
        put_node("service", name)
        put_edge("host", "h", "RUNS", ("service", name))
    put_edge("host", "h", "KNOWS", ("service", "a"))
    drain()
    before = written(table)
    answer = put_state("h", "down")
    drain()
    after = written(table)
    changed = [kind for key, (kind, item) in after.items() if before.get(key) != (kind, item) and kind != "CARRIER"]
    assert sorted(changed) == ["ADJACENT"] * 3 + ["GRAPH_EDGE_IN"] * 3 + ["NODE"]
    assert charged(answer) == 3 + 3


def written(table: StreamedTable) -> dict[tuple[str, str], tuple[str, Any]]:
    return {(item["PK"]["S"], item["SK"]["S"]): (item["Type"]["S"], item) for item in table.all_items()}


def test_what_is_repeated_or_refused_is_free(table: StreamedTable) -> None:
    put_node("host", "h")
    with_edges(table, "out", "RUNS", 7)
    assert [charged(put_state("h", "up")) for _ in range(2)] == [14, 0]
    refused = put_state("none", "up")
    assert (refused.status, charged(refused)) == (404, 0)


def test_a_hub_is_paid_before_the_next_request(
    table: StreamedTable, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_node("host", "h")
    with_edges(table, "out", "RUNS", 100_000)
    monkeypatch.setenv("RATES", rates.to_text({rates.EVERYBODY: 50, "write": 200}))
    leasing.begin(monkeypatch)
    assert charged(put_state("h", "down")) == 200_000
    refused = put_state("h", "up")
    # So much time brings 200,000 units, but for the minute that everybody may owe; and what was leased in advance.
    assert refused.status == 429
    assert int(refused.headers["Retry-After"]) == pytest.approx(200_000 / 200 - 60, abs=5)
    clock.now += (int(refused.headers["Retry-After"]) + 1) * SECOND
    assert put_state("h", "up").status == 200


def test_no_more_is_charged_than_the_stream_tells(table: StreamedTable) -> None:
    put_node("host", "h")
    with_edges(table, "out", "RUNS", 3_000_000)
    assert charged(put_state("h", "down")) == 2 * 1_000_000


def test_who_deletes_a_hub_pays_for_what_the_cascade_removes(
    drain: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One step of 49 edges is done by the request itself; whoever comes later pays for the next one alone.

    Later the indexer removes the note for search, which is one unit.
    """
    put_node("person", "hub")
    for number in range(110):
        put_node("person", f"{number}")
        put_edge("person", "hub", "KNOWS" if number % 2 else "LIKES", ("person", f"{number}"))
    drain()
    monkeypatch.setattr(cleanup, "STEPS", 1)
    answers = [WRITER.call(f"DELETE {NODE}", type="person", id="hub") for _ in range(2)]
    assert [(answer.status, charged(answer)) for answer in answers] == [(202, 1 + (110 - 49) * 5), (202, 0)]


def test_what_one_request_removes_is_charged_as_it_is_done() -> None:
    put_node("person", "hub")
    put_node("person", "other")
    put_edge("person", "hub", "KNOWS", ("person", "other"))
    answer = WRITER.call(f"DELETE {NODE}", type="person", id="hub")
    assert (answer.status, charged(answer)) == (204, 1), "the removal of the note for search"
