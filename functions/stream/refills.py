"""Refills of rankings: when so many members have fallen below the floor that a ranking is short, the floor is lowered.

As with recounts, the writer that leaves a ranking short has written an item that says so (`Refilling`). That change is
in the stream, and the stream's second reader, the cascade, takes the next step, which is a write again. The first step
lowers the floor: from then on writers add whoever reaches it. The others read the list of all members, from the
greatest magnitude down to that of the floor, and add whoever reaches it and was not named. The last one says that the
names are complete again.
"""

from collections.abc import Iterable, Sequence

from functions.aggregates import listings, standings
from functions.aggregates.catalog import Catalog
from functions.aggregates.ranked import RankingId, ranked
from functions.aggregates.ranking import KEPT, Numbers, Place, Position, Ranking, best_first, place
from functions.aggregates.ranking_items import refilling
from functions.dynamodb import merge
from functions.dynamodb.attributes import Item, key_of
from functions.dynamodb.queries import Query
from functions.dynamodb.table import Table
from functions.stream import rankings

# How many of the greatest entries of the list are looked at to find the new floor; and how many entries a step reads.
LOOKED_AT, ITEMS = 500, 2_000


def unfinished(catalog: Catalog, item: Item) -> RankingId:
    """The ranking that must be refilled, as its item says; raises KeyError, TypeError or ValueError."""
    found = catalog.ranking(refilling(item))
    if found.key != key_of(item):
        raise ValueError(f"the item is not {found.plain}")
    return found


def go_on(table: Table, ranking_ids: Iterable[RankingId]) -> None:
    """Take the next step of the refill of each ranking that needs one."""
    for ranking_id in dict.fromkeys(ranking_ids):
        current = standings.stored(table, ranking_id)
        if current.refill:
            _fill(table, current)
        elif current.is_short:
            _begin(table, current)


def _begin(table: Table, current: Ranking) -> None:
    """Lower the floor, to one that enough of the members with the greatest magnitudes reach."""
    entries = merge.top(table, listings.listed(current.id), LOOKED_AT)
    numbers = standings.numbers(table, current.id, current.named | set(_members(current.id, entries)))
    floor = _floor(numbers, everybody=len(entries) < LOOKED_AT)
    least = listings.magnitude(floor.number) if floor else ""
    rankings.change(table, current, lambda now: now.lowered(floor, least) if now.is_short else now)


def _floor(numbers: Numbers, *, everybody: bool) -> Place | None:
    """The place of the last of the KEPT best; None: there are no more, so all that have a place shall be named."""
    best = best_first(numbers, numbers)[:KEPT]
    return place(best[-1], numbers) if best and not (everybody and len(best) < KEPT) else None


def _fill(table: Table, current: Ranking) -> None:
    """Read some more of the list, and name whoever reaches the floor."""
    refill = current.refill
    assert refill is not None
    entries, position = _read(table, listings.listed(current.id, refill.least), refill.position)
    numbers = standings.numbers(table, current.id, _members(current.id, entries))

    def filled(now: Ranking) -> Ranking:
        still = now.refill is not None and now.refill.is_at(refill)
        return now.filled(numbers, position) if still else now

    rankings.change(table, current, filled)


def _read(table: Table, queries: Sequence[Query], position: Position) -> tuple[list[Item], Position | None]:
    """Some entries from a position on, and where to go on; None: there are no more."""
    found: list[Item] = []
    while len(found) < ITEMS:
        page = table.query(queries[position.shard].part(ITEMS - len(found), position.after))
        found += page.items
        position = Position(position.shard, page.next) if page.next else Position(position.shard + 1)
        if position.shard == len(queries):
            return found, None
    return found, position


def _members(ranking_id: RankingId, entries: Iterable[Item]) -> list[str]:
    parse = ranking_id.kind.parse
    assert parse is not None
    abouts = [ranking_id.kind(*parse(*key_of(item))) for item in entries]
    return [each.member for about in abouts for each in ranked(about) if each.ranking == ranking_id]
