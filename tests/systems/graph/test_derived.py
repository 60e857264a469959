"""States that are derived: the rules, what declarations are refused, and what the routes say."""

import json
import re
from collections.abc import Callable
from decimal import Decimal
from itertools import chain
from typing import Any

import pytest

from edgewise import Cell
from edgewise.aggregates.checkpoints import REPAIRS, Checkpoint
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.measures import Observation
from edgewise.stream import writer
from functions.catalog import CATALOG
from functions.systems.graph.declared import DERIVED, LABELS, STATES, DeclarationError, Label, ranked
from functions.systems.graph.entity import NodeId, State
from functions.systems.graph.rules import Derived, at_least, in_state, share_of, sum_of, worst_of
from functions.systems.graph.system import ADJACENT
from ops.paths import ROOT
from tests.support.http import Answer, Client
from tests.support.streams import PRESENT, StreamedTable

WRITER, READER = Client("app", ("write",)), Client()
NODE = "/graph/nodes/{type}/{id}"


def cells(load: int = 0, **states: int) -> dict[str, Cell]:
    """Neighbours in these states, and the sum of their load."""
    return {f"State:{name}": Cell(count) for name, count in states.items()} | {"Measure:load": Cell(1, Decimal(load))}


@pytest.mark.parametrize(
    ("neighbours", "expected"),
    [
        (cells(), ""),
        (cells(up=3), "up"),
        (cells(up=2, down=1), "down"),
        (cells(up=2, degraded=1), "degraded"),
        (cells(up=1, odd=1), "up"),
        (cells(down=0), ""),
    ],
)
def test_the_worst_of_neighbours(neighbours: dict[str, Cell], expected: str) -> None:
    rule = Derived("RUNS", "in", worst_of("down", "degraded"), "up")
    assert rule.state(7, neighbours) == State(7, expected)


def test_the_first_condition_that_holds_counts() -> None:
    half = share_of(in_state("down"), Decimal("0.5"))
    two, busy = at_least(in_state("down", "degraded"), 2), at_least(sum_of("load"), Decimal("1.5"))
    rule = Derived("RUNS", "in", {"down": half, "degraded": two, "busy": busy}, "up")
    found = [cells(up=1, down=1), cells(up=9, down=1, degraded=1), cells(up=9, load=2), cells(up=9, load=1, down=1)]
    assert [rule.state(1, each).name for each in found] == ["down", "degraded", "busy", "up"]


def test_measures_are_numbers_of_the_neighbours() -> None:
    rule = Derived("RUNS", "in", {}, "up", {"load": sum_of("load"), "bad": in_state("down", "degraded")})
    assert rule.state(1, cells(up=1, down=2, load=5)).measures == (("bad", Decimal(2)), ("load", Decimal(5)))


@pytest.mark.parametrize(
    ("derived", "why"),
    [
        ({"service": Derived("KNOWS", "in", {}, "up")}, "derives its state along KNOWS"),
        ({"service": Derived("RUNS", "out", {}, "up")}, "derives its state along RUNS"),
        ({"host": Derived("A", "in", {}, "up")}, "of host is derived of its own"),
        ({"host": Derived("C", "in", {}, "up"), "box": Derived("B", "in", {}, "up")}, "is derived of its own"),
    ],
)
def test_a_state_that_would_turn_round_is_refused(derived: dict[str, Derived], why: str) -> None:
    labels = {
        **LABELS,
        "A": Label(ends=("host", "host"), tells=("in",)),
        "B": Label(ends=("host", "box"), tells=("in",)),
        "C": Label(ends=("box", "host"), tells=("in",)),
    }
    with pytest.raises(DeclarationError, match=why):
        ranked(derived, labels)


def test_levels_are_counted_from_what_is_said() -> None:
    rules = {"service": Derived("RUNS", "in", {}, "up"), "business": Derived("PART_OF", "in", {}, "up")}
    assert ranked(rules, LABELS) == {"service": 1, "business": 2}


def test_the_console_has_a_colour_for_each_state() -> None:
    """The best state of a type is well, and the worst is gone; what is in between is hurt."""
    page = (ROOT / "web/src/pages/graph/states.tsx").read_text()
    table = page.partition("HOW_BAD")[2].partition("};")[0]
    told = dict(re.findall(r'(\w+): "(\w+)"', table))
    expected = {
        state: "well" if state == of.states[0] else "gone" if state == of.states[-1] else "hurt"
        for of in STATES.values()
        for state in of.states
    }
    assert told == expected
    assert {*chain.from_iterable(rule.states for rule in DERIVED.values())} <= told.keys()


def put(path: str, body: Any, **ids: str) -> Answer:
    return WRITER.call(f"PUT {path}", None, body, **ids)


