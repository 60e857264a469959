"""Access patterns of the graph."""

from decimal import Decimal
from itertools import chain
from typing import Final

from docs.patterns import example
from docs.patterns.pattern import Read, Write
from edgewise.dynamodb.queries import KeyCondition
from edgewise.dynamodb.table import Table
from edgewise.times import from_rfc_3339
from functions.systems.graph import codec as graph_codec
from functions.systems.graph import keys as graph_keys
from functions.systems.graph import patterns as graph_patterns
from functions.systems.graph import states, summary_codec
from functions.systems.graph.entity import Attribute, GraphEdge, Node, NodeId, State
from functions.systems.graph.summary import Generation, Level, Progress, Similar, Summary

_AMY, _BOB = NodeId("person", "amy"), NodeId("person", "bob")
_NODE: Final = {"type": "person", "id": "amy"}
_EDGE: Final = _NODE | {"label": "KNOWS", "target_type": "person", "target_id": "bob"}
_BORN, _SKILL = Attribute("born", ("1971-12-21",)), Attribute("skill", ("DynamoDB",))
_PLACE = Attribute("lives_in", ("US", "Washington", "Seattle"))
# In the second shard: a query that finds nothing would cost nothing here.
_BOB_BORN = Attribute("born", ("1971-12-01",))
_OOLONG, _CATEGORY = NodeId("product", "oolong"), Attribute("category", ("tea",))
_BOUGHT = GraphEdge(_AMY, "BOUGHT", _OOLONG, Decimal(1), '{"on":"2018-08-29"}')
_HOST, _WEB, _UP = NodeId("host", "h1"), NodeId("service", "web"), State(2, "up", (("load", Decimal("0.5")),))
_RUN, _RUN_BY = graph_codec.edge_items(GraphEdge(_HOST, "RUNS", _WEB, Decimal(1)))
# The shards of the list of each attribute.
_SHARDS: Final = {"born": 2, "skill": 1, "lives_in": 1, "category": 1}


_FILL: Final = Generation("20180829T114500Z", from_rfc_3339("2018-08-29T11:45:00.000Z"))
_NEAR, _FAR = Level(1, False, 2, Decimal(4)), Level(0, False, 0, Decimal(0))
_SUMMARY = Summary(_AMY, Decimal("0.5"), _AMY, 2, _NEAR, _FAR, (Similar("person", "eve", 0.91, 1),))
_FILLED = (
    summary_codec.generation_item(_FILL),
    summary_codec.summary_item(_FILL, _SUMMARY),
    summary_codec.ranked_item(_FILL, _SUMMARY),
    summary_codec.progress_item(_FILL, "part-00000.gz", Progress(2, whole=True)),
)


def _people(table: Table) -> None:
    """Amy and Bob, who know each other, and what a fill computed of Amy."""
    nodes = [graph_codec.node_item(Node(of, version=1)) for of in (_AMY, _BOB)]
    attributes = [graph_codec.attribute_item(_AMY, each) for each in (_BORN, _SKILL, _PLACE)]
    attributes.append(graph_codec.attribute_item(_BOB, _BOB_BORN, 2))
    attributes += [graph_codec.node_item(Node(_OOLONG, version=1)), graph_codec.attribute_item(_OOLONG, _CATEGORY)]
    ends = ((_AMY, _BOB), (_BOB, _AMY))
    known = [GraphEdge(one, "KNOWS", other, Decimal(2)) for one, other in ends]
    edges = chain.from_iterable(map(graph_codec.edge_items, [*known, _BOUGHT]))
    machines = [graph_codec.node_item(Node(_HOST, 2, _UP)), graph_codec.node_item(Node(_WEB, 1))]
    run = [_RUN, states.telling(_RUN_BY, _UP)]
    histories = [example.widened(graph_keys.attributes_of(name), number) for name, number in _SHARDS.items()]
    example.store(table, *histories, *nodes, *attributes, *edges, *machines, *run, *_FILLED)


def _search(title: str, name: str, asked: dict[str, str], condition: KeyCondition) -> Read:
    """A search for nodes by an attribute: the history of its list, and a query for each shard."""
    of, shards = graph_keys.attributes_of(name), _SHARDS[name]
    return Read(
        title,
        "GET /graph/search",
        {},
        {"name": name} | asked,
        [example.history(of), *graph_patterns.search(of.shards(shards), condition)],
        units=1 + shards / 2,
        bound=example.BOUND,
        given=_people,
    )


