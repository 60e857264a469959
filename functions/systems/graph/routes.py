"""The graph: nodes, edges, their aggregates, and searches for nodes by their attributes."""

from dataclasses import astuple
from datetime import date
from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Path, Query

from edgewise import clock
from functions.systems.graph import cleanup, codec, common, numbers, patterns, store
from functions.systems.graph.entity import OUT, Direction, GraphEdge, NodeId
from functions.systems.graph.models import (
    AttributeName,
    CommonOut,
    DailyLabel,
    Deletion,
    EdgeFound,
    EdgeIn,
    EdgeOut,
    EdgesOut,
    Hit,
    HitsOut,
    NodeIn,
    NodeOut,
    StateIn,
    StateOut,
)
from functions.systems.graph.number_models import DayOut, DaysOut, DegreesOut
from functions.systems.graph.searching import Search, days_between, form_of_attribute, form_of_edges
from functions.systems.graph.system import ADJACENT, DEGREE, DEGREE_ON, NUMBERS_CHANGE, SYSTEM
from functions.systems.graph.values import check_data, check_ends, check_state
from functions.web import answers, http, runtime
from functions.web.fields import Name, PathId, PathName, SpelledId, SpelledName
from functions.web.paging import DEFAULT_LIMIT, CursorText, Limit, Paging, items_page

app = http.resolver(SYSTEM)

_Type = Annotated[SpelledName, Path(alias="type")]
_Id = Annotated[SpelledId, Path(alias="id")]
_From = Annotated[str | None, Query(alias="from", description="this value or a greater one")]
_To = Annotated[str | None, Query(alias="to", description="before this value")]
_FromDay = Annotated[date, Query(alias="from", description="this day or a later one")]
_ToDay = Annotated[date, Query(alias="to", description="before this day")]
_Text = Annotated[str | None, Query(description="of a place: components joined by /, spelled as in a path")]


@http.route(
    app,
    "PUT /graph/nodes/{type}/{id}",
    "Give a node exactly these attributes; creates it if necessary",
    responses=answers.described(NodeOut) | answers.CONFLICT,
    group="write",
)
def put_node(node_type: _Type, node_id: _Id, body: NodeIn) -> Response[str]:
    """One transaction; repeating it changes nothing."""
    attributes = body.of(node_type)
    of = NodeId(node_type, node_id)
    state, under_way = store.put_node(runtime.table(), of, attributes, clock.now())
    return answers.reply(NodeOut.of(of, state, sorted(attributes), under_way))


@http.route(
    app,
    "GET /graph/nodes/{type}/{id}",
    "A node, its attributes, how it is, and whether all neighbours have been told",
    responses=answers.described(NodeOut) | answers.NOT_FOUND,
    shows=(ADJACENT,),
)
def get_node(node_type: _Type, node_id: _Id) -> Response[str]:
    """One query: the attributes sort after the node, and what is under way after them."""
    of = NodeId(node_type, node_id)
    return answers.reply(NodeOut.of(of, *store.node(runtime.table(), of)))


@http.route(
    app,
    "PUT /graph/nodes/{type}/{id}/state",
    "Say how a node is: its state and its measures, which its neighbours' numbers count",
    responses=answers.described(StateOut) | answers.NOT_FOUND | answers.CONFLICT,
    group="write",
)
def put_state(node_type: _Type, node_id: _Id, body: StateIn) -> Response[str]:
    """A read and a write; repeating it changes nothing. The stream tells the neighbours."""
    check_state(node_type, body.state, body.measures)
    state = store.put_state(runtime.table(), NodeId(node_type, node_id), body.state, body.measures)
    return answers.reply(StateOut.of(state))


@http.route(
    app,
    "DELETE /graph/nodes/{type}/{id}",
    "Delete a node, its attributes and its edges on both sides; 202: the rest is still being removed",
    responses=answers.removal() | answers.described(Deletion, HTTPStatus.ACCEPTED) | answers.CONFLICT,
    status_code=HTTPStatus.NO_CONTENT,
    group="write",
)
def delete_node(node_type: _Type, node_id: _Id) -> Response[str]:
    """The node is invisible at once; the cascade removes what exceeds the limit of one call."""
    if cleanup.delete_node(runtime.table(), NodeId(node_type, node_id)):
        return answers.no_content()
    return answers.reply(Deletion(), HTTPStatus.ACCEPTED)


@http.route(
    app,
    "GET /graph/nodes/{type}/{id}/edges",
    "The edges that leave a node, or that point at it; for labels that declare it, by what the edges' data say",
    responses=answers.described(EdgesOut),
    shows=(ADJACENT,),
    by_index=True,
)
def get_edges(
    node_type: _Type,
    node_id: _Id,
    direction: Annotated[Direction, Query()] = OUT,
    label: Annotated[Name | None, Query()] = None,
    value: _Text = None,
    begins_with: _Text = None,
    start: _From = None,
    end: _To = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: CursorText = None,
) -> Response[str]:
    """One query: of the table; or, for what the data of the edges say, of the index by target."""
    query = patterns.edges(NodeId(node_type, node_id), direction, label)
    if any(each is not None for each in (value, begins_with, start, end)):
        wanted = Search(form_of_edges(label, direction), value, begins_with, start, end)
        query = patterns.edges_found(NodeId(node_type, node_id), direction, label or "", wanted.condition())
    found, next_cursor = items_page(query, limit, cursor, codec.edge)
    return answers.reply(EdgesOut(edges=[EdgeOut.of(edge) for edge in found], cursor=next_cursor))


