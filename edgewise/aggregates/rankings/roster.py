"""Rosters: all members of some rankings, for a refill, with the orders of magnitude of their numbers.

A writer enrols a member when one of its numbers gets a greater order of magnitude than ever before, which few changes
bring about; those that are put together go into one item. Nothing is ever taken off a roster, so it may name members
that are gone, or whose numbers have become smaller. But a member is always among them, at its present orders of
magnitude or at greater ones: it is enrolled before its aggregate is put, and the aggregate says at which.
"""

from collections.abc import Iterable, Iterator

from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.kinds import Kind
from edgewise.aggregates.rankings.declaration import RANKING, RankingId, ranked
from edgewise.aggregates.rankings.floor import Ranking
from edgewise.aggregates.rankings.magnitude import magnitude
from edgewise.dynamodb.attributes import Item, key_item, s, string
from edgewise.dynamodb.keys import Key, digest, join, prefix, split
from edgewise.dynamodb.queries import BeginsWith, Query

_NAME = "ROSTER"
# How many members one item has at most. Longest names take a kilobyte.
_TOGETHER = 250


def parts(aggregates: Iterable[Aggregate]) -> Iterator[Item]:
    """The items that enrol these aggregates; the same aggregates make the same items again."""
    entries: dict[str, list[str]] = {}
    for each in aggregates:
        ranking, member = ranked(each.id)[0]
        entries.setdefault(_partition(ranking), []).append(" ".join([member, *each.enrolled]))
    for partition, named in entries.items():
        for start in range(0, len(named), _TOGETHER):
            some = sorted(named[start : start + _TOGETHER])
            key = Key(partition, join(_NAME, digest(*some)))
            yield key_item(key) | {"Type": s(RANKING), "Members": {"SS": some}}


def whole(ranking_id: RankingId) -> Query:
    """The whole roster of a ranking, strongly consistent."""
    return Query(_partition(ranking_id), BeginsWith(prefix(_NAME)), consistent=True)


def members(ranking: Ranking, part: Item) -> set[str]:
    """The members in one item of a roster that may be at or above the ranking's floor, by their orders of magnitude."""
    position = list(ranking.id.declared.measures).index(ranking.id.measure)
    least = magnitude(ranking.floor.number) if ranking.floor else ""
    entries = (entry.split(" ") for entry in part["Members"]["SS"])
    return {member for member, *found in entries if found[position] >= least}


def named(kind: Kind, part: Item) -> Iterator[tuple[AggregateId, tuple[str, ...]]]:
    """The aggregates of a kind that an item of a roster names, each at its orders of magnitude; none of other kinds."""
    declared, pk = kind.ranked, string(part["PK"])
    if declared and "Members" in part and pk.startswith(declared.partitions.prefix):
        about = split(pk)[1:]
        for member, *found in (entry.split(" ") for entry in part["Members"]["SS"]):
            yield kind(*declared.together(about, member)), tuple(found)


def _partition(ranking_id: RankingId) -> str:
    return ranking_id.declared.partitions(*ranking_id.about)
