"""What DynamoDB's guide says of many-to-many relationships, claim by claim, asked of the API.

Source: Best practices for managing many-to-many relationships, in the Amazon DynamoDB Developer Guide. Each test names
the claim that it is about, in our words. What is said here once is tested in depth elsewhere.
"""

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from batch.folders import Folder
from batch.graph import neptune
from batch.reconcile import Declared, reconciled
from docs.patterns import example
from edgewise.dynamodb.attributes import key_of, n
from edgewise.dynamodb.keys import Key
from functions.systems.graph import keys, patterns
from functions.systems.graph.entity import NodeId
from functions.systems.graph.summary import Generation
from tests.batch.exporting import exported
from tests.support.http import Answer, Client
from tests.support.streams import PRESENT, StreamedTable
from tests.systems.graph.generations import current, person

WRITER, READER = Client("app", ("write",)), Client()
NODE, EDGE = "/graph/nodes/{type}/{id}", "/graph/edges/{type}/{id}/{label}/{target_type}/{target_id}"
AMY, BOB, CYD, DAN = (NodeId("person", name) for name in ("amy", "bob", "cyd", "dan"))
WEB, SHOP = NodeId("service", "web"), NodeId("business", "shop")
Settle = Callable[[], None]
pytestmark = pytest.mark.usefixtures("handlers")


def node(of: NodeId, **attributes: Any) -> None:
    body = {"attributes": [{"name": name, "value": value} for name, value in attributes.items()]}
    assert WRITER.call(f"PUT {NODE}", None, body, **of._asdict()).status == 200


def link(source: NodeId, label: str, target: NodeId, weight: int = 1) -> None:
    ids = {**source._asdict(), "label": label, "target_type": target.type, "target_id": target.id}
    assert WRITER.call(f"PUT {EDGE}", None, {"weight": weight}, **ids).status == 200


def of(node: NodeId, what: str, **query: str) -> Answer:
    return READER.call(f"GET {NODE}/{what}", query, **node._asdict())


def ids(edges: Any, end: str) -> list[str]:
    return [each[end]["id"] for each in edges]


@pytest.fixture
def friends(handlers: None, settle: Settle) -> Settle:
    """Amy and Bob both know Cyd, Cyd knows Dan, and Bob knows Amy."""
    for each in (AMY, BOB, CYD, DAN):
        node(each, name=each.id)
    for source, target in ((AMY, CYD), (BOB, CYD), (CYD, DAN), (BOB, AMY)):
        link(source, "KNOWS", target)
    settle()
    return settle


@pytest.mark.usefixtures("friends")
class TestAdjacencyLists:
    def test_an_entity_is_a_partition_and_an_edge_an_item_in_it_named_by_its_target(self, table: StreamedTable) -> None:
        """Top-level entities are partition keys; a relationship's sort key is the id of its target."""
        (item,) = table.query(patterns.edges(AMY, "out")).items
        assert (item["PK"], item["SK"]) == ({"S": keys.node(AMY)}, {"S": "EDGE#KNOWS#person#cyd"})

    def test_whatever_is_related_to_a_target_is_one_query(self) -> None:
        """Little duplication, and simple queries for all entities that have an edge to a target."""
        answer = of(CYD, "edges", direction="in")
        assert ids(answer.body["edges"], "source") == ["amy", "bob"]
        assert answer.cost[0] == 1


