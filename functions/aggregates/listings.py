"""Lists of all members of a ranking, in an index, by the order of magnitude of their numbers.

A refill reads them from the greatest. An entry moves only when its member's number gets another order of magnitude, so
most writes of an aggregate leave it as it is, and cost no write of the index.
"""

from collections.abc import Mapping
from decimal import Decimal

from functions.aggregates.ids import AggregateId
from functions.aggregates.measures import Cell
from functions.aggregates.ranked import RankingId, ranked, tie
from functions.dynamodb.attributes import Item, s
from functions.dynamodb.keys import join
from functions.dynamodb.queries import Between, Query

# How many partitions of the index share a list, which would overload one.
SHARDS = 4
# Negative numbers, zero, positive numbers; and what sorts after all of them.
_NEGATIVE, _ZERO, _POSITIVE, _END = "0", "1", "2", "3"
# Sums have at most 100 digits, so this makes every exponent a number of three digits.
_MIDDLE = 500


def magnitude(number: Decimal) -> str:
    """The order of magnitude of a number, as a text; a greater number never has a smaller one."""
    if not number:
        return _ZERO
    tens = number.adjusted()
    return f"{_POSITIVE}{_MIDDLE + tens}" if number > 0 else f"{_NEGATIVE}{_MIDDLE - tens}"


def entries(about: AggregateId, cells: Mapping[str, Cell]) -> Item:
    """The index keys by which an aggregate with these cells is listed for each of its rankings."""
    keys: Item = {}
    for ranking, member in ranked(about):
        if (number := ranking.number(cells)) is not None:
            shard = int(tie(member), 16) % SHARDS
            keys[ranking.listed_in.partition_key] = s(_partition(ranking, shard))
            keys[ranking.listed_in.sort_key] = s(join(magnitude(number), tie(member)))
    return keys


def listed(ranking: RankingId, least: str = "") -> list[Query]:
    """All members of a ranking, of this magnitude at least, the greatest first: one query for each partition."""
    condition = Between(least, _END) if least else None
    return [Query(_partition(ranking, shard), condition, ranking.listed_in, forward=False) for shard in range(SHARDS)]


def _partition(ranking: RankingId, shard: int) -> str:
    return ranking.declared.partitions(*ranking.about, ranking.measure, str(shard))
