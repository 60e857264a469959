"""Keys of the graph: partition NODE#type#id holds a node, its attributes, its edges and its degrees.

An edge stands in the partition of its source, and its mirror in that of its target; the two sort directly before the
node, and a pass along many of them, PASS#direction#label, after its attributes. What neighbours' states come to, named
ADJACENT#direction#label, and the node's summaries, ABOUT#run, are before the degrees, so one query reads all of them.

Edges whose label declares it are also in the index by target: in partition LINKS#direction#type#id#label, by what their
data say. Partition FIND#SHARDS#name says how many shards the list of attributes of a name has, in the index by value.

Partition RANK#label#direction has the roster of all nodes with such edges, RANK#label#direction#measure their ranking.
Partition SUMMARIES names the current generation of summaries, SUMMARIES#run has the nodes with the greatest PageRank.
"""

from collections.abc import Sequence
from decimal import Decimal
from typing import cast

from edgewise import Key, KeyTemplate, Partitions, ShardedList
from edgewise.dynamodb.keys import digest, join, prefix, split, take
from functions.systems.graph.declared import DERIVED
from functions.systems.graph.entity import OUT, Direction, EdgeName, NodeId

NODES = Partitions("NODE")
# In the index by value.
FIND = Partitions("FIND")
# In the index by target.
LINKS = Partitions("LINKS")
# The rankings, and the rosters of all nodes that they may name.
RANK = Partitions("RANK")
# What a generation of summaries has beside those of its nodes, and which one is current.
GENERATIONS = Partitions("SUMMARIES")
CURRENT = Key("SUMMARIES", "CURRENT")

NODE = "NODE"  # the name of a node's item, and the prefix of the keys of its attributes
ATTRIBUTES = prefix(NODE)
_EDGES, _MIRRORS = prefix("EDGE"), prefix("FROM")
# An edge, in the partition of its source; its mirror, in that of its target.
EDGE = KeyTemplate("NODE#{source}", "EDGE#{label}#{target}", source=NodeId, target=NodeId)
_MIRROR = KeyTemplate("NODE#{target}", "FROM#{label}#{source}", target=NodeId, source=NodeId)
# The node itself, which sorts directly before its attributes; and one of them.
NODE_ITEM = KeyTemplate("NODE#{node}", NODE, node=NodeId)
ATTRIBUTE = KeyTemplate("NODE#{node}", "NODE#{name}#{value}", node=NodeId, value=tuple[str, ...])
# How far a pass along a node's edges of a direction and label is; what the states of the neighbours there come to; the
# numbers of these edges, and those of a day.
PASSING = KeyTemplate("NODE#{node}", "PASS#{direction}#{label}", node=NodeId)
ADJACENT = KeyTemplate("NODE#{node}", "ADJACENT#{direction}#{label}", node=NodeId)
DEGREE = KeyTemplate("NODE#{node}", "DEGREE#{direction}#{label}", node=NodeId)
DEGREE_ON = KeyTemplate("NODE#{node}", "PER_DAY#{direction}#{label}#{day}", node=NodeId)
BEFORE_ADJACENT = prefix("ADJACENT")
# These sort after all degrees, and after all passes: in a key, the last character is followed by two digits.
AFTER_DEGREES, AFTER_PASSES = "DEGREE$", "PASS$"
# The summary of a node by a run; it sorts before the numbers of its edges.
SUMMARY = KeyTemplate("NODE#{node}", "ABOUT#{run}", node=NodeId)
SUMMARIES = prefix("ABOUT")
# How far a part of a generation is stored.
PART = KeyTemplate("SUMMARIES#{run}", "PART#{part}")
BY_PAGERANK = prefix("PAGERANK")
# A key has at most 1,024 bytes, so no key sorts after these.
_BEFORE_ALL, _AFTER_ALL = "$", "\U0010ffff" * 256


def node(of: NodeId) -> str:
    """The partition of a node."""
    return NODES(*of)


