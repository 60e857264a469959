"""Refills of rankings: when so many members have fallen below the floor that a ranking is short, the floor is lowered.

As with recounts, the writer that leaves a ranking short has written an item that says so (`Refilling`). That change is
in the stream, and the stream's second reader, the cascade, takes the next step, which is a write again. The first step
takes the floor away: from then on writers name everybody whom they judge. The others read the roster and name whoever
reaches the floor, which rises again as soon as there are enough names. The last one says that the names are complete.
"""

from collections.abc import Iterable
from functools import partial

from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.rankings import judging, roster, standings
from edgewise.aggregates.rankings.codec import refilling
from edgewise.aggregates.rankings.declaration import RankingId
from edgewise.aggregates.rankings.floor import Ranking
from edgewise.dynamodb.attributes import Item, key_of
from edgewise.dynamodb.table import Table

# A step reads so many pages of the roster at most, or until it has found so many members to look at.
PAGES, MEMBERS = 50, 2_000
_PARTS_A_PAGE = 100


def unfinished(catalog: Catalog, item: Item) -> RankingId:
    """The ranking that must be refilled, as its item says; raises KeyError, TypeError or ValueError."""
    found = RankingId.named(catalog.kinds, refilling(item))
    if found.key != key_of(item):
        raise ValueError(f"the item is not {found.plain}")
    return found


def go_on(table: Table, ranking_ids: Iterable[RankingId]) -> None:
    """Take the next step of the refill of each ranking that needs one.

    All its names are looked at again: whoever took the last step may have died before it did so.
    """
    for ranking_id in dict.fromkeys(ranking_ids):
        current = standings.stored(table, ranking_id)
        if current.refill:
            _fill(table, current)
        elif current.is_short:
            judging.change(table, current, lambda now: now.lowered() if now.is_short else now)
        else:
            numbers = standings.numbers(table, ranking_id, current.names)
            judging.change(table, current, partial(Ranking.judging, numbers=numbers))


def _fill(table: Table, current: Ranking) -> None:
    """Read some more of the roster, and name whoever reaches the floor."""
    refill = current.refill
    assert refill is not None
    members, position = _read(table, current, refill.position)
    numbers = standings.numbers(table, current.id, members | current.names)

    def filled(now: Ranking) -> Ranking:
        still = now.refill is not None and now.refill.is_at(refill)
        return now.filled(numbers, position) if still else now

    judging.change(table, current, filled)


def _read(table: Table, current: Ranking, position: str) -> tuple[set[str], str | None]:
    """The members to look at from a position on, and where to go on; None: the roster has no more."""
    whole, members = roster.whole(current.id), set[str]()
    for _ in range(PAGES):
        after = {"PK": whole.partition, "SK": position} if position else None
        page = table.query(whole.part(_PARTS_A_PAGE, after))
        members.update(*(roster.members(current, part) for part in page.items))
        if page.next is None:
            return members, None
        position = page.next["SK"]
        if len(members) >= MEMBERS:
            break
    return members, position
