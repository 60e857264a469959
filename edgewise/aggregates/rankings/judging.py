"""Keeps rankings right: judges aggregates by their rankings once they are stored (edgewise.aggregates.rankings.floor).

It makes one request to read all rankings of a batch, and writes only those that somebody enters or leaves. It judges
the aggregates that a batch has found up to date too: whoever wrote them may have died before it could judge them.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import partial

from edgewise.aggregates import keys
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.rankings import roster, standings
from edgewise.aggregates.rankings.codec import ranking, ranking_item
from edgewise.aggregates.rankings.declaration import RankingId, ranked
from edgewise.aggregates.rankings.floor import Numbers, Ranking
from edgewise.aggregates.stored import aggregate
from edgewise.clock import MayGoOn
from edgewise.dynamodb.table import RefusedError, Table
from edgewise.dynamodb.writes import Put
from edgewise.errors import PassingError
from edgewise.failures import PoisonError, sorted_out

# How many times to try to change a ranking that others keep changing.
ATTEMPTS = 50

# What a ranking is to become; it is asked again if the ranking has been changed in between.
Decide = Callable[[Ranking], Ranking]


class UnjudgedError(PassingError):
    """A ranking could not be changed in time, or others kept changing it; the batch is delivered again."""

    def __init__(self, ranking_id: RankingId) -> None:
        super().__init__(f"there was no time or no chance to change the ranking {ranking_id.plain}")


def judge(table: Table, stored: Mapping[AggregateId, Aggregate | None], may_go_on: MayGoOn) -> dict[AggregateId, str]:
    """Bring the rankings of some aggregates up to date; returns those that a ranking can't take, with the reason.

    `stored` has the aggregates as this batch has written them, or None for those to be read as they are now. Only those
    that readers ask for have a place. Raises UnjudgedError.
    """
    placed = {about: known for about, known in stored.items() if about.kind.ranked and about.is_read}
    if not placed:
        return {}
    by_ranking, lacking = _by_ranking(_as_stored(table, placed)), dict[AggregateId, str]()
    found = table.get_many([each.key for each in by_ranking], consistent=True)
    for ranking_id, numbers in by_ranking.items():
        try:
            with sorted_out():
                known = ranking(ranking_id, found.get(ranking_id.key))
                change(table, known, partial(Ranking.judging, numbers=numbers), may_go_on)
        except PoisonError as poison:
            lacking |= {ranking_id.aggregate(member): poison.reason for member in numbers}
    return lacking


def enrol_risen(table: Table, changed: Iterable[tuple[Aggregate, Aggregate]]) -> None:
    """Put those on their rosters that rise, of aggregates that were read as the first, and are to be the second."""
    enrol(table, [after for before, after in changed if before.enrolled != after.enrolled])


def enrol(table: Table, risen: Iterable[Aggregate]) -> None:
    """Put these aggregates on their rosters, before they are stored: the writer may die in between."""
    for part in roster.parts(each for each in risen if each.enrolled):
        table.write(Put(part))


def change(table: Table, known: Ranking, decide: Decide, may_go_on: MayGoOn = lambda: True) -> None:
    """Change a ranking by compare and set, in a way that depends on how it is stored.

    Members that it did not name before are looked at once more, and all members after the floor was raised: another
    writer may have found that they had no place, and nothing to do about that, before they were named, or while the
    floor was lower.
    """
    for _ in range(ATTEMPTS):
        wanted = decide(known)
        if wanted == known:
            return
        if not may_go_on():
            break
        after = replace(_in_bounds(table, wanted, known), version=known.version + 1)
        try:
            table.put_version(ranking_item(after), replaces=known.version)
        except RefusedError as refusal:
            current = ranking(known.id, refusal.item)
            if current != after:  # else an earlier try was taken, and its answer lost
                known = current
                continue
        doubtful = after.names if after.floor != known.floor else after.names - known.names
        numbers = standings.numbers(table, known.id, doubtful)
        known, decide = after, partial(Ranking.judging, numbers=numbers)
    raise UnjudgedError(known.id)


def _in_bounds(table: Table, wanted: Ranking, known: Ranking) -> Ranking:
    """The wanted ranking after the second look at whoever was unsure; pruned if it has too many names."""
    if known.unsure:
        wanted = wanted.settled(standings.numbers(table, known.id, known.unsure))
    if not wanted.is_long:
        return wanted
    return wanted.pruned(standings.numbers(table, known.id, wanted.names), known.names)


def _by_ranking(aggregates: Iterable[Aggregate]) -> Mapping[RankingId, Numbers]:
    """The numbers of each ranking's members among these aggregates."""
    found: defaultdict[RankingId, dict[str, Decimal | None]] = defaultdict(dict)
    for each in aggregates:
        for ranking_id, member in ranked(each.id):
            found[ranking_id][member] = ranking_id.number(each.cells)
    return found


def _as_stored(table: Table, stored: Mapping[AggregateId, Aggregate | None]) -> list[Aggregate]:
    unknown = {keys.of(about): about for about, known in stored.items() if known is None}
    items = table.get_many(list(unknown), consistent=True) if unknown else {}
    read = [aggregate(about, items.get(key)) for key, about in unknown.items()]
    return [*read, *(known for known in stored.values() if known is not None)]