READS = (
    Read(
        "a node and its attributes",
        "GET /graph/nodes/{type}/{id}",
        _NODE,
        {},
        [graph_patterns.node(_AMY)],
        units=0.5,
        given=_people,
    ),
    Read(
        "the edges that leave a node",
        "GET /graph/nodes/{type}/{id}/edges",
        _NODE,
        {"label": "KNOWS"},
        [graph_patterns.edges(_AMY, "out", "KNOWS")],
        units=0.5,
        given=_people,
    ),
    Read(
        "the edges that point at a node",
        "GET /graph/nodes/{type}/{id}/edges",
        _NODE,
        {"direction": "in"},
        [graph_patterns.edges(_AMY, "in")],
        units=0.5,
        given=_people,
    ),
    Read(
        "who bought a product in a month: edges by what their data say",
        "GET /graph/nodes/{type}/{id}/edges",
        {"type": _OOLONG.type, "id": _OOLONG.id},
        {"direction": "in", "label": _BOUGHT.label, "begins_with": "2018-08"},
        [graph_patterns.edges_found(_OOLONG, "in", _BOUGHT.label, graph_patterns.with_beginning("2018-08"))],
        units=0.5,
        given=_people,
    ),
    Read(
        "one edge",
        "GET /graph/edges/{type}/{id}/{label}/{target_type}/{target_id}",
        _EDGE,
        {},
        [graph_keys.EDGE(_AMY, "KNOWS", _BOB)],
        units=1,
        given=_people,
    ),
    Read(
        "what two nodes have in common: the edges between them, and the neighbours of both",
        "GET /graph/nodes/{type}/{id}/common/{other_type}/{other_id}",
        _NODE | {"other_type": _BOB.type, "other_id": _BOB.id},
        {},
        [graph_patterns.neighbourhood(_AMY), graph_patterns.neighbourhood(_BOB)],
        units=2,
        bound="2 for nodes with up to 500 edges, 4 with more: 1,000 of a node's edges are read",
        given=_people,
    ),
    Read(
        "how many edges a node has, their weights and last change; its component, PageRank and reach as of a fill",
        "GET /graph/nodes/{type}/{id}/aggregates",
        _NODE,
        {},
        [graph_keys.CURRENT, graph_patterns.summary_and_degrees(_AMY, _FILL.run)],
        units=1.5,
        bound="1, and 1 per 10 s for which fill is current",
        given=_people,
    ),
    Read(
        "how many edges of a label a node has, day by day, and their weights",
        "GET /graph/nodes/{type}/{id}/days",
        _NODE,
        {"label": "BOUGHT", "from": "2018-08-01", "to": "2018-09-01"},
        [graph_patterns.degrees_on(_AMY, "out", "BOUGHT", "2018-08-01", "2018-08-31")],
        units=0.5,
        given=_people,
    ),
    _search("people with this skill", "skill", {"value": "DynamoDB"}, graph_patterns.with_value(("DynamoDB",))),
    _search("all products of a category", "category", {"value": "tea"}, graph_patterns.with_value(("tea",))),
    _search(
        "people who live at a place or below",
        "lives_in",
        {"begins_with": "US/Washington"},
        graph_patterns.with_place(("US", "Washington")),
    ),
    _search(
        "people who were born in a year, a month or on a day",
        "born",
        {"begins_with": "1971"},
        graph_patterns.with_beginning("1971"),
    ),
    _search(
        "people who were born in a range of days",
        "born",
        {"from": "1971-12", "to": "1972"},
        graph_patterns.with_values_between(("1971-12",), ("1972",)),
    ),
)

WRITES = (
    Write(
        "store a node with its attributes",
        "PUT /graph/nodes/{type}/{id}",
        _NODE,
        {"attributes": [{"name": "skill", "value": "DynamoDB"}]},
        {"Query": 1, "BatchGetItem": 1, "TransactWriteItems": 1},
        "2 for the node; 3 per attribute added or removed (2 for the item, 1 for its entry in GSI1); the histories of "
        "the lists are read at most once in 10 s",
    ),
    Write(
        "say how a node is",
        "PUT /graph/nodes/{type}/{id}/state",
        {"type": "host", "id": "h1"},
        {"state": "down"},
        {"BatchGetItem": 1, "PutItem": 1},
        "1; and, by the stream, 2 per edge along which the label tells it: they are charged, too",
        given=_people,
    ),
    Write(
        "delete a node",
        "DELETE /graph/nodes/{type}/{id}",
        _NODE,
        None,
        {"GetItem": 1, "Query": 3, "TransactWriteItems": 4},
        "5: the mark, and a note for search, in a transaction, and later its removal; 3 per attribute, 4 per edge with "
        "its mirror; 2 per step of 99 attributes or 49 edges: 20 steps per call, the cascade does the rest",
        given=_people,
    ),
    Write(
        "store an edge",
        "PUT /graph/edges/{type}/{id}/{label}/{target_type}/{target_id}",
        _EDGE,
        {"weight": 3},
        {"BatchGetItem": 1, "BatchWriteItem": 1},
        "2: the edge and its mirror; 1 more for each entry by its data that its label declares",
        given=_people,
    ),
    Write(
        "remove an edge",
        "DELETE /graph/edges/{type}/{id}/{label}/{target_type}/{target_id}",
        _EDGE,
        None,
        {"DeleteItem": 2},
        "2: the edge and its mirror",
        given=_people,
    ),
)
