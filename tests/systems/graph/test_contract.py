"""Nodes, edges, search and deletes on every engine; deletes that die at any write."""

from collections import defaultdict
from decimal import Decimal
from typing import Any

import pytest

from edgewise.aggregates.effects import Effect
from edgewise.aggregates.keys import AggregateId
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.queries import KeyCondition
from edgewise.dynamodb.writes import Put
from edgewise.errors import ConcurrentChangeError, NotFoundError
from edgewise.pending import Pending
from edgewise.stream import writer
from edgewise.stream.changes import effects
from functions.catalog import CATALOG, FOLLOW_UPS
from functions.errors import BeingDeletedError
from functions.systems.graph import cleanup as graph_cleanup
from functions.systems.graph import codec as graph_codec
from functions.systems.graph import dangling
from functions.systems.graph import keys as graph_keys
from functions.systems.graph import patterns as graph_patterns
from functions.systems.graph import store as graph
from functions.systems.graph.entity import Attribute, GraphEdge, NodeId
from tests.delivery.stories.graph import STORY, facts
from tests.support.crashes import dying_at
from tests.support.streams import Recording

NOW, LATER = 1_535_544_000_000, 1_535_544_001_000
HUB, BOB, CYD = (NodeId("person", name) for name in ("hub", "bob", "cyd"))
BORN = Attribute("born", ("1971-12-21",))
SKILL = Attribute("skill", ("DynamoDB",))
PLACE = Attribute("lives_in", ("US", "Washington", "Seattle"))


STORED = ("NODE", "NODE_ATTRIBUTE", "GRAPH_EDGE", "GRAPH_EDGE_IN")


def edge(source: NodeId, label: str, target: NodeId, weight: int = 1) -> GraphEdge:
    return GraphEdge(source, label, target, Decimal(weight))


def raw(table: Recording) -> list[Item]:
    """What applications have stored, in order."""
    found = [item for item in table.all_items() if item["Type"]["S"] in STORED]
    return sorted(found, key=lambda item: (item["PK"]["S"], item["SK"]["S"]))


def absorb(table: Recording, records: list[Any]) -> None:
    batch: defaultdict[AggregateId, list[Effect]] = defaultdict(list)
    for record in records:
        for aggregate_id, effect in effects(CATALOG, record).items():
            batch[aggregate_id].append(effect)
    writer.apply(table, "shard", batch)


def settle(table: Recording, *, again: int = 1) -> int:
    """Let both readers of the stream see everything it holds, and what they write themselves; how often they had to."""
    (shard,) = table.shards.values()
    rounds = 0
    while shard:
        records, shard[:] = list(shard), []
        absorb(table, records)
        for _ in range(again):
            FOLLOW_UPS.finish(table, all_pending(records))
        rounds += 1
    return rounds


def all_pending(records: list[Any]) -> list[Pending]:
    """What the records ask the cascade for."""
    return [pending for record in records if (pending := FOLLOW_UPS.pending(record))]


@pytest.fixture
def people(engine: Recording, monkeypatch: pytest.MonkeyPatch) -> Recording:
    """A hub with three attributes, five edges in each direction and one to itself; one edge beside it."""
    monkeypatch.setattr(writer, "WRITERS", 1)  # the stream's records in a known order
    monkeypatch.setattr(graph_cleanup, "_PER_STEP", 3)
    monkeypatch.setattr(graph_cleanup, "_EDGES_PER_STEP", 3)
    graph.put_node(engine, HUB, [BORN, SKILL, PLACE], NOW)
    for node in (BOB, CYD):
        graph.put_node(engine, node, [SKILL], NOW)
        for label in ("A", "B"):
            graph.put_edge(engine, edge(HUB, label, node))
            graph.put_edge(engine, edge(node, label, HUB))
    graph.put_edge(engine, edge(HUB, "A", HUB))
    graph.put_edge(engine, edge(BOB, "A", CYD, 5))
    return engine


LEFT = [("bob", "A", "cyd", Decimal(5))]


