"""Requests and responses of the graph routes."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Annotated, Any, Literal

import simplejson
from pydantic import BaseModel, BeforeValidator, Field, WithJsonSchema

from edgewise import Cell, FieldError, InvalidInputError, rfc_3339
from functions.systems.graph import outlines
from functions.systems.graph.common import Common, Tie
from functions.systems.graph.declared import DAILY, FORMS
from functions.systems.graph.entity import Attribute, Direction, GraphEdge, NodeId, Outline, State
from functions.systems.graph.numbers import Adjacent, Daily, Degree, Numbers
from functions.systems.graph.summaries import AsOf
from functions.systems.graph.summary import Level
from functions.systems.graph.values import UndeclaredError, attribute, data_text, value_of
from functions.web.common import Counted, Exact, Listed
from functions.web.fields import Number, Request

MAX_ATTRIBUTES = 40


_VALUE = {
    "anyOf": [
        {"type": "string"},
        {"type": "number"},
        {"type": "boolean"},
        {"type": "array", "items": {"type": "string"}},
    ]
}
AttributeName = Annotated[str, WithJsonSchema({"type": "string", "enum": list(FORMS)})]


DailyLabel = Annotated[str, WithJsonSchema({"type": "string", "enum": list(DAILY)})]


class AttributeIn(Request):
    """An attribute that is declared of the node's type, in its form.

    A text, a number, a day, true or false, or a place from its widest component to its narrowest.
    """

    name: AttributeName
    value: Annotated[Any, WithJsonSchema(_VALUE)]


class NodeIn(Request):
    """All attributes of a node; stored attributes that are not listed are removed."""

    attributes: Annotated[list[AttributeIn], Field(max_length=MAX_ATTRIBUTES)]

    def of(self, node_type: str) -> set[Attribute]:
        """The attributes of a node of this type; raises InvalidInputError with all that are not declared so."""
        found, errors = set[Attribute](), list[FieldError]()
        for position, given in enumerate(self.attributes):
            try:
                found.add(attribute(node_type, given.name, given.value))
            except UndeclaredError as error:
                errors.append(FieldError(f"attributes.{position}.name", str(error)))
            except ValueError as error:
                errors.append(FieldError(f"attributes.{position}.value", str(error)))
        if errors:
            raise InvalidInputError(errors)
        return found


class StateIn(Request):
    """How a node is: one of the states declared of its type, and numbers that its type may have."""

    state: str
    measures: Annotated[dict[str, Number], Field(default_factory=dict)]


class EdgeIn(Request):
    """An edge's weight, and an object of up to 1 KB."""

    weight: Annotated[Number, Field(json_schema_extra={"default": 1})] = Decimal(1)
    data: Annotated[
        str, BeforeValidator(data_text), WithJsonSchema({"type": "object"}), Field(json_schema_extra={"default": {}})
    ] = ""


class NodeRef(BaseModel):
    """The name of a node."""

    type: str
    id: str


class AttributeOut(BaseModel):
    """An attribute; the value of a place is the list of its components."""

    name: str
    value: Annotated[Any, WithJsonSchema(_VALUE)]

    @classmethod
    def of(cls, attribute: Attribute) -> "AttributeOut":
        """An attribute as it is answered."""
        return cls(name=attribute.name, value=value_of(attribute))


class StateOut(BaseModel):
    """How a node is: its state, and its measures."""

    state: str
    measures: dict[str, Exact]

    @classmethod
    def of(cls, state: State) -> "StateOut":
        """A state as it is answered."""
        return cls(state=state.name, measures=dict(state.measures))


class NodeOut(NodeRef, Listed):
    """A node, its attributes, and how it is; no state: nobody has said so."""

    attributes: list[AttributeOut]
    state: str | None
    measures: dict[str, Exact]

    @classmethod
    def of(cls, node: NodeId, state: State, attributes: Iterable[Attribute]) -> "NodeOut":
        """A node as it is answered."""
        return cls(
            **node._asdict(),
            attributes=[AttributeOut.of(each) for each in attributes],
            state=state.name or None,
            measures=dict(state.measures),
        )


class Deletion(BaseModel):
    """The node is already invisible; its attributes and edges are still being removed."""

    state: Literal["deleting"] = "deleting"


