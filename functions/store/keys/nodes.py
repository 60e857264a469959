"""Keys of nodes: in a node's partition EDGE# alone is its summary, which stands before all its edges."""

from functions.store.keys.grammar import prefix, split, take

NODE_SUMMARY = EDGES = prefix("EDGE")


def edge_target(sk: str) -> tuple[str, ...]:
    """The components of the node that an edge points at: room, device, child, or the path of a place."""
    return take(sk, "EDGE", 4)[3:]


def name(pk: str) -> str:
    """The id of a node that has one component; raises ValueError for another kind of key."""
    _, found = split(pk)
    return found


def node(pk: str) -> tuple[str, ...]:
    """The components of a node, without its type: (amy,) for USER#amy, the path of a place."""
    return split(pk)[1:]
