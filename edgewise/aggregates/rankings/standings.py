"""Reads of rankings and of the numbers of their members, all strongly consistent."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import NamedTuple

from edgewise.aggregates import keys
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.rankings.codec import ranking
from edgewise.aggregates.rankings.declaration import RankingId
from edgewise.aggregates.rankings.floor import Numbers, Ranking, best_first, place
from edgewise.aggregates.stored import aggregate
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.decoding import decoded
from edgewise.dynamodb.table import Table


class Standing(NamedTuple):
    """A member's place in a ranking; equal numbers share a rank."""

    rank: int
    member: str
    number: Decimal


class Top(NamedTuple):
    """The first members of a ranking.

    Not `complete`: others may belong there, and are still being looked for; or the number of one lacks something.
    """

    standings: list[Standing]
    complete: bool


def stored(table: Table, ranking_id: RankingId) -> Ranking:
    """A ranking as it is."""
    return _decoded(ranking_id, table.get(ranking_id.key))


def numbers(table: Table, ranking_id: RankingId, members: Iterable[str]) -> Numbers:
    """The numbers of these members, None for those without a place; a hundred in a request."""
    return _numbers(ranking_id, _aggregates(table, ranking_id, members))


def top(table: Table, ranking_id: RankingId, limit: int) -> Top:
    """The first members of a ranking, greatest number first; if several are tied at the end, any of them.

    `limit` is at most TOP. One read of the ranking, and one of its members for each hundred of them.
    """
    return first(table, ranking_id, table.get(ranking_id.key), limit)


def first(table: Table, ranking_id: RankingId, item: Item | None, limit: int) -> Top:
    """The same, of a ranking with this item."""
    found = _decoded(ranking_id, item)
    named = _aggregates(table, ranking_id, found.named)
    numbered = _numbers(ranking_id, named)
    best, standings = best_first(numbered, found.named)[:limit], list[Standing]()
    for position, member in enumerate(best, 1):
        number = place(member, numbered).number
        tied = standings and standings[-1].number == number
        standings.append(Standing(standings[-1].rank if tied else position, member, number))
    known = found.complete_from
    complete = known is None or (len(best) == limit and place(best[-1], numbered) >= known)
    return Top(standings, complete and not any(each.lacks for each in named.values()))


def _aggregates(table: Table, ranking_id: RankingId, members: Iterable[str]) -> Mapping[str, Aggregate]:
    """The aggregates of these members."""
    abouts = {member: ranking_id.aggregate(member) for member in sorted(set(members))}
    items = table.get_many([keys.of(about) for about in abouts.values()], consistent=True) if abouts else {}
    return {member: aggregate(about, items.get(keys.of(about))) for member, about in abouts.items()}


def _numbers(ranking_id: RankingId, named: Mapping[str, Aggregate]) -> Numbers:
    return {member: ranking_id.number(each.cells) for member, each in named.items()}


def _decoded(ranking_id: RankingId, item: Item | None) -> Ranking:
    return decoded(lambda found: ranking(ranking_id, found), item) if item else ranking(ranking_id, None)