@http.route(
    app,
    "GET /graph/nodes/{type}/{id}/common/{other_type}/{other_id}",
    "What two nodes have in common: edges between them, and neighbours, by label and direction",
    responses=answers.described(CommonOut) | answers.NOT_FOUND,
)
def get_common(node_type: _Type, node_id: _Id, other_type: PathName, other_id: PathId) -> Response[str]:
    """One query for each, strongly consistent; two for a node with more than 500 edges, of which 1,000 are read."""
    found = common.common(runtime.table(), NodeId(node_type, node_id), NodeId(other_type, other_id))
    return answers.reply(CommonOut.of(found))


@http.route(
    app,
    "GET /graph/nodes/{type}/{id}/aggregates",
    "A node's edges and neighbours by direction and label: numbers, sums of weights, states and measures",
    responses=answers.described(DegreesOut),
    shows=(DEGREE, ADJACENT),
    live=NUMBERS_CHANGE,
)
def get_aggregates(
    node_type: _Type, node_id: _Id, limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None
) -> Response[str]:
    """One query: the summary comes before the numbers. Which summaries are current is read once in 10 seconds."""
    of = NodeId(node_type, node_id)
    paging = Paging({"route": "degrees", "of": of}, cursor)
    found = numbers.numbers(runtime.table(), of, limit, paging.after)
    return answers.reply(DegreesOut.of(found, paging.next(found.position)))


@http.route(
    app,
    "GET /graph/nodes/{type}/{id}/days",
    "A node's edges of a label that declares it, by the day that their data say: numbers, and sums of weights",
    responses=answers.described(DaysOut),
    shows=(DEGREE_ON,),
)
def get_days(
    node_type: _Type,
    node_id: _Id,
    label: Annotated[DailyLabel, Query()],
    direction: Annotated[Direction, Query()] = OUT,
    start: _FromDay = date.min,
    end: _ToDay = date.max,
    limit: Limit = DEFAULT_LIMIT,
    cursor: CursorText = None,
) -> Response[str]:
    """One query."""
    first, last = days_between(label, start, end)
    query = patterns.degrees_on(NodeId(node_type, node_id), direction, label, first, last)
    paging = Paging.of(query, cursor)
    found, position = numbers.days(runtime.table(), query, limit, paging.after)
    return answers.reply(DaysOut(days=list(map(DayOut.of, found)), cursor=paging.next(position)))


@http.route(
    app,
    "PUT /graph/edges/{type}/{id}/{label}/{target_type}/{target_id}",
    "Store an edge between two nodes",
    responses=answers.described(EdgeOut) | answers.NOT_FOUND,
    group="write",
)
def put_edge(
    node_type: _Type, node_id: _Id, label: PathName, target_type: PathName, target_id: PathId, body: EdgeIn
) -> Response[str]:
    """Both nodes are read, then the edge is written; repeating it changes nothing."""
    check_ends(label, node_type, target_type)
    check_data(label, body.data)
    edge = GraphEdge(NodeId(node_type, node_id), label, NodeId(target_type, target_id), body.weight, body.data)
    store.put_edge(runtime.table(), edge)
    return answers.reply(EdgeOut.of(edge))


@http.route(
    app,
    "GET /graph/edges/{type}/{id}/{label}/{target_type}/{target_id}",
    "One edge, its weight, its data, and the state that it tells",
    responses=answers.described(EdgeFound) | answers.NOT_FOUND,
    shows=(ADJACENT,),
)
def get_edge(
    node_type: _Type, node_id: _Id, label: PathName, target_type: PathName, target_id: PathId
) -> Response[str]:
    """One read."""
    found = store.edge(runtime.table(), NodeId(node_type, node_id), label, NodeId(target_type, target_id))
    return answers.reply(EdgeFound(**dict(EdgeOut.of(found))))


@http.route(
    app,
    "DELETE /graph/edges/{type}/{id}/{label}/{target_type}/{target_id}",
    "Remove an edge",
    responses=answers.removal(),
    status_code=HTTPStatus.NO_CONTENT,
    group="write",
)
def delete_edge(
    node_type: _Type, node_id: _Id, label: PathName, target_type: PathName, target_id: PathId
) -> Response[str]:
    """The edge need not exist."""
    store.delete_edge(runtime.table(), NodeId(node_type, node_id), label, NodeId(target_type, target_id))
    return answers.no_content()


@http.route(
    app,
    "GET /graph/search",
    "Nodes by the value of an attribute, ordered by value",
    responses=answers.described(HitsOut),
)
def search(
    name: Annotated[AttributeName, Query()],
    value: _Text = None,
    begins_with: _Text = None,
    start: _From = None,
    end: _To = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: CursorText = None,
) -> Response[str]:
    """One query of the index by value, or one per shard, merged. Places match by whole components only."""
    wanted = Search(form_of_attribute(name), value, begins_with, start, end)
    paging = Paging({"route": "search", "of": (name, *astuple(wanted))}, cursor)
    found, position = store.search(runtime.table(), name, wanted.condition(), limit, paging.after)
    return answers.reply(HitsOut(nodes=[Hit.of(*each) for each in found], cursor=paging.next(position)))


handler = http.handler(app)
