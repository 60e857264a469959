"""Requests and responses of the graph routes."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Annotated, Any, Literal

import simplejson
from pydantic import (
    BaseModel,
    BeforeValidator,
    Field,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
)

from functions.systems.graph.entity import Attribute, AttributeKind, Direction, GraphEdge, NodeId
from functions.systems.graph.store import Degree
from functions.systems.graph.values import components, data_text
from functions.times import rfc_3339
from functions.web.common import Counted, Exact, Listed
from functions.web.fields import Name, Number, Request

MAX_ATTRIBUTES = 40


class AttributeIn(Request):
    """An attribute: a day, a name, a skill, or a place from its widest component to its narrowest."""

    kind: AttributeKind
    name: Annotated[Name | None, Field(description="such as born")] = None
    value: Annotated[
        Any, WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]})
    ]

    @field_validator("value")
    @classmethod
    def _suits_its_kind(cls, value: Any, info: ValidationInfo) -> Any:
        return components(info.data["kind"], value) if "kind" in info.data else value

    def attribute(self) -> Attribute:
        """The attribute that this describes."""
        return Attribute(self.kind, self.name or "", self.value)


class NodeIn(Request):
    """All attributes of a node; stored attributes that are not listed are removed."""

    attributes: Annotated[list[AttributeIn], Field(max_length=MAX_ATTRIBUTES)]


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

    kind: AttributeKind
    name: str | None
    value: str | list[str]

    @classmethod
    def of(cls, attribute: Attribute) -> "AttributeOut":
        """An attribute as it is answered."""
        value = list(attribute.value) if attribute.kind == "place" else attribute.value[0]
        return cls(kind=attribute.kind, name=attribute.name or None, value=value)


class NodeOut(NodeRef, Listed):
    """A node and its attributes."""

    attributes: list[AttributeOut]

    @classmethod
    def of(cls, node: NodeId, attributes: Iterable[Attribute]) -> "NodeOut":
        """A node as it is answered."""
        return cls(**node._asdict(), attributes=[AttributeOut.of(each) for each in attributes])


class Deletion(BaseModel):
    """The node is already invisible; its attributes and edges are still being removed."""

    state: Literal["deleting"] = "deleting"


class EdgeOut(BaseModel):
    """One edge."""

    source: NodeRef
    label: str
    target: NodeRef
    weight: Exact
    data: dict[str, Any]

    @classmethod
    def of(cls, edge: GraphEdge) -> "EdgeOut":
        """An edge as it is answered."""
        return cls(
            source=NodeRef(**edge.source._asdict()),
            label=edge.label,
            target=NodeRef(**edge.target._asdict()),
            weight=edge.weight,
            data=simplejson.loads(edge.data, use_decimal=True) if edge.data else {},
        )


class EdgesOut(Listed):
    """One page of a node's edges."""

    edges: list[EdgeOut]
    cursor: str | None


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


class DegreesOut(Counted, Listed):
    """One page of a node's numbers."""

    aggregates: list[DegreeOut]
    cursor: str | None


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
