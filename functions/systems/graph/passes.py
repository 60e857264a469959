"""Passes: the state of a node with many edges is brought to all of them page by page.

A node has at most one pass along its edges of a label and direction. The stream leads it: each step fills the next page
with the state that the node has by then, and stores how far the pass is; the record of that is the next step. The edges
are a ring. If the state changes meanwhile, the pass goes around once from where it is, however often that happens.

A change that has more edges than the stream should take is left to the next fill, which goes along all of them.
"""

from dataclasses import dataclass, replace

from edgewise import Item, Key, Millis, Query
from edgewise.dynamodb.attributes import integer, key_item, key_of, n, s, string
from functions.systems.graph import keys, patterns
from functions.systems.graph.entity import Direction, NodeId

PASSES = "GRAPH_PASS"
# Of so many edges the stream tells a change. The others are left to a fill.
MOST = 1_000_000
_START = ""


@dataclass(frozen=True, slots=True)
class Pass:
    """A pass goes on after the sort key `reached`, around the ring, up to the sort key `until`; empty: the start.

    `told`: of how many edges, since the last change; once they are too many, later changes don't count anew.
    `begun`: when the first change came that is not at all edges; meanwhile no answer claims more than before. It is
    once the pass has come by `ends`; of what has changed since then, the first came at the instant `again`.
    """

    of: NodeId
    direction: Direction
    label: str
    version: int
    begun: Millis
    reached: str = _START
    until: str = _START
    told: int = 0
    again: Millis = 0
    ends: str = _START

    @property
    def left(self) -> bool:
        """Whether the stream leaves it to a fill."""
        return self.told >= MOST

    @property
    def key(self) -> Key:
        """Where it is stored."""
        return keys.PASSING(self.of, self.direction, self.label)

    @property
    def edges(self) -> Query:
        """The edges of the node that it goes along, after the last ones that it has filled."""
        after = {"PK": keys.node(self.of), "SK": self.reached} if self.reached else None
        return replace(patterns.edges(self.of, self.direction, self.label), consistent=True, after=after)

    def filled(self, edges: int, last: str | None) -> "Pass | None":
        """The pass once so many edges, up to this sort key, are filled; None: all that follow. None if it is over."""
        if self._comes_by(self.until, last):
            return None
        moved = replace(self, version=self.version + 1, reached=last or _START, told=self.told + edges)
        return replace(moved, begun=self.again, again=0) if self.again and self._comes_by(self.ends, last) else moved

    def renewed(self, now: Millis) -> "Pass":
        """The pass if it has to go around once more from where it is."""
        told, ends = self.told if self.left else 0, self.ends if self.again else self.until
        return replace(
            self, version=self.version + 1, until=self.reached, told=told, again=self.again or now, ends=ends
        )

    def _comes_by(self, place: str, last: str | None) -> bool:
        """Whether a sort key is among those that follow, up to this one; None: to the end, where the ring starts."""
        return last is None if place == _START else self.reached < place and (last is None or place <= last)


def pass_item(of: Pass) -> Item:
    """A pass, in the partition of its node."""
    return key_item(of.key) | {
        "Type": s(PASSES),
        "Version": n(of.version),
        "Begun": n(of.begun),
        "Reached": s(of.reached),
        "Until": s(of.until),
        "Told": n(of.told),
        "Again": n(of.again),
        "Ends": s(of.ends),
    }


def passing(item: Item) -> Pass:
    """The inverse of pass_item."""
    node, direction, label = keys.PASSING.parse(*key_of(item))
    version, begun, told, again = (integer(item[name]) for name in ("Version", "Begun", "Told", "Again"))
    reached, until, ends = (string(item[name]) for name in ("Reached", "Until", "Ends"))
    return Pass(node, direction, label, version, begun, reached, until, told, again, ends)


def pending(new: Item, _old: Item | None) -> Pass | None:
    """The pass that goes on; None if a fill takes it over."""
    found = passing(new)
    return None if found.left else found