class TestBilling:
    @pytest.fixture(autouse=True)
    def billed(self, handlers: None, settle: Settle) -> None:
        """One bill is in two invoices, and one of these has another."""
        for bill, amount in (("b1", 80), ("b2", 20)):
            WRITER.call("PUT /bills/{bill}", None, {"amount": amount}, bill=bill)
        for invoice, bill in (("i1", "b1"), ("i1", "b2"), ("i2", "b1")):
            WRITER.call("PUT /invoices/{invoice}", None, {"customer": "acme"}, invoice=invoice)
            WRITER.call("PUT /invoices/{invoice}/bills/{bill}", invoice=invoice, bill=bill)
        settle()

    def test_an_invoice_has_attributes_and_an_item_for_each_of_its_bills(self) -> None:
        """The partition of an invoice has its own attributes, and one item for each bill, found by the primary key."""
        answer = READER.call("GET /invoices/{invoice}", invoice="i1")
        assert answer.body["details"]["customer"] == "acme"
        assert {each["bill"] for each in answer.body["bills"]} == {"b1", "b2"}
        assert answer.cost[0] == 1

    def test_a_bill_has_attributes_of_its_own(self) -> None:
        """The partition of a bill has what is said of the bill."""
        assert READER.call("GET /bills/{bill}", bill="b1").body["details"]["amount"] == 80

    def test_all_invoices_of_a_bill_are_one_query_of_an_index(self) -> None:
        """A global secondary index on the sort key finds them."""
        answer = READER.call("GET /bills/{bill}/invoices", bill="b1")
        assert set(answer.body["invoices"]) == {"i1", "i2"}
        assert answer.cost[0] == 1


@pytest.mark.usefixtures("friends")
class TestMaterializedGraphs:
    def test_rankings_among_peers(self) -> None:
        """Applications are built on rankings of peers."""
        top = READER.call("GET /graph/rankings/{label}", label="KNOWS").body["nodes"]
        assert [(each["id"], each["rank"], each["value"]) for each in top][:1] == [("cyd", 1, 2)]

    def test_common_relationships_between_entities(self) -> None:
        """They are built on what entities have in common."""
        route = f"GET {NODE}/common/{{other_type}}/{{other_id}}"
        found = READER.call(route, **AMY._asdict(), other_type="person", other_id="bob")
        assert [each["id"] for each in found.body["shared"]] == ["cyd"]

    def test_type_and_target_identify_an_edge(self) -> None:
        """An edge has the attributes Target and Type, which are composed to its key, in the table and in an index."""
        name = {**AMY._asdict(), "label": "KNOWS", "target_type": "person", "target_id": "cyd"}
        answer = READER.call(f"GET {EDGE}", **name)
        assert (answer.status, answer.cost[0]) == (200, 1)

    @pytest.mark.parametrize(
        ("name", "value", "found"),
        [
            ("born", "1971-05-13", {"begins_with": "1971"}),
            ("name", "Zoe", {"value": "Zoe"}),
            ("lives_in", ["DE", "Bonn"], {"value": "DE/Bonn"}),
            ("skill", "typing", {"begins_with": "typ"}),
        ],
    )
    def test_one_index_finds_dates_names_places_and_skills(self, name: str, value: Any, found: dict[str, str]) -> None:
        """The first index is overloaded with several kinds of attributes."""
        node(NodeId("person", "zoe"), **{name: value})
        answer = READER.call("GET /graph/search", {"name": name, **found})
        assert [each["id"] for each in answer.body["nodes"]] == ["zoe"]

    def test_great_aggregations_are_spread_over_logical_partitions(self, table: StreamedTable) -> None:
        """Sharding keeps sets of items with a great aggregation, such as a day of birth, from becoming hot."""
        table.put_many([example.widened(keys.attributes_of("born"), 2)])
        for number in range(12):
            node(NodeId("person", f"p{number}"), born="1971-05-13")
        partitions = {item["GSI1PK"]["S"] for item in table.all_items() if "1971" in item["SK"]["S"]}
        assert len(partitions) == 2
        answer = READER.call("GET /graph/search", {"name": "born", "value": "1971-05-13"})
        assert len(answer.body["nodes"]) == 12


