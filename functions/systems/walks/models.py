"""Requests and responses of the walks."""

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Query
from pydantic import AfterValidator, BaseModel, Field, TypeAdapter

from edgewise import rfc_3339
from edgewise.aggregates.rankings.standings import Standing
from edgewise.dynamodb.pages import sendable
from functions.systems.graph.entity import Direction, NodeId
from functions.systems.graph.keys import ranked_node
from functions.systems.graph.models import NodeRef
from functions.systems.graph.number_models import ReachSummary
from functions.systems.graph.summaries import AsOf, Ranked
from functions.systems.walks.entity import Budget, Step, Walk
from functions.systems.walks.rankings import ByPageRank
from functions.systems.walks.reach import Candidate, Reach, Totals, by_label, reach
from functions.systems.walks.store import Recommendation, Rollup
from functions.web import spelling
from functions.web.common import Counted, Exact, Listed
from functions.web.fields import Name

MAX_REQUESTS, MAX_ITEMS = 1_000, 20_000
# How many unfinished nodes are named; and how many types and labels, those with the highest counts.
NAMED, MOST = 10, 100
# What stands for the label of a ranking over all edges.
ALL = "*"

_names = TypeAdapter(Annotated[list[Name], Field(max_length=10)])


def label_names(text: str) -> list[str]:
    """The labels of a list, each once; raises ValueError."""
    return list(dict.fromkeys(_names.validate_python([spelling.read(name, ",") for name in text.split(",")])))


def _is_list(text: str) -> str:
    label_names(text)
    return text


Labels = Annotated[
    Annotated[str, AfterValidator(_is_list)] | None,
    Query(description="separated by commas, each spelled as in a path, with ~2C for a comma"),
]
Requests = Annotated[int, Query(alias="max_requests", ge=1, le=MAX_REQUESTS, description="send no more than these")]
Items = Annotated[int, Query(alias="max_items", ge=1, le=MAX_ITEMS, description="read no more than these")]


class StoppedAt(BaseModel):
    """Where the budget was exhausted: the distance, the number of unfinished nodes, and the first of them."""

    depth: int
    unexpanded: int
    nodes: list[NodeRef]


class Spent(BaseModel):
    """The budget consumed. If it was exhausted, the response is correct but incomplete."""

    requests: int
    items: int
    exhausted: bool
    stopped_at: StoppedAt | None

    @classmethod
    def of(cls, budget: Budget, depth: int, unexpanded: Sequence[NodeId]) -> "Spent":
        """A budget after a walk."""
        first = [NodeRef(**node._asdict()) for node in unexpanded[:NAMED]]
        stopped_at = StoppedAt(depth=depth, unexpanded=len(unexpanded), nodes=first) if first else None
        return cls(
            requests=budget.spent_requests,
            items=budget.spent_items,
            exhausted=stopped_at is not None,
            stopped_at=stopped_at,
        )

    @classmethod
    def by(cls, walk: Walk) -> "Spent":
        """The budget of a walk."""
        return cls.of(walk.budget, walk.level, walk.unexpanded)


class ReachOut(BaseModel):
    """How many nodes: all, by type, by distance; and how many types, of which the 100 commonest are listed."""

    nodes: int
    types: int
    by_type: dict[str, int]
    by_depth: dict[int, int]

    @classmethod
    def of(cls, reached: Reach) -> "ReachOut":
        """The state of the reached nodes as it is returned."""
        commonest = sorted(reached.by_type.items(), key=lambda each: (-each[1], each[0]))[:MOST]
        return cls(
            nodes=reached.nodes,
            types=len(reached.by_type),
            by_type=dict(commonest),
            by_depth=dict(reached.by_depth),
        )


class StepOut(NodeRef):
    """One step of a path, along an edge or against it, and the node to which it leads."""

    label: str
    direction: Direction

    @classmethod
    def of(cls, step: Step, to: NodeId) -> "StepOut":
        """A step as it is answered."""
        return cls(**to._asdict(), **step._asdict())


class ReachedOut(NodeRef):
    """A reached node, and a shortest path to it."""

    depth: int
    path: list[StepOut]

    @classmethod
    def of(cls, node: NodeId, walk: Walk) -> "ReachedOut":
        """A node as it is answered."""
        path = walk.path(node)
        return cls(**node._asdict(), depth=len(path), path=[StepOut.of(*each) for each in path])


class LabelOut(BaseModel):
    """How many edges of a label, and the sum of their weights."""

    label: str
    edges: int
    weight: Exact

    @classmethod
    def most(cls, tallies: Mapping[str, Totals]) -> "list[LabelOut]":
        """The labels with the most edges, by name."""
        most = sorted(tallies.items(), key=lambda each: (-each[1].edges, each[0]))[:MOST]
        return [cls(label=label, **totals._asdict()) for label, totals in sorted(most)]