def assert_gone(table: Recording) -> None:
    """Nothing of the hub is left on either side but its version, for a day. The rest is as it was, and exact."""
    (mark,) = (item for item in raw(table) if "Deleting" in item)
    assert graph_codec.node(mark).forgotten is not None
    assert [item["SK"]["S"] for item in raw(table) if item != mark] == [
        *("EDGE#A#person#cyd", "NODE", "NODE#skill#DynamoDB"),
        *("FROM#A#person#bob", "NODE", "NODE#skill#DynamoDB"),
    ]
    assert STORY.actual(table.all_items()) == STORY.recount(facts(LEFT))


# The checkpoint, one step of attributes, two of edges that leave (five), two of edges that come (four): at 6 nobody
# dies.
@pytest.mark.parametrize("engine", ["dynamodb-local", "memory"], indirect=True)
@pytest.mark.parametrize("answer_lost", [False, True])
@pytest.mark.parametrize("write", range(7))
class TestADyingDelete:
    def test_is_finished_by_its_repetition(self, people: Recording, write: int, answer_lost: bool) -> None:
        with dying_at(people, write, answer_lost=answer_lost):
            graph_cleanup.delete_node(people, HUB)
        assert graph_cleanup.delete_node(people, HUB)
        settle(people)
        assert_gone(people)

    def test_is_finished_by_the_stream(self, people: Recording, write: int, answer_lost: bool) -> None:
        settle(people)
        with dying_at(people, write, answer_lost=answer_lost):
            graph_cleanup.delete_node(people, HUB)
        begun = write > 0 or answer_lost
        settle(people, again=2)
        if begun:
            assert_gone(people)
        else:
            assert len(graph.node(people, HUB)[1]) == 3

    def test_so_is_a_dying_cascade(self, people: Recording, write: int, answer_lost: bool) -> None:
        with dying_at(people, 0, answer_lost=True):
            graph_cleanup.delete_node(people, HUB)
        (shard,) = people.shards.values()
        with dying_at(people, write, answer_lost=answer_lost):
            FOLLOW_UPS.finish(people, all_pending(shard[-1:]))
        settle(people)
        assert_gone(people)

    def test_is_overtaken_by_who_makes_the_node_anew(self, people: Recording, write: int, answer_lost: bool) -> None:
        with dying_at(people, write, answer_lost=answer_lost):
            graph_cleanup.delete_node(people, HUB)
        begun = write > 0 or answer_lost
        graph.put_node(people, HUB, [BORN], LATER)
        graph.put_edge(people, edge(HUB, "NEW", BOB))
        settle(people, again=2)
        assert graph.node(people, HUB)[1] == [BORN]
        labels = [graph_codec.edge(item).label for item in people.query(graph_patterns.edges(HUB, "out")).items]
        assert labels == (["NEW"] if begun else ["A", "A", "A", "B", "B", "NEW"])
        assert len(people.query(graph_patterns.edges(HUB, "in")).items) == (0 if begun else 5)


