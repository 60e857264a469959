"""The graph: nodes, edges, what is counted of them, and finding nodes by their attributes."""

import time
from dataclasses import astuple
from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Path, Query

from functions.domain.graph import AttributeKind, Direction, GraphEdge, NodeId
from functions.domain.times import Millis
from functions.handlers import http, runtime
from functions.handlers.models.fields import Name, PathId, PathName
from functions.handlers.models.graph import (
    DegreeOut,
    DegreesOut,
    Deletion,
    EdgeIn,
    EdgeOut,
    EdgesOut,
    Hit,
    HitsOut,
    NodeIn,
    NodeOut,
)
from functions.handlers.paging import DEFAULT_LIMIT, CursorText, Limit, Paging
from functions.handlers.searching import Search
from functions.store import graph, graph_cleanup, patterns

app = http.resolver()

_Type = Annotated[PathName, Path(alias="type")]
_Id = Annotated[PathId, Path(alias="id")]
_Name = Annotated[PathName, Path()]
_Text = Annotated[str | None, Query(description="of a place: components joined by /, spelled as in a path")]


@app.put(
    "/graph/nodes/<type>/<id>",
    summary="Let a node have exactly these attributes; it need not exist",
    responses=http.described(NodeOut) | http.CONFLICT,
    tags=["graph"],
)
def put_node(node_type: _Type, node_id: _Id, body: NodeIn) -> Response[str]:
    """One transaction; the same again changes nothing."""
    attributes = {given.attribute() for given in body.attributes}
    graph.put_node(runtime.table(), NodeId(node_type, node_id), attributes, _now())
    return http.reply(NodeOut.of(NodeId(node_type, node_id), sorted(attributes)))


@app.get(
    "/graph/nodes/<type>/<id>",
    summary="A node and its attributes",
    responses=http.described(NodeOut) | http.NOT_FOUND,
    tags=["graph"],
)
def get_node(node_type: _Type, node_id: _Id) -> Response[str]:
    """One query: the attributes stand behind the node."""
    of = NodeId(node_type, node_id)
    return http.reply(NodeOut.of(of, graph.attributes(runtime.table(), of)))


@app.delete(
    "/graph/nodes/<type>/<id>",
    summary="Delete a node, its attributes and its edges on both sides; 202: the rest is on its way",
    status_code=HTTPStatus.NO_CONTENT,
    responses=http.removal() | http.described(Deletion, HTTPStatus.ACCEPTED) | http.CONFLICT,
    tags=["graph"],
)
def delete_node(node_type: _Type, node_id: _Id) -> Response[str]:
    """The node is invisible at once; what is more than one call may remove is removed by the stream."""
    if graph_cleanup.delete_node(runtime.table(), NodeId(node_type, node_id)):
        return http.no_content()
    return http.reply(Deletion(), HTTPStatus.ACCEPTED)


@app.get(
    "/graph/nodes/<type>/<id>/edges",
    summary="The edges that leave a node, or that point at it",
    responses=http.described(EdgesOut) | http.NOT_FOUND,
    tags=["graph"],
)
def get_edges(
    node_type: _Type,
    node_id: _Id,
    direction: Annotated[Direction, Query()] = "out",
    label: Annotated[Name | None, Query()] = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: CursorText = None,
) -> Response[str]:
    """One query: of the table, or of the inverted index. Where it finds nothing, whether the node is there."""
    of = NodeId(node_type, node_id)
    paging = Paging({"route": "edges", "of": [of, direction, label]}, cursor)
    query = patterns.graph.edges(of, direction, label)
    found, position = graph.edges(runtime.table(), of, query, limit, paging.after)
    return http.reply(EdgesOut(edges=[EdgeOut.of(edge) for edge in found], cursor=paging.next(position)))


@app.get(
    "/graph/nodes/<type>/<id>/aggregates",
    summary="How many edges, their weights' sum and last change, by direction and label",
    responses=http.described(DegreesOut) | http.NOT_FOUND,
    tags=["graph"],
)
def get_aggregates(
    node_type: _Type, node_id: _Id, limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None
) -> Response[str]:
    """One query. Where it finds nothing, whether the node is there."""
    of = NodeId(node_type, node_id)
    paging = Paging({"route": "degrees", "of": of}, cursor)
    found, position = graph.degrees(runtime.table(), of, limit, paging.after)
    out = [DegreeOut.of(degree) for degree in found]
    return http.reply(DegreesOut(aggregates=out, cursor=paging.next(position)))


@app.put(
    "/graph/edges/<type>/<id>/<label>/<target_type>/<target_id>",
    summary="Store an edge between two nodes",
    responses=http.described(EdgeOut) | http.NOT_FOUND,
    tags=["graph"],
)
def put_edge(
    node_type: _Type, node_id: _Id, label: _Name, target_type: _Name, target_id: Annotated[PathId, Path()], body: EdgeIn
) -> Response[str]:
    """Both nodes are read, then the edge is written; the same again changes nothing."""
    edge = GraphEdge(NodeId(node_type, node_id), label, NodeId(target_type, target_id), body.weight, body.data)
    graph.put_edge(runtime.table(), edge)
    return http.reply(EdgeOut.of(edge))


@app.delete(
    "/graph/edges/<type>/<id>/<label>/<target_type>/<target_id>",
    summary="Remove an edge",
    status_code=HTTPStatus.NO_CONTENT,
    responses=http.removal(),
    tags=["graph"],
)
def delete_edge(
    node_type: _Type, node_id: _Id, label: _Name, target_type: _Name, target_id: Annotated[PathId, Path()]
) -> Response[str]:
    """It need not be there."""
    graph.delete_edge(runtime.table(), NodeId(node_type, node_id), label, NodeId(target_type, target_id))
    return http.no_content()


@app.get(
    "/graph/search",
    summary="Nodes by the value of an attribute, in its order",
    responses=http.described(HitsOut),
    tags=["graph"],
)
def search(
    kind: Annotated[AttributeKind, Query()],
    value: _Text = None,
    begins_with: _Text = None,
    start: Annotated[str | None, Query(alias="from", description="this value or a greater one")] = None,
    end: Annotated[str | None, Query(alias="to", description="before this value")] = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: CursorText = None,
) -> Response[str]:
    """One query of the index by value, or one a shard, merged; a place begins with whole components only."""
    wanted = Search(kind, value, begins_with, start, end)
    paging = Paging({"route": "search", "of": astuple(wanted)}, cursor)
    found, position = graph.search(runtime.table(), wanted.shards(), limit, paging.after)
    return http.reply(HitsOut(nodes=[Hit.of(*each) for each in found], cursor=paging.next(position)))


handler = http.handler(app)


def _now() -> Millis:
    return time.time_ns() // 1_000_000
