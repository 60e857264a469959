"""Validates the values of attributes and the data of edges."""

from typing import Any

from pydantic import TypeAdapter, ValidationError

from edgewise.times import is_period
from functions.systems.graph.entity import AttributeKind
from functions.web.fields import Id, PlacePath
from functions.web.json_text import json_text
from functions.web.problems import field_errors

MAX_DATA_BYTES = 1024

_YEAR, _MONTH, _DAY = 4, 7, 10  # characters
_text: TypeAdapter[str] = TypeAdapter(Id)
_place: TypeAdapter[list[str]] = TypeAdapter(PlacePath)


def components(kind: AttributeKind, value: Any, *, whole: bool = True) -> tuple[str, ...]:
    """An attribute's value, components of a place or one text; raises ValueError if it does not fit the kind.

    Unless it must be `whole`, a date may be a year or a month.
    """
    try:
        found = tuple(_place.validate_python(value)) if kind == "place" else (_text.validate_python(value),)
    except ValidationError as error:
        raise ValueError(field_errors(error.errors())[0].error) from error
    if kind == "date" and not (is_period(found[0]) and len(found[0]) in ((_DAY,) if whole else (_YEAR, _MONTH, _DAY))):
        raise ValueError("must be a day, such as 1971-12-21" + ("" if whole else ", a month or a year"))
    return found


def data_text(data: Any) -> str:
    """The JSON text of an edge's data, empty for none; raises ValueError if it can't be."""
    text = json_text(data, MAX_DATA_BYTES)
    return text if data else ""
