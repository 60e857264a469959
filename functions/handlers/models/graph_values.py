"""What is legal as the value of an attribute and as the data of an edge."""

from typing import Any

import simplejson
from pydantic import TypeAdapter, ValidationError

from functions.domain.graph import AttributeKind
from functions.domain.times import is_period
from functions.handlers.models.fields import Id, PlacePath
from functions.handlers.problems import field_errors

MAX_DATA_BYTES, MAX_DATA_DEPTH = 1024, 16

_YEAR, _MONTH, _DAY = 4, 7, 10  # characters
_text: TypeAdapter[str] = TypeAdapter(Id)
_place: TypeAdapter[list[str]] = TypeAdapter(PlacePath)


def components(kind: AttributeKind, value: Any, *, whole: bool = True) -> tuple[str, ...]:
    """An attribute's value, components of a place or one text; raises ValueError if it does not suit the kind.

    Where it need not be `whole`, a year or month will do as a date.
    """
    try:
        found = tuple(_place.validate_python(value)) if kind == "place" else (_text.validate_python(value),)
    except ValidationError as error:
        raise ValueError(field_errors(error.errors())[0].error) from error
    if kind == "date" and not (is_period(found[0]) and len(found[0]) in ((_DAY,) if whole else (_YEAR, _MONTH, _DAY))):
        raise ValueError("must be a day, such as 1971-12-21" + ("" if whole else ", a month or a year"))
    return found


def data_text(data: Any) -> str:
    """The JSON text of an edge's data, the same for equal data, empty for none; raises ValueError if it can't be."""
    if not isinstance(data, dict):
        raise ValueError("must be an object")
    if not _is_flat(data, MAX_DATA_DEPTH):
        raise ValueError(f"must not be nested more than {MAX_DATA_DEPTH} levels deep")
    text = simplejson.dumps(data, use_decimal=True, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    if len(text.encode()) > MAX_DATA_BYTES:
        raise ValueError(f"must fit into {MAX_DATA_BYTES} bytes of JSON")
    return text if data else ""


def _is_flat(value: Any, levels: int) -> bool:
    if not isinstance(value, dict | list):
        return True
    inner = value.values() if isinstance(value, dict) else value
    return levels > 0 and all(_is_flat(each, levels - 1) for each in inner)
