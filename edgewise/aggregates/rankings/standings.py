"""Reads of rankings and of the numbers of their members, all strongly consistent."""

from collections.abc import Iterable, Mapping, Set
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from edgewise.aggregates import keys
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.rankings.codec import ranking
from edgewise.aggregates.rankings.declaration import ROBBED, RankingId
from edgewise.aggregates.rankings.floor import Numbers, Ranking, best_first, place
from edgewise.aggregates.stored import aggregate
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.decoding import decoded
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import Table


class Standing(NamedTuple):
    """A member's place in a ranking; equal numbers share a rank."""

    rank: int
    member: str
    number: Decimal


class Top(NamedTuple):
    """The first members of a ranking.

    Not `complete`: others may belong there, and are still being looked for; or the number of one lacks something.
    `as_of`: until when every change is in the numbers, in UTC; None: nobody has asked, or can tell.
    """

    standings: list[Standing]
    complete: bool
    as_of: datetime | None = None


def stored(table: Table, ranking_id: RankingId) -> Ranking:
    """A ranking as it is."""
    return _decoded(ranking_id, table.get(ranking_id.key))


def numbers(table: Table, ranking_id: RankingId, members: Iterable[str]) -> Numbers:
    """The numbers of these members, None for those without a place; a hundred in a request."""
    named = frozenset(members)
    return _numbers(ranking_id, _aggregates(ranking_id, named, _items(table, ranking_id, named)))


def top(table: Table, ranking_id: RankingId, limit: int) -> Top:
    """The first members of a ranking, greatest number first; if several are tied at the end, any of them.

    `limit` is at most TOP. One read of the ranking, and one of its members for each hundred of them.
    """
    found = stored(table, ranking_id)
    return first(found, members(table, found), limit)


def members(table: Table, found: Ranking, *beside: Key) -> Mapping[Key, Item]:
    """The items of all whom a ranking names, and what is to be read with them: a hundred in a request."""
    return _items(table, found.id, found.named, *beside)


def first(found: Ranking, items: Mapping[Key, Item], limit: int) -> Top:
    """The first members of a ranking, whose items were read after it."""
    named = _aggregates(found.id, found.named, items)
    numbered = _numbers(found.id, named)
    robbed = {member for member, number in numbered.items() if number == ROBBED}
    best, standings = best_first(numbered, found.named - robbed)[:limit], list[Standing]()
    for position, member in enumerate(best, 1):
        number = place(member, numbered).number
        tied = standings and standings[-1].number == number
        standings.append(Standing(standings[-1].rank if tied else position, member, number))
    known = found.complete_from
    complete = known is None or (len(best) == limit and place(best[-1], numbered) >= known)
    return Top(standings, complete and not (robbed or any(each.lacks for each in named.values())))


def _items(table: Table, ranking_id: RankingId, named: Set[str], *beside: Key) -> Mapping[Key, Item]:
    wanted = [*(keys.of(ranking_id.aggregate(member)) for member in sorted(named)), *beside]
    return table.get_many(wanted, consistent=True) if wanted else {}


def _aggregates(ranking_id: RankingId, named: Set[str], items: Mapping[Key, Item]) -> Mapping[str, Aggregate]:
    """The aggregates of these members."""
    abouts = {member: ranking_id.aggregate(member) for member in sorted(named)}
    return {member: aggregate(about, items.get(keys.of(about))) for member, about in abouts.items()}


def _numbers(ranking_id: RankingId, named: Mapping[str, Aggregate]) -> Numbers:
    return {member: ranking_id.number(each.cells) for member, each in named.items()}


def _decoded(ranking_id: RankingId, item: Item | None) -> Ranking:
    return decoded(lambda found: ranking(ranking_id, found), item) if item else ranking(ranking_id, None)
