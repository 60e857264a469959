"""Tells a node's new state to its neighbours: in their partitions, the copies on their edges are replaced."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from secrets import randbits

from edgewise import (
    Condition,
    Delete,
    Item,
    Key,
    Put,
    RefusedError,
    Table,
    TransactionRefusedError,
    clock,
    decoded,
)
from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import key_of
from edgewise.dynamodb.renewal import insist
from edgewise.freshness import unfinished
from functions.systems.graph import cleanup, codec, dangling, keys, states
from functions.systems.graph.entity import Node, NodeId, State
from functions.systems.graph.passes import Pass, pass_item, passing

# How many edges of a node are filled at once; if it has more, so many with each step of a pass.
AT_ONCE, STEP = 100, 1000


def changed(new: Item, old: Item | None) -> Node | None:
    """The node, if it is being deleted, or if its state has changed."""
    if node := cleanup.pending(new, old):
        return node
    return codec.node(new) if old and codec.state(old) != codec.state(new) else None


def derived(new: Item, old: Item | None) -> NodeId | None:
    """The node whose derived state has changed."""
    of, *_ = keys.ADJACENT.parse(*key_of(new))
    return of if codec.state(new) != codec.state(old or {}) else None


def finish(table: Table, seen: Sequence[Node]) -> None:
    """Finish deletions, and tell new states."""
    for node in seen:
        if node.deleting:
            cleanup.finish(table, node)
    tell(table, {node.id for node in seen if not node.deleting})


def tell(table: Table, changed: Collection[NodeId]) -> None:
    """Fill the edges of nodes whose state has changed, or let passes do so."""
    wanted: dict[Key, State] = {}
    for node in dangling.living(table, (), changed).values():
        for way in _ways(node.id):
            page = table.query(way.edges.part(AT_ONCE))
            if page.next:
                _begin(table, way)
            else:
                wanted |= _copies(node.state, page.items)
    states.fill(table, wanted)


def go_on(table: Table, shown: Sequence[Pass]) -> None:
    """Let each of the passes take its next step if it is still where it was shown; if not, another record shows it."""
    for each in shown:
        if table.get(each.key) == pass_item(each):
            following = _step(table, each)
            if following is None:
                _end(table, each)
            else:
                _go_to(table, each, following)


def take_over(table: Table, nodes: Iterable[NodeId]) -> Iterator[None]:
    """Go along the edges to which these nodes still tell their states; yields between requests.

    Whose state changes meanwhile is left to the next time. Whatever is repeated changes nothing.
    """
    for found in _passes(table, nodes):
        for page in pages.every(table, replace(found.edges, after=None, limit=STEP)):
            if node := dangling.living(table, (), [found.of]).get(found.of):
                states.fill(table, _copies(node.state, page.items))
            yield
        _end(table, found)


def _passes(table: Table, nodes: Iterable[NodeId]) -> list[Pass]:
    """The passes of these nodes that the stream has left."""
    wanted = [way.key for node in nodes for way in _ways(node)]
    found = [decoded(passing, item) for item in table.get_many(wanted).values()]
    return [each for each in found if each.left]


def _ways(of: NodeId) -> Iterator[Pass]:
    """The passes that a change of a node's state may begin.

    Their versions begin at random: who has seen one that is over by now must not take the next one for it.
    """
    for direction, label in states.told_along(of):
        yield Pass(of, direction, label, randbits(53), clock.now())


def _begin(table: Table, new: Pass) -> None:
    """Begin a pass, or let the one under way go around once more."""

    def attempt() -> None:
        found = table.get(new.key)
        before = decoded(passing, found) if found else None
        if before:
            table.put_version(pass_item(before.renewed(clock.now())), before.version)
        else:
            table.transact([unfinished.noted(new.begun, new.key), Put(pass_item(new), Condition.ABSENT)])

    insist(new.key, attempt)


def _go_to(table: Table, before: Pass, after: Pass) -> None:
    """Store how far a pass is, unless it has been renewed meanwhile."""
    with suppress(RefusedError, TransactionRefusedError):
        if after.begun == before.begun:
            table.put_version(pass_item(after), before.version)
        else:
            put = Put(pass_item(after), Condition.at_version(before.version))
            noted = unfinished.noted(after.begun, after.key)
            table.transact([noted, unfinished.done(before.begun, before.key), put])


def _end(table: Table, found: Pass) -> None:
    """Remove a pass that is over, unless it has been renewed meanwhile."""
    with suppress(TransactionRefusedError):
        unchanged = Condition.at_version(found.version)
        table.transact([unfinished.done(found.begun, found.key), Delete(found.key, unchanged)])


def _step(table: Table, of: Pass) -> Pass | None:
    """The pass after its next step; None if it is over, or if its node is gone."""
    node = dangling.living(table, (), [of.of]).get(of.of)
    if node is None:
        return None
    page = table.query(replace(of.edges, limit=STEP))
    states.fill(table, _copies(node.state, page.items))
    return of.filled(len(page.items), page.next["SK"] if page.next else None)


def _copies(state: State, edges: Iterable[Item]) -> dict[Key, State]:
    """Where the neighbours on these edges have their copies of a state."""
    return {keys.mirrored(key_of(edge)): state for edge in edges}
