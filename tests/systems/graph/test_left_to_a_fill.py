"""Nodes with more neighbours than the stream should tell of them: a fill tells the others, and an answer says so."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from edgewise.errors import OutOfTimeError
from functions.systems.graph import cleanup, codec, keys, passes, publishing, store, telling
from functions.systems.graph.entity import GraphEdge, NodeId
from tests.support.http import Client
from tests.support.streams import StreamedTable
from tests.systems.graph.generations import FIRST, LATER, person

HOST, READER = NodeId("host", "h"), Client()
SERVICES = [NodeId("service", name) for name in "abcdef"]
LEFT, UNDER_WAY = ({"direction": "out", "label": "RUNS", "by": by} for by in ("fill", "stream"))


@pytest.fixture(autouse=True)
def six(table: StreamedTable, handlers: None, settle: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """A host runs six services. The stream tells at most four of them what it is, two with each step; a fill, too."""
    for module, name, value in ((telling, "AT_ONCE", 2), (telling, "STEP", 2), (passes, "MOST", 4)):
        monkeypatch.setattr(module, name, value)
    for node in (HOST, *SERVICES):
        store.put_node(table, node, [], 1)
    for service in SERVICES:
        store.put_edge(table, GraphEdge(HOST, "RUNS", service, Decimal(1)))
    settle()


@pytest.fixture
def say(table: StreamedTable, settle: Callable[[], None]) -> Callable[[str], None]:
    def said(state: str) -> None:
        store.put_state(table, HOST, state, {})
        settle()

    return said


def telling_of(node: NodeId) -> Any:
    return READER.call("GET /graph/nodes/{type}/{id}", type=node.type, id=node.id).body["telling"]


def told(table: StreamedTable) -> list[str]:
    mirrors = [table.get(keys.mirror(HOST, "RUNS", service)) or {} for service in SERVICES]
    return [codec.state(mirror).name for mirror in mirrors]


def fill(table: StreamedTable, steps: int = 99, run: Any = FIRST) -> None:
    """A fill that is asked so often whether it may go on."""
    summary, looks = replace(person("x"), node=HOST), iter(range(1, 100))
    publishing.publish(table, run, "part", lambda start: [summary][start:], lambda: next(looks) < steps)


def test_the_stream_tells_some_and_leaves_the_others(table: StreamedTable, say: Callable[[str], None]) -> None:
    say("down")
    assert told(table) == ["down"] * 4 + [""] * 2
    assert telling_of(HOST) == [LEFT]


def test_a_fill_tells_the_others(table: StreamedTable, say: Callable[[str], None], settle: Callable[[], None]) -> None:
    say("down")
    fill(table)
    assert told(table) == ["down"] * 6
    settle()
    assert telling_of(HOST) == []
    assert READER.call("GET /graph/nodes/{type}/{id}/aggregates", type="service", id="f").body["adjacent"][0][
        "states"
    ] == {"down": 1}


def test_changes_do_not_give_the_stream_more(table: StreamedTable, say: Callable[[str], None]) -> None:
    for state in ("down", "up", "degraded"):
        say(state)
    assert told(table) == ["down"] * 4 + [""] * 2
    fill(table)
    assert told(table) == ["degraded"] * 6


def test_a_change_on_the_way_is_left_to_the_next_fill(table: StreamedTable, say: Callable[[str], None]) -> None:
    say("down")
    under_way = telling.take_over(table, [HOST])
    next(under_way)
    say("up")
    list(under_way)
    assert told(table) == ["down"] * 2 + ["up"] * 4
    assert telling_of(HOST) == [LEFT]
    fill(table)
    assert told(table) == ["up"] * 6
    assert telling_of(HOST) == []


def test_a_fill_without_time_begins_the_node_again(table: StreamedTable, say: Callable[[str], None]) -> None:
    say("down")
    for steps in (1, 2):
        with pytest.raises(OutOfTimeError):
            fill(table, steps)
    assert told(table) == ["down"] * 4 + [""] * 2
    assert telling_of(HOST) == [LEFT]
    fill(table)
    assert told(table) == ["down"] * 6


def test_a_pass_of_the_stream_is_not_taken_over(table: StreamedTable) -> None:
    store.put_state(table, HOST, "down", {})
    telling.tell(table, [HOST])
    assert telling_of(HOST) == [UNDER_WAY]
    assert list(telling.take_over(table, [HOST])) == []
    assert telling_of(HOST) == [UNDER_WAY]


def test_a_node_that_goes_leaves_nothing(
    table: StreamedTable, say: Callable[[str], None], settle: Callable[[], None]
) -> None:
    say("down")
    cleanup.delete_node(table, HOST)
    settle()
    fill(table, run=LATER)
    assert table.get(keys.PASSING(HOST, "out", "RUNS")) is None
