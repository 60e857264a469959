"""Writes and reads the graph's nodes and edges."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial

from edgewise import (
    ConcurrentChangeError,
    Condition,
    Delete,
    Item,
    Millis,
    NotFoundError,
    Position,
    Put,
    Query,
    RefusedError,
    Table,
    TransactionRefusedError,
    decoded,
    each,
)
from edgewise.dynamodb.attributes import key_of
from edgewise.dynamodb.queries import KeyCondition
from edgewise.dynamodb.throttling import CrowdedError
from edgewise.dynamodb.writes import Action
from edgewise.freshness import unfinished
from edgewise.sharding import listing, relief
from functions.errors import BeingDeletedError
from functions.systems.graph import cleanup, codec, dangling, keys, passes, patterns, prices, states
from functions.systems.graph.entity import Attribute, GraphEdge, Node, NodeId, State
from functions.systems.graph.passes import Pass

# How often a state is put again because somebody else has changed the node.
ATTEMPTS = 8


def put_node(table: Table, of: NodeId, attributes: Iterable[Attribute], now: Millis) -> tuple[State, Sequence[Pass]]:
    """Give a node exactly these attributes, in one transaction; unchanged attributes are not written.

    Returns its state, and the passes that bring it to its edges. Raises ConcurrentChangeError, or BeingDeletedError if
    a deleted node has more items left than one call may remove.
    """
    node, former, under_way = _read(table, replace(patterns.node(of), consistent=True))
    wanted = set(attributes)
    if node and node.deleting:
        if not cleanup.sweep(table, of).complete:
            raise BeingDeletedError("node", str(of))
        former = []
    elif node and wanted == set(former):
        return _state(table, node), under_way
    # A node that is created again never has a version of its predecessor: a late writer that has read the old node is
    # refused. For a day, the predecessor's version is known; later, versions that start at the clock are greater.
    version = node.version + 1 if node else now
    after = replace(node, version=version) if node and not node.deleting else Node(of, version, State(version))
    added = list(wanted.difference(former))
    actions: list[Action] = [
        Put(codec.node_item(after), Condition.at_version(node.version if node else 0)),
        *(Put(codec.attribute_item(of, *each)) for each in _sharded(table, of, added)),
        *(Delete(keys.ATTRIBUTE(of, each.name, each.value)) for each in set(former) - wanted),
        *([unfinished.done(node.left, keys.NODE_ITEM(of))] if node and node.left else ()),
    ]
    try:
        table.transact(actions)
    except TransactionRefusedError as refusal:
        raise ConcurrentChangeError("node", str(of)) from refusal
    except CrowdedError as error:
        # The first action is the node; those after the new attributes remove others, which more shards do not help.
        crowded = [each for position, each in enumerate(added, 1) if position in error.actions]
        relief.relieve(table, {keys.attributes_of(each.name) for each in crowded})
        raise
    return _state(table, after), under_way


def _sharded(table: Table, of: NodeId, added: Sequence[Attribute]) -> list[tuple[Attribute, int]]:
    """New attributes, each with its shard of the list of its name."""
    members = [(keys.attributes_of(each.name), keys.found(of, each.value)) for each in added]
    return list(zip(added, listing.shards_for(table, members), strict=True))


def put_state(table: Table, of: NodeId, name: str, measures: Mapping[str, Decimal]) -> State:
    """Give a node this state; the cascade tells it to the neighbours, which is charged with the change.

    Raises NotFoundError, ConcurrentChangeError.
    """
    at, numbers = keys.NODE_ITEM(of), prices.told(of)
    found = table.get_many([at, *numbers], consistent=True)
    item = found.pop(at, None)
    for _ in range(ATTEMPTS):
        node = _living(of, decoded(codec.node, item) if item else None)
        after = State(node.version + 1, name, tuple(sorted(measures.items())))
        if after._replace(version=node.state.version) == node.state:
            return node.state
        try:
            table.put_version(codec.node_item(replace(node, version=after.version, state=after)), node.version)
        except RefusedError as refusal:
            item = refusal.item
        else:
            table.usage.caused += prices.of_telling(table, found.values())
            return after
    raise ConcurrentChangeError("node", str(of))


def node(table: Table, of: NodeId) -> tuple[State, Sequence[Attribute], Sequence[Pass]]:
    """A node's state, its attributes, and the passes that bring its state to its edges; raises NotFoundError.

    One query, and one read if it derives its state.
    """
    node, attributes, under_way = _read(table, patterns.node(of))
    return _state(table, _living(of, node)), attributes, under_way


def _state(table: Table, node: Node) -> State:
    derived = keys.deriving(node.id)
    return codec.state(table.get(derived) or {}) if derived else node.state


def require(table: Table, of: NodeId) -> None:
    """Raise NotFoundError unless the node exists and is not being deleted."""
    item = table.get(keys.NODE_ITEM(of))
    _living(of, decoded(codec.node, item) if item else None)


def put_edge(table: Table, edge: GraphEdge) -> None:
    """Store an edge between two nodes, which must exist; raises NotFoundError that names the missing one.

    A read and a write: a transaction would lock a hub's node for every new edge. If a node is deleted between the two,
    the cascade removes the edge (functions.systems.graph.dangling); and it stores the mirror if the request can't.
    """
    items = codec.edge_items(edge)
    there = dangling.living(table, edge.ends, [of for item in items if (of := states.neighbour(key_of(item)))])
    for end in edge.ends:
        if end not in there:
            raise NotFoundError("node", str(end))
    table.put_many([states.told_by(there, item) for item in items])


def edge(table: Table, source: NodeId, label: str, target: NodeId) -> GraphEdge:
    """One edge; raises NotFoundError."""
    item = table.get(keys.EDGE(source, label, target))
    if item is None:
        raise NotFoundError("edge", f"{source} -{label}-> {target}")
    return decoded(codec.edge, item)


def delete_edge(table: Table, source: NodeId, label: str, target: NodeId) -> None:
    """Remove an edge, whether it exists or not."""
    for key in (keys.EDGE(source, label, target), keys.mirror(source, label, target)):
        table.write(Delete(key))


def search(
    table: Table, name: str, condition: KeyCondition, limit: int, after: Position | None
) -> tuple[list[tuple[NodeId, Attribute]], Position | None]:
    """One page of the attributes of a name that meet a condition, by value, each with its node, and the next position.

    One request for each shard of the list.
    """
    queries = partial(patterns.search, condition=condition)
    return listing.page(table, keys.attributes_of(name), queries, limit, after, codec.attribute)


def _read(table: Table, query: Query) -> tuple[Node | None, list[Attribute], list[Pass]]:
    node, attributes, under_way = list[Item](), list[Item](), list[Item]()
    for item in table.query(query).items:
        sk = key_of(item).sk
        (node if sk == keys.NODE else attributes if sk.startswith(keys.ATTRIBUTES) else under_way).append(item)
    return (
        decoded(codec.node, node[0]) if node else None,
        [attribute for _, attribute in each(table, codec.attribute, attributes)],
        each(table, passes.passing, under_way),
    )


def _living(of: NodeId, node: Node | None) -> Node:
    if node is None or node.deleting:
        raise NotFoundError("node", str(of))
    return node
