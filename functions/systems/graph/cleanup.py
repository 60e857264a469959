"""Deleting a node with everything at it, in bounded steps that anybody may go on with.

First the node is marked: from then on nobody sees it, and who looks before they put an edge to it is refused. Edges of
those who looked before the mark may still come, also when the sweep is over: for them there is dangling.py beside this.
Then its attributes and its edges on both sides go, by transactions that hold only while the mark is there: who comes
late can't touch a node made anew. The mark itself is removed by the stream (functions.stream.follow_ups), by a run that
found nothing left. That run also ends what a call left unfinished, and looks once more through the index by target,
which may lag behind.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from functions.dynamodb import pages
from functions.dynamodb.attributes import Item, key_of
from functions.dynamodb.keys import Key
from functions.dynamodb.table import ACTIONS_PER_TRANSACTION, RefusedError, Table, TransactionRefusedError
from functions.dynamodb.writes import Check, Condition, Delete, Put, at_version
from functions.errors import ConcurrentChangeError
from functions.systems.graph import codec, keys, patterns
from functions.systems.graph.entity import Node, NodeId

# Transactions in one go: about 2,000 edges, some seconds.
STEPS = 20
_PER_STEP = ACTIONS_PER_TRANSACTION - 1  # one is the check
_MARKED = Condition(present=("Deleting",))


class Swept(NamedTuple):
    """How many items a sweep removed, and whether it came to the end."""

    removed: int
    complete: bool


def delete_node(table: Table, of: NodeId) -> bool:
    """Delete a node that may exist; False if more was at it than one call may remove: the stream goes on.

    Raises ConcurrentChangeError.
    """
    item = table.get(keys.node_item(of))
    if item is None:
        return True
    node = codec.node(item)
    if not node.deleting:
        try:
            table.write(_marked(node))
        except RefusedError as refusal:
            raise ConcurrentChangeError("node", str(of)) from refusal
    return sweep(table, of).complete


def sweep(table: Table, of: NodeId) -> Swept:
    """Remove what is at a marked node, at most STEPS transactions; nothing if the mark is gone."""
    guard = Check(keys.node_item(of), _MARKED)
    removed = 0
    for step, found in enumerate(_remains(table, of)):
        if step == STEPS:
            return Swept(removed, complete=False)
        try:
            table.transact([guard, *map(Delete, found)])
        except TransactionRefusedError:  # somebody else was faster
            return Swept(removed, complete=True)
        removed += len(found)
    return Swept(removed, complete=True)


def pending(new: Item, _old: Item | None) -> Node | None:
    """The node, if it is being deleted."""
    node = codec.node(new)
    return node if node.deleting else None


def finish(table: Table, node: Node) -> None:
    """Sweep once more; then remove the mark if nothing was left, else renew it, which brings it here again."""
    swept = sweep(table, node.id)
    is_clean = swept.complete and not swept.removed
    mark = Delete(keys.node_item(node.id), at_version(node.version)) if is_clean else _marked(node)
    try:
        table.write(mark)
    except RefusedError:
        return  # an old record: what has happened since has a record of its own


def _marked(node: Node) -> Put:
    marked = replace(node, version=node.version + 1, deleting=True)
    return Put(codec.node_item(marked), at_version(node.version))


def _remains(table: Table, of: NodeId) -> Iterator[list[Key]]:
    """What is at a node, as many as fit a step: what makes it found first."""
    own = (patterns.attributes(of), patterns.edges(of, "out"))
    for query in (*(replace(each, consistent=True) for each in own), patterns.edges(of, "in")):
        for page in pages.every(table, query.part(_PER_STEP)):
            if page.items:
                yield [key_of(item) for item in page.items]
