"""What this application's graph knows of its nodes and edges. Any other type of node has edges alone.

From the attributes of each type follow what a node may be given, by what nodes are searched, the API's document and the
console's choices. Edges of any label are found by their label; for some labels also by what their data say.
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from functions.systems.graph.entity import DIRECTIONS, Direction

# What a value is: a text; a number, found by its size; a day; a place, found with all places below it; true or false.
Form = Literal["text", "number", "date", "place", "flag"]

NODES: Final[Mapping[str, Mapping[str, Form]]] = {
    "person": {"name": "text", "born": "date", "lives_in": "place", "skill": "text"},
    "team": {"name": "text"},
    "product": {"name": "text", "category": "text", "price": "number", "sold": "flag"},
    "service": {"name": "text", "state": "text", "since": "date", "stands_in": "place"},
}


class Path(NamedTuple):
    """By what the edges of a label are found, among those of a node: a name in their data, and its form.

    For each direction it costs a write unit more: from the node that an edge leaves, from the one that it points at.
    """

    name: str
    form: Form
    directions: tuple[Direction, ...] = DIRECTIONS


LABELS: Final[Mapping[str, Path]] = {
    "BOUGHT": Path("on", "date"),
    "FLIES_TO": Path("miles", "number", ("out",)),
}


class DeclarationError(Exception):
    """Two types declare an attribute of one name in two forms, but the list of nodes that have it has one order."""


def forms_of(nodes: Mapping[str, Mapping[str, Form]]) -> Mapping[str, Form]:
    """The form of each attribute; raises DeclarationError."""
    found: dict[str, Form] = {}
    for attributes in nodes.values():
        for name, form in attributes.items():
            if found.setdefault(name, form) != form:
                raise DeclarationError(f"{name} is declared as a {found[name]}, and as a {form}")
    return found


FORMS: Final = forms_of(NODES)
