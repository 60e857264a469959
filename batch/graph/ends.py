"""What the job needs to know of the items of an export: nodes, and edges by the names of their ends."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from batch import exports
from batch.exports import Part
from batch.graph.skeleton import units
from edgewise.aggregates.measures import MAX_DECIMALS
from edgewise.dynamodb.attributes import Item
from functions.systems.graph import codec, keys
from functions.systems.graph.entity import GraphEdge, Node

_WHOLE: int = 10**MAX_DECIMALS


class Ends(NamedTuple):
    """The ends of an edge, and its weight: the whole part, and so many 1e-18 (both fit into 64 bits).

    Of a node there is no target, of an item that can't be read nothing at all.
    """

    source: str | None = None
    target: str | None = None
    whole: int | None = None
    rest: int | None = None


def items(files: Iterable[tuple[Part, bytes]]) -> Iterator[Item]:
    """The items of some files of an export; raises TornExportError."""
    return (item for part, packed in files for item in exports.items(part, packed))


def ends(items: Iterable[Item]) -> Iterator[Ends]:
    """The nodes and edges among some items. A node that is being deleted is none, unless it has edges still."""
    for found in decoded(items):
        match found:
            case None:
                yield Ends()
            case GraphEdge(source, _, target, weight):
                yield Ends(keys.node(source), keys.node(target), *divmod(units(weight), _WHOLE))
            case Node(name) if not found.deleting:
                yield Ends(keys.node(name))


def decoded(items: Iterable[Item]) -> Iterator[Node | GraphEdge | None]:
    """The nodes and edges among some items; None is one that can't be read."""
    for item in items:
        try:
            match item["Type"]["S"]:
                case "NODE":
                    yield codec.node(item)
                case "GRAPH_EDGE":
                    yield codec.edge(item)
        except (ArithmeticError, LookupError, TypeError, ValueError):
            yield None


def together(whole: int, rest: int) -> int:
    """The units of a weight, or of a sum, from its parts."""
    return whole * _WHOLE + rest
