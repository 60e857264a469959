"""Reads of the graph as a whole: rankings, and walks within a budget of requests and items."""

from typing import Annotated, Literal

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Query

from edgewise import InvalidInputError
from functions.systems.graph import summaries
from functions.systems.graph.entity import Direction, NodeId
from functions.systems.graph.number_models import ReachSummary
from functions.systems.graph.publishing import TOP
from functions.systems.graph.system import DEGREE
from functions.systems.walks import rankings, store
from functions.systems.walks.entity import Budget, Way
from functions.systems.walks.models import (
    ALL,
    Items,
    Labels,
    RankedOut,
    RankingOut,
    RecommendationsOut,
    Requests,
    SimilarSummary,
    SubtreeOut,
    TraverseOut,
    label_names,
)
from functions.systems.walks.rankings import Measure
from functions.systems.walks.system import RANKING_CHANGES, SYSTEM
from functions.web import answers, http, runtime
from functions.web.fields import Name, PathId, PathName
from functions.web.paging import DEFAULT_LIMIT, MAX_LIMIT, CursorText, Limit, Paging

DEFAULT_REQUESTS, DEFAULT_ITEMS = 100, 2_000

app = http.resolver(SYSTEM)

_OF_EDGES = "of the edges; pagerank has none"
_MEASURES = f"the number of edges, the sum of their weights; or pagerank, over all labels: the label is {ALL}"
_Directions = Annotated[Literal["out", "in", "both"], Query()]


@http.route(
    app,
    "GET /graph/rankings/{label}",
    "The nodes with the most edges of a label, or with the greatest sum of their weights",
    responses=answers.described(RankingOut),
    shows=(DEGREE,),
    live=RANKING_CHANGES,
)
def get_ranking(
    label: PathName,
    direction: Annotated[Direction | None, Query(description=_OF_EDGES, json_schema_extra={"default": "in"})] = None,
    measure: Annotated[Measure, Query(description=_MEASURES)] = "count",
    top: Annotated[int, Query(ge=1, le=TOP)] = 10,
) -> Response[str]:
    """One read of the ranking, and one of a hundred nodes' aggregates at a time: two requests as a rule, at most five.

    Exact for all edges that the stream consumer has absorbed, unless the answer says `refilling`. By PageRank: one
    query of what the last fill stored, and one read in 10 seconds of which fill that is.
    """
    if measure == "pagerank":
        _refuse_parts_of(label, direction)
        return answers.reply(RankingOut.by_pagerank(rankings.by_pagerank(runtime.table(), top)))
    direction = direction or "in"
    found = rankings.top(runtime.table(), label, direction, measure, top)
    nodes, refilling = [RankedOut.of(each) for each in found.standings], not found.complete
    return answers.reply(
        RankingOut(label=label, direction=direction, measure=measure, nodes=nodes, refilling=refilling)
    )


@http.route(
    app,
    "GET /graph/nodes/{type}/{id}/traverse",
    "The nodes within up to three steps of a node, breadth first",
    responses=answers.described(TraverseOut) | answers.NOT_FOUND,
)
def traverse(
    type: PathName,
    id: PathId,
    depth: Annotated[int, Query(ge=1, le=3)] = 1,
    labels: Labels = None,
    direction: _Directions = "out",
    limit: Limit = MAX_LIMIT,
    requests: Requests = DEFAULT_REQUESTS,
    items: Items = DEFAULT_ITEMS,
    cursor: CursorText = None,
) -> Response[str]:
    """One query per node, direction and label, in parallel; `limit` nodes are listed, all are counted.

    The next page walks again: nodes that changed in between may be listed twice, or not at all. If the budget is
    exhausted, up to two more requests read the summary of the node.
    """
    start, budget = NodeId(type, id), Budget(requests, items)
    paging = Paging({"route": "traverse", "of": [start, depth, labels, direction, requests, items]}, cursor)
    told = int((paging.after or {"told": "0"})["told"])
    ways = _ways(direction, label_names(labels) if labels is not None else [None])
    out = TraverseOut.of(start, store.traverse(runtime.table(), start, ways, depth, budget), told, limit)
    if out.budget.exhausted and direction == "out" and (summary := summaries.find(runtime.table(), start)):
        out.from_summary = ReachSummary.of(summary)
    told += len(out.nodes)
    out.cursor = paging.next({"told": str(told)} if told < out.reached.nodes else None)
    return answers.reply(out)


@http.route(
    app,
    "GET /graph/nodes/{type}/{id}/recommendations",
    "The nodes that share neighbours with a node: common neighbours weighted by 1/log(degree)",
    responses=answers.described(RecommendationsOut) | answers.NOT_FOUND,
    shows=(DEGREE,),
)
def get_recommendations(
    type: PathName,
    id: PathId,
    label: Annotated[Name, Query()],
    direction: _Directions = "both",
    limit: Limit = DEFAULT_LIMIT,
    requests: Requests = DEFAULT_REQUESTS,
    items: Items = DEFAULT_ITEMS,
) -> Response[str]:
    """Reads the neighbours, their degrees from the aggregates, then their neighbours; those with few edges first.

    A degree counts all edges of the label, out and in: two between the same nodes count twice. If the budget is
    exhausted, up to two more requests read the summary of the node.
    """
    start, budget = NodeId(type, id), Budget(requests, items)
    found = store.recommend(runtime.table(), start, _ways(direction, [label]), label, budget)
    out = RecommendationsOut.of(start, found, limit, budget)
    if out.budget.exhausted and (summary := summaries.find(runtime.table(), start)):
        out.from_summary = SimilarSummary.of(summary, found.acquainted)
    return answers.reply(out)


@http.route(
    app,
    "GET /graph/nodes/{type}/{id}/subtree",
    "The nodes below a node, and the sums of their aggregates",
    responses=answers.described(SubtreeOut) | answers.NOT_FOUND,
    shows=(DEGREE,),
)
def get_subtree(
    type: PathName,
    id: PathId,
    label: Annotated[Name, Query(description="of the edges that lead downwards")] = "PARENT_OF",
    labels: Labels = None,
    requests: Requests = DEFAULT_REQUESTS,
    items: Items = DEFAULT_ITEMS,
) -> Response[str]:
    """The aggregates of a level in one batch, then one query for each node that has something below it.

    `labels` are the labels of the edges to be summed; the default is the label of the edges that lead downwards. A new
    edge may be missing for a moment, because the stream consumer updates the aggregates.
    """
    start, rolled_up = NodeId(type, id), label_names(labels) if labels is not None else [label]
    return answers.reply(
        SubtreeOut.of(start, store.subtree(runtime.table(), start, label, rolled_up, Budget(requests, items)))
    )


handler = http.handler(app)


def _refuse_parts_of(label: str, direction: Direction | None) -> None:
    """PageRank is about the whole graph; raises InvalidInputError for a part of it."""
    if label != ALL:
        raise InvalidInputError.of("label", f"must be {ALL} for pagerank: it counts edges of all labels")
    if direction is not None:
        raise InvalidInputError.of("direction", "must be left out for pagerank: edges count as they point")


def _ways(directions: Literal["out", "in", "both"], labels: list[str] | list[None]) -> list[Way]:
    both: tuple[Direction, ...] = ("out", "in")
    return [Way(each, label) for each in both if directions in (each, "both") for label in labels]
