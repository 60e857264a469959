"""Validates the attributes of nodes and the data of edges."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from pydantic import TypeAdapter, ValidationError

from edgewise import FieldError, InvalidInputError
from edgewise.times import is_period
from functions.systems.graph import sortable
from functions.systems.graph.declared import DERIVED, FORMS, LABELS, NODES, STATES, Form
from functions.systems.graph.entity import Attribute
from functions.systems.graph.paths import path_of, value_in
from functions.web import spelling
from functions.web.fields import ExactId, ExactPlace, Measured
from functions.web.json_text import json_text
from functions.web.problems import field_errors

MAX_DATA_BYTES = 1024

_YEAR, _MONTH, _DAY = 4, 7, 10  # characters
_text: TypeAdapter[str] = TypeAdapter(ExactId)
_place: TypeAdapter[list[str]] = TypeAdapter(ExactPlace)
_number: TypeAdapter[Decimal] = TypeAdapter(Measured)
Value = str | bool | Decimal | list[str]


class UndeclaredError(ValueError):
    """The type of a node has no attribute of this name."""


def attribute(node_type: str, name: str, value: Any) -> Attribute:
    """An attribute of a node of this type; raises UndeclaredError, or ValueError for a value of another form."""
    declared = NODES.get(node_type, {})
    if name not in declared:
        known = f"expected one of {', '.join(declared)}" if declared else "its nodes have no attributes"
        raise UndeclaredError(f"is not declared of {node_type}: {known}")
    found = components(declared[name], value)
    return Attribute(name, tuple(map(spelling.composed, found)) if declared[name] == "place" else found)


def value_of(attribute: Attribute) -> Value:
    """The value of an attribute as it was given; a text if the attribute is not declared any more."""
    form, (first, *_) = FORMS.get(attribute.name), attribute.value
    if form == "place":
        return list(attribute.value)
    if form == "number":
        return sortable.number(first)
    return first == "true" if form == "flag" else first


def components(form: Form, value: Any, *, whole: bool = True) -> tuple[str, ...]:
    """A value as components of a key; raises ValueError if it has another form.

    Unless it must be `whole`, a date may be a year or a month.
    """
    if form == "flag":
        return (_flag(value),)
    try:
        found = tuple(_place.validate_python(value)) if form == "place" else (_one(form, value),)
    except ValidationError as error:
        raise ValueError(field_errors(error.errors())[0].error) from error
    if form == "date" and not (is_period(found[0]) and len(found[0]) in ((_DAY,) if whole else (_YEAR, _MONTH, _DAY))):
        raise ValueError("must be a day, such as 1971-12-21" + ("" if whole else ", a month or a year"))
    return found


def _one(form: Form, value: Any) -> str:
    return sortable.text(_number.validate_python(value)) if form == "number" else _text.validate_python(value)


def _flag(value: Any) -> str:
    if not isinstance(value, bool):
        raise ValueError("must be true or false")
    return str(value).lower()


def check_state(node_type: str, name: str, measures: Mapping[str, Decimal]) -> None:
    """Raise InvalidInputError unless nodes of this type may have this state and these measures."""
    watched = STATES.get(node_type)
    if node_type in DERIVED:
        raise InvalidInputError.of("type", f"the state of a {node_type} follows from that of its neighbours")
    if watched is None:
        raise InvalidInputError.of("type", f"has no state: expected one of {', '.join(STATES)}")
    errors = [] if name in watched.states else [FieldError("state", f"expected one of {', '.join(watched.states)}")]
    known = f"expected one of {', '.join(watched.measures)}" if watched.measures else f"a {node_type} has none"
    errors += [FieldError(f"measures.{each}", known) for each in measures if each not in watched.measures]
    if errors:
        raise InvalidInputError(errors)


def check_ends(label: str, source_type: str, target_type: str) -> None:
    """Raise InvalidInputError if edges of this label lead between other types of nodes."""
    ends = LABELS[label].ends if label in LABELS else None
    if ends and ends != (source_type, target_type):
        raise InvalidInputError.of("label", f"{label} leads from a {ends[0]} to a {ends[1]}")


def check_data(label: str, data: str) -> None:
    """Raise InvalidInputError if the data of an edge have another form than its label declares."""
    path = path_of(label)
    value = value_in(data, path) if path else None
    if path and value is not None:
        try:
            components(path.form, value)
        except ValueError as error:
            raise InvalidInputError.of(f"data.{path.name}", str(error)) from error


def data_text(data: Any) -> str:
    """The JSON text of an edge's data, empty for none; raises ValueError if it can't be."""
    text = json_text(data, MAX_DATA_BYTES)
    return text if data else ""