class TraverseOut(Listed):
    """The nodes that can be reached from a node: the state of all of them, and a page of them, the nearest first.

    `labels`: how many labels the edges have, of which the 100 with the most edges are listed. `from_summary`, if the
    budget was exhausted on the way along the edges: what the last fill counted, whatever the labels.
    """

    node: NodeRef
    reached: ReachOut
    labels: int
    edges: list[LabelOut]
    nodes: list[ReachedOut]
    cursor: str | None
    budget: Spent
    from_summary: ReachSummary | None = None

    @classmethod
    def of(cls, start: NodeId, walk: Walk, told: int, limit: int) -> "TraverseOut":
        """A traversal as it is returned: up to `limit` nodes after those of earlier pages, as many as can be sent."""
        away = [node for node, reached in walk.reached.items() if reached.depth]
        nodes = [ReachedOut.of(node, walk) for node in away[told : told + limit]]
        tallies = by_label(walk)
        return cls(
            node=NodeRef(**start._asdict()),
            reached=ReachOut.of(reach(walk)),
            labels=len(tallies),
            edges=LabelOut.most(tallies),
            nodes=nodes[: sendable([node.model_dump() for node in nodes])],
            cursor=None,
            budget=Spent.by(walk),
        )


class RolledUp(LabelOut):
    """The edges of one direction and label at all nodes below, as their aggregates count them."""

    direction: Direction

    @classmethod
    def of(cls, direction: Direction, label: str, totals: Totals) -> "RolledUp":
        """A sum as it is answered."""
        return cls(direction=direction, label=label, **totals._asdict())


class SubtreeOut(Counted, Listed):
    """The nodes below a node. If the budget was exhausted, the aggregates of the nodes found last are missing."""

    node: NodeRef
    below: ReachOut
    aggregates: list[RolledUp]
    budget: Spent

    @classmethod
    def of(cls, start: NodeId, rollup: Rollup) -> "SubtreeOut":
        """A subtree as it is answered."""
        return cls(
            node=NodeRef(**start._asdict()),
            below=ReachOut.of(reach(rollup.walk)),
            aggregates=[RolledUp.of(*about, totals) for about, totals in sorted(rollup.sums.items())],
            budget=Spent.by(rollup.walk),
        )


class CandidateOut(NodeRef):
    """A recommended node: the Adamic-Adar score, and the number of common neighbours."""

    score: float
    common: int

    @classmethod
    def of(cls, candidate: Candidate[NodeId]) -> "CandidateOut":
        """A candidate as it is answered."""
        return cls(**candidate.node._asdict(), score=candidate.score, common=candidate.common)


class SimilarSummary(BaseModel):
    """Up to ten nodes that were the most similar at the instant `as_of`: edges of all labels counted, both ways."""

    as_of: str
    recommendations: list[CandidateOut]

    @classmethod
    def of(cls, found: AsOf, acquainted: Collection[NodeId]) -> "SimilarSummary":
        """The similar nodes of a summary, without those that are known to be neighbours now."""
        similar = [Candidate(each.node, each.score, each.common) for each in found.summary.similar]
        told = [CandidateOut.of(each) for each in similar if each.node not in acquainted]
        return cls(as_of=rfc_3339(found.at), recommendations=told)


class RecommendationsOut(Counted, Listed):
    """The likely next neighbours of a node, best first; if the budget was exhausted, also those that a fill found."""

    node: NodeRef
    recommendations: list[CandidateOut]
    budget: Spent
    from_summary: SimilarSummary | None = None

    @classmethod
    def of(cls, start: NodeId, found: Recommendation, limit: int, budget: Budget) -> "RecommendationsOut":
        """Recommendations as they are answered."""
        return cls(
            node=NodeRef(**start._asdict()),
            recommendations=[CandidateOut.of(each) for each in found.candidates[:limit]],
            budget=Spent.of(budget, found.depth, found.unexpanded),
        )


class RankedOut(NodeRef):
    """A node's rank, and the number that determines it; equal numbers share a rank."""

    rank: int
    value: Exact

    @classmethod
    def of(cls, standing: Standing) -> "RankedOut":
        """A place in a ranking as it is answered."""
        return cls(**ranked_node(standing.member)._asdict(), rank=standing.rank, value=standing.number)

    @classmethod
    def by_pagerank(cls, ranked: Ranked) -> "RankedOut":
        """A place in the ranking by PageRank as it is answered."""
        return cls(**ranked.node._asdict(), rank=ranked.rank, value=ranked.pagerank)


class RankingOut(Counted, Listed):
    """The first nodes of a ranking.

    `refilling`: so many nodes have lost edges that others may belong among these; they are being looked for. By
    PageRank: `as_of` is the instant of the fill that computed it, null if there was none, and there is no direction.
    """

    label: str
    direction: Direction | None
    measure: str
    nodes: list[RankedOut]
    refilling: bool
    as_of: str | None = None

    @classmethod
    def by_pagerank(cls, found: ByPageRank) -> "RankingOut":
        """The ranking by PageRank as it is answered."""
        nodes, as_of = [RankedOut.by_pagerank(each) for each in found.nodes], found.at and rfc_3339(found.at)
        return cls(label=ALL, direction=None, measure="pagerank", nodes=nodes, refilling=False, as_of=as_of)