def parse_node(pk: str) -> NodeId:
    """The node of a partition; raises ValueError for another kind of key."""
    _, kind, node_id = take(pk, "NODE", 3)
    return NodeId(kind, node_id)


def attributes_of(name: str) -> ShardedList:
    """The list, in the index by value, of all attributes of a name."""
    return ShardedList(FIND, (name,))


def found(of: NodeId, value: Sequence[str]) -> str:
    """The sort key of a node in a list, by a value; an empty component ends the value."""
    return join(*value, "", digest(*of))


def values_equal(value: Sequence[str]) -> str:
    """The prefix of the keys of exactly this value."""
    return prefix(*value, "")


def values_beginning(text: str) -> str:
    """The prefix of the keys of all values that begin with this text."""
    return join(text)


def values_below(components: Sequence[str]) -> str:
    """The prefix of the keys of this place and of all places below it."""
    return prefix(*components)


def values_between(low: Sequence[str], high: Sequence[str]) -> tuple[str, str]:
    """The first and last key of the values from `low` on and before `high`; empty: from the first, to the last."""
    return join(*low) or _BEFORE_ALL, join(*high) or _AFTER_ALL


def mirror(source: NodeId, label: str, target: NodeId) -> Key:
    """The mirror of an edge, in the partition of its target."""
    return _MIRROR(target, label, source)


def parse_edge(pk: str, sk: str) -> EdgeName:
    """Source, label and target of an edge, or of a mirror; raises ValueError for another kind of key."""
    if sk.startswith(_MIRRORS):
        target, label, source = _MIRROR.parse(pk, sk)
    else:
        source, label, target = EDGE.parse(pk, sk)
    return source, label, target


def mirrored(key: Key) -> Key:
    """The key of the mirror of an edge, or of the edge of a mirror; raises ValueError for another kind of key."""
    name = parse_edge(*key)
    return mirror(*name) if key == EDGE(*name) else EDGE(*name)


def edges(direction: Direction, label: str | None) -> str:
    """The prefix of the keys of a node's edges of this direction, with this label or with any."""
    every = _EDGES if direction == OUT else _MIRRORS
    return every if label is None else every + prefix(label)


def edges_found(of: NodeId, direction: Direction, label: str) -> str:
    """The list, in the index by target, of a node's edges of a label by what their data say."""
    return LINKS(direction, *of, label)


def deriving(of: NodeId) -> Key | None:
    """The item with the state that a node derives of its neighbours; None if its type derives none."""
    rule = DERIVED.get(of.type)
    return ADJACENT(of, rule.direction, rule.label) if rule else None


def ranked(of: NodeId, direction: Direction, label: str) -> tuple[tuple[str, ...], str]:
    """What the rankings of a node's edges are about, and the name of the node in them."""
    return (label, direction), join(*of)


def degree_of(about: tuple[str, ...], member: str) -> tuple[NodeId, Direction, str]:
    """The inverse of `ranked`."""
    label, direction = about
    return ranked_node(member), cast(Direction, direction), label


def rankings(label: str, direction: str) -> str:
    """What the rankings of nodes by their edges have in common: it is the partition of their roster."""
    return RANK(label, direction)


def parse_ranking(pk: str) -> tuple[str, str]:
    """Label and direction of a ranking, or of the roster of its nodes; raises ValueError for another kind of key."""
    _, label, direction, *_measure = take(pk, RANK.name, 3)
    return label, direction


def ranked_node(member: str) -> NodeId:
    """The node of this name in a ranking."""
    return NodeId(*split(member))


def ranked_by_pagerank(run: str, pagerank: Decimal, of: NodeId) -> Key:
    """A node among those of a generation; PageRanks are between 0 and 1, so these texts sort as they do."""
    return Key(GENERATIONS(run), join("PAGERANK", f"{pagerank:.18f}", *of))


def parse_ranked(sk: str) -> NodeId:
    """The node ranked by PageRank; raises ValueError for another kind of key."""
    _, _, kind, node_id = take(sk, "PAGERANK", 4)
    return NodeId(kind, node_id)