class ComponentOut(NodeRef):
    """A connected component, whichever way the edges point: its first node by type and id, and how many it has."""

    nodes: int


class OutlineOut(BaseModel):
    """What a fill has found of a node, as of its instant: its PageRank, its component, and how many nodes are near.

    `two` and `three` steps away, or `at_least` so many. It is written again once it has changed by a tenth.
    """

    as_of: str
    pagerank: Exact
    component: ComponentOut
    two: int
    three: int
    at_least: bool

    @classmethod
    def of(cls, outline: Outline) -> "OutlineOut":
        """What was found as it is answered."""
        return cls(
            as_of=rfc_3339(outline.at),
            pagerank=outline.pagerank,
            component=ComponentOut(**outline.component._asdict(), nodes=outline.component_nodes),
            two=outline.two,
            three=outline.three,
            at_least=outline.at_least,
        )


class EdgeOut(BaseModel):
    """One edge; `neighbour`: the state that it tells of the node at its other end, if the label declares so.

    `summary`: what a fill has found of that node; null if no fill of the last 30 days has told this edge.
    """

    source: NodeRef
    label: str
    target: NodeRef
    weight: Exact
    data: dict[str, Any]
    neighbour: StateOut | None
    summary: OutlineOut | None

    @classmethod
    def of(cls, edge: GraphEdge) -> "EdgeOut":
        """An edge as it is answered."""
        return cls(
            source=NodeRef(**edge.source._asdict()),
            label=edge.label,
            target=NodeRef(**edge.target._asdict()),
            weight=edge.weight,
            data=simplejson.loads(edge.data, use_decimal=True) if edge.data else {},
            neighbour=StateOut.of(edge.neighbour) if edge.neighbour and edge.neighbour.name else None,
            summary=OutlineOut.of(edge.outline) if edge.outline and outlines.is_shown(edge.outline) else None,
        )


class EdgesOut(Listed):
    """One page of a node's edges."""

    edges: list[EdgeOut]
    cursor: str | None


class TieOut(BaseModel):
    """An edge between two nodes: its label, and whether it leaves the first (`out`) or points at it (`in`)."""

    direction: Direction
    label: str

    @classmethod
    def each(cls, ties: Iterable[Tie]) -> "list[TieOut]":
        """Ties as they are answered."""
        return [cls(**tie._asdict()) for tie in ties]


class SharedOut(NodeRef):
    """A neighbour of both nodes: the edges by which the node has it, and those by which the other has it."""

    edges: list[TieOut]
    edges_of_other: list[TieOut]


class CommonOut(Listed):
    """The edges between two nodes, and the neighbours of both.

    Not `complete`: one of them has more edges than were read, and more may be in common.
    """

    direct: list[TieOut]
    shared: list[SharedOut]
    complete: bool

    @classmethod
    def of(cls, found: Common) -> "CommonOut":
        """What two nodes have in common as it is answered."""
        shared = [
            SharedOut(**node._asdict(), edges=TieOut.each(ties), edges_of_other=TieOut.each(others))
            for node, (ties, others) in found.shared.items()
        ]
        return cls(direct=TieOut.each(found.direct), shared=shared, complete=found.complete)


class MeasureOut(BaseModel):
    """What neighbours measure: how many do, the sum, the mean, the smallest and the greatest value.

    The latter two are null until they are read again, because a neighbour that had one of them has gone.
    """

    count: int
    sum: Exact
    mean: float
    min: Exact | None
    max: Exact | None

    @classmethod
    def of(cls, cell: Cell) -> "MeasureOut":
        """A measure as it is answered."""
        low, high = cell.extremes.low, cell.extremes.high
        return cls(count=cell.count, sum=cell.total, mean=float(cell.total / cell.count), min=low, max=high)


class DegreeOut(BaseModel):
    """The edges of one direction and label: how many, the sum of their weights, when they last changed."""

    direction: Direction
    label: str
    edges: int
    weight: Exact
    changed_at: str

    @classmethod
    def of(cls, degree: Degree) -> "DegreeOut":
        """The numbers of a direction and label as they are answered."""
        return cls(
            direction=degree.direction,
            label=degree.label,
            edges=degree.edges.count,
            weight=degree.edges.total,
            changed_at=rfc_3339(degree.changed_at),
        )


