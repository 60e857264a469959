"""By what edges are found in their nodes' lists, if their label declares it (declared.py)."""

import json
from decimal import Decimal
from typing import Any

from functions.systems.graph import sortable
from functions.systems.graph.declared import LABELS, Form, Path
from functions.systems.graph.entity import Direction, GraphEdge


def found_by(edge: GraphEdge, direction: Direction) -> tuple[str, ...] | None:
    """The value by which an edge is found among those of one of its ends, as components of a key.

    None: its label declares nothing for this direction, or its data have no value of that name and form.
    """
    path = path_of(edge.label)
    if path is None or direction not in path.directions:
        return None
    return _components(path.form, value_in(edge.data, path))


def path_of(label: str) -> Path | None:
    """By what the edges of a label are found; None: by their label alone."""
    return LABELS[label].path if label in LABELS else None


def value_in(data: str, path: Path) -> Any:
    """What the data of an edge say under the name of a path; None if nothing."""
    return json.loads(data, parse_float=Decimal).get(path.name) if data else None


def _components(form: Form, value: object) -> tuple[str, ...] | None:
    """Values were validated when the edge was put, but not those of edges that were there before the declaration."""
    match form, value:
        case "flag", bool():
            return (str(value).lower(),)
        case "number", int() | Decimal() if not isinstance(value, bool):
            return (sortable.text(Decimal(value)),)
        case "text" | "date", str() if value:
            return (value,)
        case "place", [str(), *_]:
            return tuple(map(str, value))
    return None
