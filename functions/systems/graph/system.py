"""A graph: typed nodes that carry attributes, directed edges that carry a label, a weight and data."""

from collections.abc import Iterator
from decimal import Decimal

from edgewise import BY_TARGET, BY_VALUE, Extremal, Feed, FromSources, Item, Kind, Rankings, Read, Reader, Source
from edgewise.freshness import keys as freshness_keys
from edgewise.pending import FollowUp
from functions.search.withdrawals import WITHDRAWN
from functions.system import ByHand, Live, Rights, System, partition_of
from functions.systems.graph import codec, daily, keys, mirrors, passes, patterns, state_copies, telling, words
from functions.systems.graph.declared import FORMS, LEVELS
from functions.systems.graph.deriving import ALERTS, DerivedState
from functions.systems.graph.entity import (
    EDGES,
    MEASURE,
    Direction,
    NodeId,
    around_source,
    around_target,
    of_source,
    of_target,
)
from functions.systems.graph.passes import PASSES


def _edges_of(reader: Reader, node: NodeId, direction: Direction, label: str) -> Iterator[Item]:
    return reader.read(patterns.edges(node, direction, label))


_EDGES, _MIRRORS = Source(codec.EDGE, codec.edge), Source(codec.MIRROR, codec.edge)
DEGREE = Kind(
    name="DEGREE",
    rank=3,
    cells="edges of a node by direction and label: how many, sum of weights",
    readable_by_all=True,
    feeds=(Feed(_EDGES, of_source, follow_ups=1), Feed(_MIRRORS, of_target, follow_ups=1)),
    key=keys.DEGREE,
    sources=_edges_of,
    parts=(
        Rankings(
            partitions=keys.RANK,
            cell=EDGES,
            measures={
                "count": lambda cell: Decimal(cell.count),
                "weight": lambda cell: cell.total,
            },
            apart=keys.ranked,
            together=keys.degree_of,
        ),
    ),
)
DEGREE_ON = Kind(
    name="DEGREE_ON",
    rank=3,
    cells="edges of a node by direction, label and day: how many, sum of weights",
    readable_by_all=True,
    feeds=(Feed(_EDGES, daily.of_source, follow_ups=1), Feed(_MIRRORS, daily.of_target, follow_ups=1)),
    key=keys.DEGREE_ON,
    sources=lambda reader, node, direction, label, _day: _edges_of(reader, node, direction, label),
)
ADJACENT = Kind(
    name=codec.ADJACENT,
    rank=3,
    cells="neighbours of a node by direction and label: how many in which state; count, sum and extremes of measures",
    readable_by_all=True,
    # A mirror that a request could not store is stored by one, and told the state by another.
    feeds=(Feed(_EDGES, around_source, follow_ups=2), Feed(_MIRRORS, around_target, follow_ups=2)),
    # What is derived at one level is told to the next.
    rounds=max(LEVELS.values()) - 1,
    key=keys.ADJACENT,
    sources=_edges_of,
    parts=(
        DerivedState(),
        ALERTS,
        Extremal(
            FromSources(
                lambda _table, node, direction, label: iter((Read(patterns.edges(node, direction, label), MEASURE),))
            )
        ),
    ),
)
_SUMMARIES = ("NODE_SUMMARY", "NODE_RANKED", "SUMMARIES_PART", "SUMMARIES")

NUMBERS_CHANGE = Live(
    lambda type, id, **_: keys.node(NodeId(type, id)), dict.fromkeys((DEGREE.name, ADJACENT.name), partition_of)
)

SYSTEM = System(
    name="graph",
    rights=Rights(
        actions=("Query", "GetItem", "BatchGetItem", "PutItem", "BatchWriteItem", "DeleteItem", "ConditionCheckItem"),
        writes=(keys.NODES, keys.FIND, freshness_keys.UNFINISHED, WITHDRAWN),
        reads=(keys.CURRENT.pk,),
        queried={BY_VALUE: (keys.FIND,), BY_TARGET: (keys.LINKS,)},
    ),
    kinds=(DEGREE, DEGREE_ON, ADJACENT),
    unindexed=(codec.NODE, PASSES, *_SUMMARIES),
    by_hand=(
        ByHand("NODE_ATTRIBUTE", codec.attribute, codec.attribute_anew, BY_VALUE),
        ByHand(codec.EDGE, codec.edge, codec.edge_item),
        ByHand(codec.MIRROR, codec.edge, codec.mirror_item),
    ),
    copies=(mirrors.COPIES, state_copies.COPIES),
    unjudged={
        codec.EDGE: "whether both of its nodes exist: while one is being deleted, its edges go one by one",
        **dict.fromkeys(_SUMMARIES, "it tells of the instant of its fill; the next fill writes others"),
    },
    follow_ups={
        codec.NODE: FollowUp(telling.changed, telling.finish),
        ADJACENT.name: FollowUp(telling.derived, telling.tell),
        PASSES: FollowUp(passes.pending, telling.go_on),
        **dict.fromkeys((codec.EDGE, codec.MIRROR), FollowUp(mirrors.changed, mirrors.finish, mirrors.gone)),
    },
    live=(NUMBERS_CHANGE,),
    searchable=(words.NODES,),
    lists={keys.FIND: {"name": tuple(FORMS)}},
    ignored=_SUMMARIES,
    why={
        (BY_VALUE, keys.FIND.name): "nodes by the value of an attribute",
        (BY_TARGET, keys.LINKS.name): "a node's edges of a label by what their data say, if the label declares it",
    },
)
