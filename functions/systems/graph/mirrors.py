"""Mirrors: each edge is repeated in the partition of its target, so that it is found from there, strongly consistent.

A request writes both by plain puts, which cost half as much as a transaction. It may die between the two, or be
overtaken. So whenever one of the two changes, or goes, the cascade looks at the other, and if that says something else,
lets the mirror say what the edge says now. It writes on condition that the mirror is as it was read; whoever has
changed it meanwhile has made the cascade look again. Once nothing changes any more, the last look has found them equal.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from edgewise import Condition, Delete, Item, Key, Put, RefusedError, Table
from edgewise.derived import Copies, Stated
from edgewise.dynamodb import renewal
from edgewise.dynamodb.attributes import key_of, string
from functions.systems.graph import codec, dangling, keys, states
from functions.systems.graph.entity import EdgeName, GraphEdge


class Changed(NamedTuple):
    """An edge or a mirror after a change: its key, and its item, or None if it is gone. `added`: it is a new edge."""

    key: Key
    item: Item | None
    added: GraphEdge | None = None


def changed(new: Item, old: Item | None) -> Changed | None:
    """What a change shows, None if only a newer state was copied; raises KeyError, TypeError or ValueError."""
    if old and states.only_newer(new, old):
        return None
    edge = codec.edge(new)
    return Changed(key_of(new), new, edge if old is None and string(new["Type"]) == codec.EDGE else None)


def gone(old: Item) -> Changed:
    """What a removal shows."""
    return Changed(key_of(old), None)


def finish(table: Table, seen: Sequence[Changed]) -> None:
    """Remove new edges that lack an end, let the mirrors of the others say what the edges say, and both tell states."""
    others = {keys.mirrored(key): item and codec.mirrored(item) for key, item, _ in seen}
    found = table.get_many(list(others), consistent=True)
    known = {each.key: each.item for each in seen if each.item} | found
    tellers = {key: told for key in known if (told := states.neighbour(key))}
    added = [each.added for each in seen if each.added]
    there = dangling.living(table, (end for edge in added for end in edge.ends), tellers.values())
    dangling.remove(table, added, there)
    make_equal(table, [keys.parse_edge(*key) for key, item in others.items() if not _equal(found.get(key), item)])
    states.fill(table, {key: there[told].state for key, told in tellers.items() if told in there}, known)


def make_equal(table: Table, edges: Iterable[EdgeName]) -> None:
    """Let the mirrors of these edges say what the edges say now: three requests for each that does not, at most."""
    for name in dict.fromkeys(edges):
        key, at = keys.EDGE(*name), keys.mirror(*name)
        found = table.get_many([key, at], consistent=True)
        edge, mirror = found.get(key), found.get(at)
        right, unchanged = edge and codec.mirrored(edge), Condition.as_read(mirror)
        if not _equal(right, mirror):
            with suppress(RefusedError):
                table.write(Put(_in_place_of(mirror, right), unchanged) if right else Delete(at, unchanged))


def _equal(one: Item | None, other: Item | None) -> bool:
    if one is None or other is None:
        return one is other
    return codec.without_neighbour(one) == codec.without_neighbour(other)


def _in_place_of(former: Item | None, mirror: Item) -> Item:
    """A mirror that tells the same of its neighbour as the one that it replaces."""
    said = mirror | codec.of_neighbour(former or {})
    if states.neighbour(key_of(mirror)):
        return states.telling(said, codec.state(said))
    return renewal.versioned(said) if "Version" in said else mirror


def _told(edge: Item) -> Stated:
    return keys.mirrored(key_of(edge)), _content(edge)


def _said(mirror: Item) -> Stated:
    return key_of(mirror), _content(mirror)


def _content(item: Item) -> frozenset[str]:
    said = codec.edge(item)
    return frozenset({f"{said.weight} {said.data}"})


def _put_right(table: Table, at: Key) -> None:
    make_equal(table, [keys.parse_edge(*at)])


COPIES = Copies(
    name=codec.MIRROR,
    copies=(codec.MIRROR,),
    originals=(codec.EDGE,),
    told=_told,
    said=_said,
    single=True,
    put_right=_put_right,
)
