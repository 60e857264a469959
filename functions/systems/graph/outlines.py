"""What a fill has found of nodes, in short, on the edges at whose other ends they are.

So one query for the edges of a node also tells what is known of its neighbours, each with the instant that it is from.
Most of it stays the same from fill to fill: an edge is written only if a number has changed by more than a tenth, if
the node is in another component, or before what the edge says is too old to be shown.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import partial
from itertools import islice

from edgewise import Item, Key, Table, clock
from edgewise.dynamodb import renewal
from edgewise.dynamodb.attributes import key_of, string
from edgewise.dynamodb.pages import every
from functions.systems.graph import codec, keys, patterns
from functions.systems.graph.codec import EDGE, MIRROR
from functions.systems.graph.entity import NodeId, Outline
from functions.systems.graph.summary import KEPT, Generation, Summary

# A number that differs by more than this share of what it was is news.
NEWS = Decimal("0.1")
# So many edges are looked at in one request.
_AT_ONCE = 100


def tell(table: Table, of: Generation, found: Iterable[Summary]) -> Iterator[None]:
    """Let the edges at whose other ends these nodes are say what was found; yields between requests.

    Whatever is repeated changes nothing. Raises UnprocessedError if others keep changing the same edges.
    """
    wanted = ((key, outline(of, summary)) for summary in found for key in _edges_to(table, summary.node))
    while some := dict(islice(wanted, _AT_ONCE)):
        renewal.renew(table, some, partial(_renewed, some), table.get_many(list(some)))
        yield


def outline(of: Generation, summary: Summary) -> Outline:
    """A summary in short."""
    return Outline(
        of.at,
        summary.pagerank,
        summary.component,
        summary.component_nodes,
        summary.two.nodes,
        summary.three.nodes,
        summary.two.at_least or summary.three.at_least,
    )


def is_shown(told: Outline) -> bool:
    """Whether what an edge says is not too old to be shown."""
    return clock.now() < told.at + KEPT


def only_newer(new: Item, old: Item) -> bool:
    """Whether a change of an edge is nothing but what a newer fill has found."""
    told, before = codec.outline(new), codec.outline(old)
    return codec.state(new) == codec.state(old) and told is not None and (before is None or told.at > before.at)


def _edges_to(table: Table, node: NodeId) -> Iterator[Key]:
    """The keys of the edges and mirrors that other nodes have of this one."""
    for page in every(table, replace(patterns.neighbourhood(node), consistent=False)):
        yield from (keys.mirrored(key_of(item)) for item in page.items if string(item["Type"]) in (EDGE, MIRROR))


def _renewed(wanted: Mapping[Key, Outline], key: Key, item: Item) -> Item | None:
    if not is_news(wanted[key], codec.outline(item)):
        return None
    return renewal.versioned(item | codec.outlined(wanted[key]))


def is_news(told: Outline, before: Outline | None) -> bool:
    """Whether an edge should be written to say this in place of what it says."""
    if before is None or told.at - before.at > KEPT // 2:
        return before is None or told.at > before.at
    if told.at <= before.at:
        return False
    return told.component != before.component or any(map(_differ, _numbers(told), _numbers(before)))


def _numbers(of: Outline) -> tuple[Decimal, ...]:
    return of.pagerank, *map(Decimal, (of.component_nodes, of.two, of.three))


def _differ(new: Decimal, old: Decimal) -> bool:
    return abs(new - old) > old * NEWS