class TestRealTimeAggregates:
    def test_the_states_of_adjacent_entities_and_their_edges_are_one_request(self, settle: Settle) -> None:
        """High-performance queries for aggregates of the state and the edges of adjacent entities."""
        incident(settle)
        of(WEB, "aggregates")  # which fill is the current one, a function remembers for ten seconds
        answer = of(WEB, "aggregates")
        edges = {each["label"]: each["edges"] for each in answer.body["aggregates"]}
        states = {each["label"]: each["states"] for each in answer.body["adjacent"]}
        assert (edges["RUNS"], states["RUNS"]) == (3, {"up": 2, "down": 1})
        assert answer.cost[0] == 1

    def test_second_and_third_levels(self, settle: Settle) -> None:
        """Real-time aggregates of relationships of the second and third level, as IT service management needs them."""
        incident(settle)
        found = READER.call(f"GET {NODE}", **SHOP._asdict()).body
        assert (found["state"], found["measures"]["hosts_down"]) == ("degraded", 1)

    @pytest.mark.usefixtures("friends")
    def test_recommendations(self) -> None:
        """For recommendation engines."""
        found = of(AMY, "recommendations", label="KNOWS").body["recommendations"]
        assert [each["id"] for each in found] == ["dan"]

    @pytest.mark.usefixtures("friends")
    def test_subtrees(self) -> None:
        """For aggregations of subtrees."""
        assert of(AMY, "subtree", label="KNOWS").body["below"]["nodes"] == 2

    @pytest.mark.usefixtures("friends")
    def test_node_rankings_and_edges_filled_by_a_scheduled_process(self, table: StreamedTable) -> None:
        """For node rankings; where real time does not matter, a scheduled job fills edges with summaries."""
        found = [person("amy", "0.2"), person("cyd", "0.5")]
        current(table, Generation("run", PRESENT), *found)
        top = READER.call("GET /graph/rankings/{label}", {"measure": "pagerank"}, label="*").body["nodes"]
        assert [each["id"] for each in top] == ["cyd", "amy"]
        (edge,) = of(AMY, "edges").body["edges"]
        assert edge["summary"]["pagerank"] == Decimal("0.5")

    def test_streams_and_lambda_process_updates_of_edges(self, friends: Settle) -> None:
        """DynamoDB Streams and Lambda keep some consistency."""
        link(DAN, "KNOWS", CYD, weight=4)
        friends()
        numbers = {each["direction"]: each for each in of(CYD, "aggregates").body["aggregates"]}
        assert (numbers["in"]["edges"], numbers["in"]["weight"]) == (3, 6)

    @pytest.mark.usefixtures("friends")
    def test_a_job_validates_the_results_at_intervals(self, table: StreamedTable, tmp_path: Path) -> None:
        """A job finds the one number that is wrong."""
        degree = next(item for item in table.all_items() if item["Type"]["S"] == "DEGREE")
        assert check(table, tmp_path / "before") == []
        table.put_many([degree | {"Cells": {"M": {"Edges": n(7)}}}])
        assert check(table, tmp_path / "after") == [key_of(degree)]

    @pytest.mark.usefixtures("friends")
    def test_whoever_needs_a_graph_database_takes_the_graph_there(self, table: StreamedTable) -> None:
        """For complex walks, Neptune: its bulk loader's files come from the same items."""
        assert len(list(neptune.edges(table.all_items()))) == 1 + 4


def check(table: StreamedTable, folder: Path) -> list[Key]:
    """The keys of the aggregates that are wrong."""
    items = [item for item in table.all_items() if item["PK"]["S"].startswith("NODE#")]
    found = reconciled(Declared(), exported(Folder(folder), items), None, lambda _: None)
    return [each.key for each in found.wrong]


def incident(settle: Settle) -> None:
    """One of three hosts of a service of a business is down."""
    for each in (WEB, SHOP):
        node(each)
    link(WEB, "PART_OF", SHOP)
    for number in range(3):
        host = NodeId("host", f"h{number}")
        node(host)
        link(host, "RUNS", WEB)
        state = {"state": "down" if number == 1 else "up", "measures": {"load": number}}
        assert WRITER.call(f"PUT {NODE}/state", None, state, **host._asdict()).status == 200
    settle()
