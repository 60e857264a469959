"""Keys of nodes: in a node's partition EDGE# alone is its summary, which stands before all its edges."""

from functions.store.keys.grammar import prefix, split, take

NODE_SUMMARY = EDGES = prefix("EDGE")


def edge_target(sk: str) -> tuple[str, ...]:
    """The components of the node that an edge points at: room, device, child, or the path of a place."""
    return take(sk, "EDGE", 4)[3:]


def node(pk: str) -> tuple[str, ...]:
    """The components of a node, without its type: (amy,) for USER#amy, the path of a place."""
    return split(pk)[1:]
