"""The states of nodes, and their copies on the edges at whose other ends they are counted.

A copy is only ever replaced by one of a later version, on condition that nobody changed the item meanwhile. Who stores
an edge reads the nodes first, so a state may change between the two. Therefore the cascade compares again, after
whatever may have made a copy old: a change of a node's state (functions/systems/graph/telling.py); and each change of
an edge or its mirror, unless it is itself a newer copy (functions/systems/graph/mirrors.py).
"""

from collections.abc import Iterator, Mapping

from edgewise import Item, Key, Table
from edgewise.dynamodb import renewal
from edgewise.dynamodb.attributes import key_of
from functions.systems.graph import codec, keys, outlines
from functions.systems.graph.declared import LABELS, TELLING
from functions.systems.graph.entity import IN, OUT, Direction, Node, NodeId, State


def told_along(of: NodeId) -> Iterator[tuple[Direction, str]]:
    """The edges to whose other ends a node tells its state: their direction, as the node sees it, and their label."""
    for label, direction in TELLING.get(of.type, ()):
        yield OUT if direction == IN else IN, label


def neighbour(key: Key) -> NodeId | None:
    """The node whose state the edge or mirror of this key tells; None if it tells none."""
    source, label, target = keys.parse_edge(*key)
    direction: Direction = OUT if key == keys.EDGE(source, label, target) else IN
    if label not in LABELS or direction not in LABELS[label].tells:
        return None
    return target if direction == OUT else source


def telling(item: Item, state: State) -> Item:
    """The item of an edge or a mirror that tells this state; its version stands for all that it says."""
    return renewal.versioned(codec.without_state(item) | codec.told(state))


def told_by(there: Mapping[NodeId, Node], item: Item) -> Item:
    """The item of an edge or a mirror that tells the state of its neighbour, if it tells any, as it is among these."""
    told = neighbour(key_of(item))
    return telling(item, there[told].state) if told else item


def only_newer(new: Item, old: Item) -> bool:
    """Whether a change of an edge or mirror is nothing but a newer copy of a state, or of what a fill has found."""
    if codec.without_neighbour(new) != codec.without_neighbour(old):
        return False
    return codec.state_version(new) > codec.state_version(old) or outlines.only_newer(new, old)


def fill(table: Table, wanted: Mapping[Key, State], known: Mapping[Key, Item] | None = None) -> None:
    """Let these edges and mirrors, as far as they exist, tell these states or newer ones.

    `known` are items as they were at some time. Raises UnprocessedError if others keep changing them.
    """

    def newer(key: Key, item: Item) -> Item | None:
        return telling(item, wanted[key]) if codec.state_version(item) < wanted[key].version else None

    renewal.renew(table, wanted, newer, known)