class TestDeleting:
    def test_nobody_sees_a_marked_node_or_joins_it(self, people: Recording) -> None:
        with dying_at(people, 0, answer_lost=True):
            graph_cleanup.delete_node(people, HUB)
        with pytest.raises(NotFoundError):
            graph.node(people, HUB)
        with pytest.raises(NotFoundError):
            graph.require(people, HUB)
        for new in (edge(HUB, "C", BOB), edge(BOB, "C", HUB), edge(HUB, "C", HUB)):
            with pytest.raises(NotFoundError, match="person/hub"):
                graph.put_edge(people, new)

    def test_what_is_not_there_is_deleted(self, engine: Recording) -> None:
        assert graph_cleanup.delete_node(engine, HUB)
        assert engine.all_items() == []

    def test_a_call_takes_some_steps_and_the_stream_the_others(
        self, people: Recording, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settle(people)
        monkeypatch.setattr(graph_cleanup, "STEPS", 1)
        assert not graph_cleanup.delete_node(people, HUB)
        with pytest.raises(BeingDeletedError):
            graph.put_node(people, HUB, [], NOW)
        # Five steps were needed; two are done. Each of the stream's runs takes one; the last finds nothing.
        assert settle(people) == 4 + 1
        assert_gone(people)

    def test_a_node_made_anew_is_out_of_reach_for_who_comes_late(self, people: Recording) -> None:
        """Somebody still deletes by what they saw while the same node is deleted and made anew."""
        (shard,) = people.shards.values()
        graph_cleanup.delete_node(people, HUB)
        late = all_pending(shard)
        settle(people)
        graph.put_node(people, HUB, [BORN], LATER)
        graph.put_edge(people, edge(HUB, "A", BOB))
        before = raw(people)
        FOLLOW_UPS.finish(people, late)
        assert raw(people) == before

    def test_a_change_at_the_same_time_is_told(self, people: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
        found = people.get(graph_keys.NODE_ITEM(HUB))
        graph.put_node(people, HUB, [], NOW)
        monkeypatch.setattr(people, "get", lambda _: found)
        with pytest.raises(ConcurrentChangeError):
            graph_cleanup.delete_node(people, HUB)


class TestNodes:
    def test_attributes_are_replaced_in_one_transaction(self, engine: Recording) -> None:
        graph.put_node(engine, HUB, [BORN, SKILL], NOW)
        with dying_at(engine, 0):
            graph.put_node(engine, HUB, [PLACE], NOW)
        assert graph.node(engine, HUB)[1] == [BORN, SKILL]
        graph.put_node(engine, HUB, [PLACE, SKILL], NOW)
        assert graph.node(engine, HUB)[1] == [PLACE, SKILL]
        assert [item["SK"]["S"] for item in raw(engine)] == [
            *("NODE", "NODE#lives_in#US#Washington#Seattle", "NODE#skill#DynamoDB")
        ]

    def test_the_fullest_change_fits_a_transaction(self, engine: Recording) -> None:
        for some in range(2):
            wanted = [Attribute("skill", (f"{some} {number}",)) for number in range(40)]
            graph.put_node(engine, HUB, wanted, NOW)
            assert set(graph.node(engine, HUB)[1]) == set(wanted)

    def test_of_two_at_once_one_is_told(self, engine: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
        graph.put_node(engine, HUB, [BORN], NOW)
        before = engine.query(graph_patterns.node(HUB))
        graph.put_node(engine, HUB, [SKILL], NOW)
        with monkeypatch.context() as patch:
            patch.setattr(engine, "query", lambda _: before)
            with pytest.raises(ConcurrentChangeError):
                graph.put_node(engine, HUB, [PLACE], NOW)
        assert graph.node(engine, HUB)[1] == [SKILL]


class TestEdges:
    def test_both_decoders_agree(self, people: Recording) -> None:
        """An edge is the same from its source and from its target."""
        whole = GraphEdge(BOB, "A", CYD, Decimal("2.50"), '{"a":1}')
        graph.put_edge(people, whole)
        for query in (graph_patterns.edges(BOB, "out", "A"), graph_patterns.edges(CYD, "in", "A")):
            found = [graph_codec.edge(item) for item in people.query(query).items]
            assert whole in found
        assert [whole.other("out"), whole.other("in")] == [CYD, BOB]

    def test_of_two_missing_nodes_one_is_named(self, engine: Recording) -> None:
        with pytest.raises(NotFoundError, match="person/bob"):
            graph.put_edge(engine, edge(BOB, "A", CYD))
        assert engine.all_items() == []

    @pytest.mark.parametrize(
        ("direction", "label", "found"),
        [("out", None, 5), ("out", "A", 3), ("in", None, 5), ("in", "A", 3), ("in", "", 0)],
    )
    def test_by_direction_and_label(self, people: Recording, direction: Any, label: str | None, found: int) -> None:
        assert len(people.query(graph_patterns.edges(HUB, direction, label)).items) == found

    def test_degrees_are_ranked_by_number_and_by_weight(self, people: Recording) -> None:
        settle(people)
        edges = facts(
            [
                *(("hub", label, name, Decimal(1)) for label in "AB" for name in ("bob", "cyd")),
                *((name, label, "hub", Decimal(1)) for label in "AB" for name in ("bob", "cyd")),
                ("hub", "A", "hub", Decimal(1)),
                *LEFT,
            ]
        )
        assert STORY.actual(people.all_items()) == STORY.recount(edges)


class TestDangling:
    """An edge whose put read its ends, and stood still while one of them was deleted."""

    @pytest.fixture
    def asleep(self, people: Recording) -> list[Any]:
        """The write of such a put, from Bob to the hub; everything else has settled, and the hub is gone."""
        settle(people)
        writes: list[Any] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(people, "put_many", writes.append)
            graph.put_edge(people, edge(BOB, "LATE", HUB))
        graph_cleanup.delete_node(people, HUB)
        settle(people)
        return writes

    def labels(self, table: Recording) -> list[str]:
        return [graph_codec.edge(item).label for item in table.query(graph_patterns.edges(BOB, "out")).items]

    def test_is_removed_by_the_stream(self, people: Recording, asleep: list[Any]) -> None:
        people.put_many(*asleep)
        assert self.labels(people) == ["A", "LATE"]
        settle(people, again=2)
        assert_gone(people)

    def test_is_removed_also_while_the_checkpoint_is_there(self, people: Recording, asleep: list[Any]) -> None:
        graph.put_node(people, HUB, [], LATER)
        graph_cleanup.delete_node(people, HUB)
        people.put_many(*asleep)
        remove(people, [edge(BOB, "LATE", HUB)])
        assert self.labels(people) == ["A"]

    def test_belongs_to_a_node_made_anew(self, people: Recording, asleep: list[Any]) -> None:
        graph.put_node(people, HUB, [], LATER)
        people.put_many(*asleep)
        settle(people)
        assert self.labels(people) == ["A", "LATE"]

    def test_who_removes_it_late_leaves_it_to_a_node_made_anew(self, people: Recording, asleep: list[Any]) -> None:
        """Between the look at the ends and the transaction the node is made, and the edge put, anew."""
        people.put_many(*asleep)
        real = people.transact

        def overtaken(actions: Any) -> None:
            people.transact = real  # type: ignore[method-assign]
            graph.put_node(people, HUB, [], LATER)
            graph.put_edge(people, edge(BOB, "LATE", HUB, 7))
            real(actions)

        people.transact = overtaken  # type: ignore[method-assign]
        settle(people)
        assert self.labels(people) == ["A", "LATE"]

    def test_is_removed_for_either_of_its_ends(self, people: Recording, asleep: list[Any]) -> None:
        """Both are gone; one is made anew before the transaction that checks it."""
        for first in (BOB, HUB):
            dangling_edge = edge(BOB, "LATE", HUB)
            people.write(Put(graph_codec.edge_item(dangling_edge)))
            graph_cleanup.delete_node(people, BOB)
            people.write(Put(graph_codec.edge_item(dangling_edge)))
            graph.put_node(people, first, [], LATER)
            dangling.remove(people, [dangling_edge], ())
            assert self.labels(people) == []
            graph_cleanup.delete_node(people, first)
            settle(people)

    def test_a_batch_takes_two_requests_and_what_is_swept_no_write(self, people: Recording, asleep: list[Any]) -> None:
        """Edges that share an end read it once, and the same edge may come more than once."""
        edges = [edge(BOB, "A", CYD), edge(BOB, "B", CYD), edge(BOB, "A", CYD, 2), edge(BOB, "A", HUB)]
        before = raw(people)
        people.usage.reset()
        remove(people, edges)
        if people.name != "Memory":  # which does not count
            assert people.usage.requests == 2
        assert raw(people) == before


def remove(table: Recording, edges: list[GraphEdge]) -> None:
    """As the cascade does it: their ends are read first."""
    dangling.remove(table, edges, dangling.living(table, (end for edge in edges for end in edge.ends)))


VALUES = ("", "#", "$", "A", "Aa", "Ab", "B", "Ba", "a", "é", "\U0010ffff", "\U0010ffff" * 200)


class TestSearch:
    @pytest.fixture
    def found(self, engine: Recording) -> Recording:
        for value in VALUES[1:]:
            graph.put_node(engine, NodeId("person", value), [Attribute("skill", (value,))], NOW)
        return engine

    def values(self, table: Recording, condition: KeyCondition, limit: int = 100, name: str = "skill") -> list[str]:
        found: list[str] = []
        after = None
        while True:
            page, after = graph.search(table, name, condition, limit, after)
            assert all(node.id == attribute.value[0] for node, attribute in page)
            found += [attribute.value[0] for _, attribute in page]
            if after is None:
                return found

    @pytest.mark.parametrize("limit", [1, 3, 100])
    def test_a_range_holds_its_first_and_not_its_last(self, found: Recording, limit: int) -> None:
        between = graph_patterns.with_values_between
        assert self.values(found, between((), ()), limit) == list(VALUES[1:])
        assert self.values(found, between(("Aa",), ("Ba",)), limit) == ["Aa", "Ab", "B"]
        assert self.values(found, between(("a",), ()), limit) == list(VALUES[8:])
        assert self.values(found, between((), ("A",)), limit) == ["#", "$"]
        assert self.values(found, between((), ()), limit, "name") == []

    def test_a_beginning(self, found: Recording) -> None:
        for text in VALUES[1:]:
            expected = [value for value in VALUES[1:] if value.startswith(text)]
            assert self.values(found, graph_patterns.with_beginning(text)) == expected
            assert self.values(found, graph_patterns.with_value((text,))) == [text]

    def test_a_place_ends_at_a_border(self, engine: Recording) -> None:
        places = [("US",), ("US", "TX"), ("US", "TX", "Houston"), ("US", "TXX"), ("US", "TX#"), ("USA", "TX")]
        for number, place in enumerate(places):
            graph.put_node(engine, NodeId("p", str(number)), [Attribute("lives_in", place)], NOW)

        def found(condition: KeyCondition) -> list[int]:
            return sorted(int(node.id) for node, _ in graph.search(engine, "lives_in", condition, 100, None)[0])

        assert found(graph_patterns.with_place(("US", "TX"))) == [1, 2]
        assert found(graph_patterns.with_value(("US", "TX"))) == [1]
        assert found(graph_patterns.with_place(("US",))) == [0, 1, 2, 3, 4]
        assert found(graph_patterns.with_value(("US",))) == [0]
        assert found(graph_patterns.with_values_between(("US", "TX"), ("US", "TXX"))) == [1, 2, 4]

    def test_nodes_with_the_same_value_and_one_nodes_many(self, engine: Recording) -> None:
        skills = [Attribute("skill", (value,)) for value in ("X", "Y")]
        for node in (BOB, CYD):
            graph.put_node(engine, node, [*skills, Attribute("name", ("X",))], NOW)
        hits, _ = graph.search(engine, "skill", graph_patterns.with_values_between(("X",), ()), 100, None)
        assert sorted(hits) == [(node, skill) for node in (BOB, CYD) for skill in skills]


def test_a_node_that_is_not_being_deleted_asks_for_nothing(engine: Recording) -> None:
    graph.put_node(engine, HUB, [BORN], NOW)
    (shard,) = engine.shards.values()
    assert [FOLLOW_UPS.pending(record) for record in shard] == [[], []]
    engine.write(Put({"PK": {"S": "NODE#person"}, "SK": {"S": "NODE"}, "Type": {"S": "NODE"}, "Version": {"N": "1"}}))
    with pytest.raises(Exception, match="not a key of kind NODE"):
        FOLLOW_UPS.pending(shard[-1])