class AdjacentOut(BaseModel):
    """The nodes at the other ends of the edges of one direction and label: how many in which state, what they measure.

    `changed_at`: when one of these numbers last changed. A neighbour's new state takes some seconds to be among them,
    also in an answer whose `as_of` is later than it.
    """

    direction: Direction
    label: str
    states: dict[str, int]
    measures: dict[str, MeasureOut]
    changed_at: str

    @classmethod
    def of(cls, found: Adjacent) -> "AdjacentOut":
        """What neighbours' states come to as it is answered."""
        return cls(
            direction=found.direction,
            label=found.label,
            states=found.states,
            measures={name: MeasureOut.of(cell) for name, cell in found.measures.items()},
            changed_at=rfc_3339(found.changed_at),
        )


class DayOut(BaseModel):
    """The edges of one day: how many, the sum of their weights, and when these numbers last changed."""

    day: str
    edges: int
    weight: Exact
    changed_at: str

    @classmethod
    def of(cls, found: Daily) -> "DayOut":
        """The edges of a day as they are answered."""
        cell = found.edges
        return cls(day=found.day, edges=cell.count, weight=cell.total, changed_at=rfc_3339(found.changed_at))


class DaysOut(Counted, Listed):
    """One page of the days on which a node has edges of a label, the earliest first."""

    days: list[DayOut]
    cursor: str | None


class LevelOut(BaseModel):
    """The nodes so many steps away along the edges, of any label, and the sums of all their edges, out and in.

    `at_least`: there are more such nodes, and these are some of them.
    """

    nodes: int
    at_least: bool
    edges: int
    weight: Exact

    @classmethod
    def of(cls, level: Level) -> "LevelOut":
        """A level as it is answered."""
        return cls(nodes=level.nodes, at_least=level.at_least, edges=level.edges, weight=level.weight)


class ReachSummary(BaseModel):
    """What was two and three steps away from a node at the instant `as_of`."""

    as_of: str
    two_steps: LevelOut
    three_steps: LevelOut

    @classmethod
    def of(cls, found: AsOf) -> "ReachSummary":
        """The levels of a summary as they are answered."""
        two, three = LevelOut.of(found.summary.two), LevelOut.of(found.summary.three)
        return cls(as_of=rfc_3339(found.at), two_steps=two, three_steps=three)


class SummaryOut(ReachSummary):
    """What the last fill computed of a node, as of its instant; edges of all labels count.

    The PageRanks of all nodes add up to 1.
    """

    pagerank: Exact
    component: ComponentOut

    @classmethod
    def of(cls, found: AsOf) -> "SummaryOut":
        """A summary as it is answered."""
        known = found.summary
        component = ComponentOut(**known.component._asdict(), nodes=known.component_nodes)
        reach = ReachSummary.of(found)
        return cls(**dict(reach), pagerank=known.pagerank, component=component)


class DegreesOut(Counted, Listed):
    """One page of a node's numbers. Only the first page has what the last fill computed of the node, if it did."""

    aggregates: list[DegreeOut]
    adjacent: list[AdjacentOut]
    summary: SummaryOut | None
    cursor: str | None

    @classmethod
    def of(cls, numbers: Numbers, cursor: str | None) -> "DegreesOut":
        """A page of numbers as it is answered."""
        summary = SummaryOut.of(numbers.summary) if numbers.summary else None
        return cls(
            aggregates=[DegreeOut.of(each) for each in numbers.degrees],
            adjacent=[AdjacentOut.of(each) for each in numbers.adjacent],
            summary=summary,
            cursor=cursor,
        )


class Hit(NodeRef):
    """A found node, and the attribute by which it was found."""

    attribute: AttributeOut

    @classmethod
    def of(cls, node: NodeId, attribute: Attribute) -> "Hit":
        """A node found as it is answered."""
        return cls(**node._asdict(), attribute=AttributeOut.of(attribute))


class HitsOut(Listed):
    """One page of the found nodes, by value."""

    nodes: list[Hit]
    cursor: str | None