def link(source: tuple[str, str], label: str, target: tuple[str, str]) -> Answer:
    ids = {"type": source[0], "id": source[1], "label": label, "target_type": target[0], "target_id": target[1]}
    return put("/graph/edges/{type}/{id}/{label}/{target_type}/{target_id}", {}, **ids)


def say(host: str, state: str, **measures: float) -> Answer:
    return put(f"{NODE}/state", {"state": state, "measures": measures}, type="host", id=host)


@pytest.fixture
def incident(handlers: None, settle: Callable[[], None]) -> Callable[[], None]:
    """Three hosts run a service of a business; one of them is down."""
    for kind, name in (("service", "web"), ("business", "shop"), *(("host", f"h{n}") for n in range(3))):
        assert put(NODE, {"attributes": []}, type=kind, id=name).status == 200
    for number in range(3):
        assert link(("host", f"h{number}"), "RUNS", ("service", "web")).status == 200
        assert say(f"h{number}", "down" if number == 1 else "up", load=number + 0.5).status == 200
    assert link(("service", "web"), "PART_OF", ("business", "shop")).status == 200
    settle()
    return settle


def adjacent(kind: str, name: str) -> Any:
    (found,) = READER.call(f"GET {NODE}/aggregates", type=kind, id=name).body["adjacent"]
    assert found.pop("changed_at")
    return found


def node(kind: str, name: str) -> Any:
    found = READER.call(f"GET {NODE}", type=kind, id=name).body
    return found["state"], found["measures"]


@pytest.mark.usefixtures("incident")
def test_one_of_three_hosts_that_is_down_degrades_the_business() -> None:
    assert adjacent("service", "web") == {
        "direction": "in",
        "label": "RUNS",
        "states": {"up": 2, "down": 1},
        "measures": {
            "load": {"count": 3, "sum": Decimal("4.5"), "mean": 1.5, "min": Decimal("0.5"), "max": Decimal("2.5")}
        },
    }
    assert node("service", "web") == ("degraded", {"hosts_down": 1, "load": Decimal("4.5")})
    assert adjacent("business", "shop")["states"] == {"degraded": 1}
    assert node("business", "shop") == ("degraded", {"hosts_down": 1})


def test_all_is_well_again_when_it_is_up(incident: Callable[[], None]) -> None:
    say("h1", "up", load=0)
    incident()
    assert node("service", "web") == ("up", {"hosts_down": 0, "load": 3})
    assert node("business", "shop") == ("up", {"hosts_down": 0})
    assert adjacent("service", "web")["measures"]["load"]["min"] == 0


def test_a_host_that_goes_counts_no_more(incident: Callable[[], None]) -> None:
    WRITER.call(f"DELETE {NODE}", type="host", id="h1")
    incident()
    assert node("business", "shop") == ("up", {"hosts_down": 0})


@pytest.mark.usefixtures("incident")
def test_a_plan_that_adds_to_what_is_counted_derives_the_state_anew(table: StreamedTable) -> None:
    """In a plan, and wherever names are stored, a node is plain values."""
    web = CATALOG.named(json.loads(json.dumps(ADJACENT(NodeId("service", "web"), "in", "RUNS").plain)))
    writer.apply(table, REPAIRS, {web: [Effect(Checkpoint(PRESENT, PRESENT), {"State:down": Observation()}, {})]})
    assert node("service", "web") == ("degraded", {"hosts_down": 2, "load": Decimal("4.5")})


@pytest.mark.usefixtures("incident")
def test_an_edge_shows_the_state_of_its_neighbour_from_the_end_that_counts_it() -> None:
    edges = READER.call(f"GET {NODE}/edges", {"direction": "in"}, type="service", id="web").body["edges"]
    assert [each["neighbour"]["state"] for each in edges] == ["up", "down", "up"]
    (edge,) = READER.call(f"GET {NODE}/edges", type="host", id="h1").body["edges"]
    assert edge["neighbour"] is None


@pytest.mark.usefixtures("handlers")
class TestRefusals:
    def test_a_state_that_is_not_declared(self) -> None:
        assert say("h", "asleep", mood=1).fields == ["state", "measures.mood"]

    @pytest.mark.parametrize(
        ("kind", "why"), [("service", "follows from that of its neighbours"), ("person", "no state")]
    )
    def test_a_type_of_which_nothing_is_said(self, kind: str, why: str) -> None:
        answer = put(f"{NODE}/state", {"state": "up"}, type=kind, id="x")
        assert (answer.status, answer.fields) == (400, ["type"])
        assert why in answer.body["errors"][0]["error"]

    def test_a_node_that_is_not_there(self) -> None:
        assert say("h", "up").status == 404

    def test_an_edge_between_other_types(self) -> None:
        answer = link(("person", "amy"), "RUNS", ("service", "web"))
        assert (answer.status, answer.fields) == (400, ["label"])
