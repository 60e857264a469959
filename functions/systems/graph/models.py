"""Requests about nodes and edges, and how these are answered."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Annotated, Any, Literal

import simplejson
from pydantic import BaseModel, BeforeValidator, Field, WithJsonSchema

from edgewise import FieldError, InvalidInputError, rfc_3339
from functions.place import MAX_LEVELS
from functions.systems.graph import outlines
from functions.systems.graph.common import Common, Tie
from functions.systems.graph.declared import DAILY, FORMS, STATES
from functions.systems.graph.entity import Attribute, Direction, GraphEdge, NodeId, Outline, State
from functions.systems.graph.passes import Pass
from functions.systems.graph.values import MAX_DATA_BYTES, UndeclaredError, attribute, data_text, value_of
from functions.web.common import Counted, Exact, Listed
from functions.web.fields import MEASURE_SCHEMA, Measured, Number, Request, in_bytes

MAX_ATTRIBUTES = 40


_VALUE = {
    "anyOf": [
        {"type": "string"},
        {"type": "number"},
        {"type": "boolean"},
        {"type": "array", "items": {"type": "string"}},
    ]
}
_TEXT_IN = {"type": "string", "maxLength": 200}
_VALUE_IN = {
    "anyOf": [
        _TEXT_IN,
        MEASURE_SCHEMA,
        {"type": "boolean"},
        {"type": "array", "items": _TEXT_IN, "minItems": 1, "maxItems": MAX_LEVELS},
    ]
}
_STATES = sorted({state for watched in STATES.values() for state in watched.states})
_MEASURES = sorted({name for watched in STATES.values() for name in watched.measures})
_MEASURES_IN = {"propertyNames": {"enum": _MEASURES}, "maxProperties": len(_MEASURES)}
AttributeName = Annotated[str, WithJsonSchema({"type": "string", "enum": list(FORMS)})]


DailyLabel = Annotated[str, WithJsonSchema({"type": "string", "enum": list(DAILY)})]


class AttributeIn(Request):
    """An attribute that is declared of the node's type, in its form.

    A text, a number, a day, true or false, or a place from its widest component to its narrowest.
    """

    name: AttributeName
    value: Annotated[Any, WithJsonSchema(_VALUE_IN)]


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

    state: Annotated[str, Field(json_schema_extra={"enum": _STATES})]
    measures: Annotated[dict[str, Measured], Field(default_factory=dict, json_schema_extra=_MEASURES_IN)]


class EdgeIn(Request):
    """An edge's weight, and an object of up to 1 KB."""

    weight: Annotated[Number, Field(json_schema_extra={"default": 1})] = Decimal(1)
    data: Annotated[
        str,
        BeforeValidator(data_text),
        WithJsonSchema({"type": "object"} | in_bytes(MAX_DATA_BYTES)),
        Field(json_schema_extra={"default": {}}),
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


class TellingOut(BaseModel):
    """The edges of a direction and label to whose other ends a node's state is still being told.

    `by` the stream, within minutes; or by the next fill, if there are more than a million.
    """

    direction: Direction
    label: str
    by: Literal["stream", "fill"]

    @classmethod
    def of(cls, under_way: Pass) -> "TellingOut":
        """A pass as it is answered."""
        by: Literal["stream", "fill"] = "fill" if under_way.left else "stream"
        return cls(direction=under_way.direction, label=under_way.label, by=by)


class NodeOut(NodeRef, Counted, Listed):
    """A node, its attributes, how it is, and to which edges that is still being told; no state: nobody has said so."""

    attributes: list[AttributeOut]
    state: str | None
    measures: dict[str, Exact]
    telling: list[TellingOut]

    @classmethod
    def of(cls, node: NodeId, state: State, attributes: Iterable[Attribute], under_way: Iterable[Pass]) -> "NodeOut":
        """A node as it is answered."""
        return cls(
            **node._asdict(),
            attributes=[AttributeOut.of(each) for each in attributes],
            state=state.name or None,
            measures=dict(state.measures),
            telling=[TellingOut.of(each) for each in under_way],
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


class EdgeFound(EdgeOut, Counted):
    """One edge that was read."""


class EdgesOut(Counted, Listed):
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
