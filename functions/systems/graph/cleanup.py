"""Deletes a node with its attributes and edges, in bounded steps that any call may continue.

First the node is marked, and noted as withdrawn: from then on it is invisible, and a writer that checks it before
storing an edge is refused. Writers that checked before the mark may still store edges, even after the sweep;
dangling.py in this folder removes these. Then transactions remove its attributes and its edges on both sides. They
succeed only while the mark exists, so a late one can't touch a node that was created again. A run of the cascade
(edgewise.stream.follow_ups) finishes the work that a call left; one that finds nothing left lets the mark expire. It
stays for a day: a node that is created again must have a greater version than its predecessor, and clocks alone don't
give it one.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from edgewise import (
    Check,
    ConcurrentChangeError,
    Condition,
    Delete,
    Item,
    Key,
    Millis,
    Put,
    Query,
    RefusedError,
    Table,
    TransactionRefusedError,
    clock,
)
from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import key_of
from edgewise.dynamodb.table import ACTIONS_PER_TRANSACTION
from edgewise.dynamodb.writes import Action
from edgewise.freshness import unfinished
from edgewise.times import DAY
from functions.search import withdrawals
from functions.search.engine import EVERYBODY, Address
from functions.systems.graph import codec, keys, patterns, prices, words
from functions.systems.graph.entity import DIRECTIONS, Node, NodeId

# Transactions per call: about 1,000 edges, some seconds.
STEPS = 20
# For how long the version of a deleted node is kept: no request and no delivery lasts longer.
KEPT = DAY
_PER_STEP = ACTIONS_PER_TRANSACTION - 1  # one is the check
_EDGES_PER_STEP = _PER_STEP // 2  # each with its mirror
_MARKED = Condition(present=("Deleting",))


class Swept(NamedTuple):
    """How many items a sweep removed, and whether it finished."""

    removed: int
    complete: bool


def delete_node(table: Table, of: NodeId) -> bool:
    """Delete a node that may exist; False if it had more items than one call may remove: the cascade continues.

    Whoever marks it is charged for what is left to the cascade. Raises ConcurrentChangeError.
    """
    item = table.get(keys.NODE_ITEM(of))
    if item is None:
        return True
    node = codec.node(item)
    if not node.deleting:
        marked, thing = _marked(node), Address(words.NODES.kind, keys.NODE_ITEM(of))
        try:
            table.transact([marked, withdrawals.withdrawal(EVERYBODY, thing, node.version + 1)])
        except TransactionRefusedError as refusal:
            raise ConcurrentChangeError("node", str(of)) from refusal
        table.usage.caused += withdrawals.REMOVED
    swept = sweep(table, of)
    if not (swept.complete or node.deleting):
        table.usage.caused += prices.of_removal(table, of, swept.removed // 2)
    return swept.complete


def sweep(table: Table, of: NodeId) -> Swept:
    """Remove the items of a marked node, in at most STEPS transactions; nothing if the mark is gone."""
    guard = Check(keys.NODE_ITEM(of), _MARKED)
    removed = 0
    for step, found in enumerate(_remains(table, of)):
        if step == STEPS:
            return Swept(removed, complete=False)
        try:
            table.transact([guard, *map(Delete, found)])
        except TransactionRefusedError:  # another writer was faster
            return Swept(removed, complete=True)
        removed += len(found)
    return Swept(removed, complete=True)


def pending(new: Item, _old: Item | None) -> Node | None:
    """The node, if it is being deleted."""
    node = codec.node(new)
    return node if node.deleting and node.forgotten is None else None


def finish(table: Table, node: Node) -> None:
    """Sweep once more; then let the mark expire if nothing was left, else renew it, which causes another run.

    How far follow-ups are is not told meanwhile.
    """
    swept, now, key = sweep(table, node.id), clock.now(), keys.NODE_ITEM(node.id)
    notes: list[Action] = []
    if swept.complete and not swept.removed:
        mark = _marked(node, forgotten=now + KEPT)
        notes += [unfinished.done(node.left, key)] if node.left else []
    else:
        mark = _marked(node, left=node.left or now)
        notes += [] if node.left else [unfinished.noted(now, key)]
    # Refused is an old record: later changes have their own records.
    with suppress(RefusedError, TransactionRefusedError):
        if notes:
            table.transact([*notes, mark])
        else:
            table.write(mark)


def _marked(node: Node, *, forgotten: Millis | None = None, left: Millis | None = None) -> Put:
    marked = Node(node.id, node.version + 1, node.state, deleting=True, forgotten=forgotten, left=left)
    return Put(codec.node_item(marked), Condition.at_version(node.version))


def _remains(table: Table, of: NodeId) -> Iterator[list[Key]]:
    """The items of a node, as many as fit into one step; first those by which a search finds it."""
    yield from _found(table, patterns.attributes(of), _PER_STEP)
    for direction in DIRECTIONS:
        for edges in _found(table, patterns.edges(of, direction), _EDGES_PER_STEP):
            yield [*edges, *map(keys.mirrored, edges)]


def _found(table: Table, query: Query, limit: int) -> Iterator[list[Key]]:
    for page in pages.every(table, replace(query, consistent=True).part(limit)):
        if page.items:
            yield [key_of(item) for item in page.items]
