"""The declaration of rankings of a kind's aggregates, and the name of one ranking.

A ranking is an item that names the members that may be among its first; their numbers are in their own aggregates
(edgewise/aggregates/rankings/floor.py says why). A kind's aggregates are spread over rankings by what they are about:
the degrees of nodes, for instance, over one ranking for each label, direction and measure.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from edgewise.aggregates.keys import AggregateId, Dimension
from edgewise.aggregates.measures import Cell
from edgewise.aggregates.rankings.magnitude import magnitude
from edgewise.dynamodb.attributes import Item, s, string
from edgewise.dynamodb.keys import Key, Partitions, digest, split

if TYPE_CHECKING:
    from edgewise.aggregates.kinds import Kind

# The `Type` of rankings, and of the parts of their rosters.
RANKING = _NAME = "RANKING"
_ENROLLED = "Enrolled"
# The number of those who have lost more than they got: nobody knows it.
ROBBED = Decimal("Infinity")


# The number by which a measure ranks an aggregate with this cell.
Measure = Callable[[Cell], Decimal]
# The orders of magnitude at which an aggregate is enrolled, one for each measure.
Enrolled = tuple[str, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Rankings:
    """The rankings of a kind's aggregates by one of their cells, in these `partitions`.

    A member's name is a text as in keys, without spaces.
    `apart` splits what an aggregate is about into what its rankings are about and the name of the member;
    `together` is the inverse. An aggregate keeps the orders of magnitude at which its roster names it
    (edgewise/aggregates/rankings/roster.py). `names_robbed`: it names those in front of all others who have lost more
    than they got, as of what was stored before anybody counted: so readers learn of them.
    """

    costs = "a batch that changes who is first, or an order of magnitude, writes the ranking or its roster: a few units"

    partitions: Partitions
    cell: str
    measures: Mapping[str, Measure]
    apart: Callable[..., tuple[tuple[str, ...], str]]
    together: Callable[[tuple[str, ...], str], tuple[Dimension, ...]]
    names_robbed: bool = False

    def number(self, measure: str, cells: Mapping[str, Cell]) -> Decimal | None:
        """The number by which an aggregate with these cells is ranked; None: it counts nothing and has no place.

        While a record is in quarantine, a count may be below zero.
        """
        cell = cells.get(self.cell)
        if cell and self.names_robbed and (cell.count < 0 or (cell.counts and not cell.count)):
            return ROBBED
        return self.measures[measure](cell) if cell and cell.count > 0 else None

    def enrolled(self, cells: Mapping[str, Cell], before: Enrolled) -> Enrolled:
        """At which orders of magnitude an aggregate is enrolled once it has these cells: the greatest that it had."""
        numbers = [self.number(measure, cells) for measure in self.measures]
        found = tuple(magnitude(number) for number in numbers if number is not None and number != ROBBED)
        return tuple(map(max, found, before)) if found and before else found or before


def enrolled(item: Item) -> Enrolled:
    """The orders of magnitude at which an item says that it is enrolled; none if it is not."""
    return tuple(string(item[_ENROLLED]).split(" ")) if _ENROLLED in item else ()


def enrolled_item(kept: Enrolled) -> Item:
    """The inverse of `enrolled`."""
    return {_ENROLLED: s(" ".join(kept))}


class RankingId(NamedTuple):
    """Which ranking: the kind of its members, what it is about, and the measure."""

    kind: "Kind"
    about: tuple[str, ...]
    measure: str

    @classmethod
    def of(cls, kind: "Kind", key: Key) -> "RankingId | None":
        """The ranking of a kind's aggregates that has this key; None if it is not the key of one."""
        declared = kind.ranked
        if declared is None or key.sk != _NAME or not key.pk.startswith(declared.partitions.prefix):
            return None
        *about, measure = split(key.pk)[1:]
        return cls(kind, tuple(about), measure) if measure in declared.measures else None

    @classmethod
    def named(cls, kinds: Mapping[str, "Kind"], plain: Sequence[Any]) -> "RankingId":
        """The inverse of `plain`; raises KeyError, TypeError or ValueError."""
        name, about, measure = plain
        declared = kinds[name].ranked
        if declared is None or measure not in declared.measures:
            raise ValueError(f"{name} is not ranked by {measure}")
        return cls(kinds[name], tuple(about), measure)

    @property
    def declared(self) -> Rankings:
        """The declaration that it belongs to."""
        declared = self.kind.ranked
        assert declared is not None, f"{self.kind} is not ranked"
        return declared

    @property
    def key(self) -> Key:
        """The primary key of its item."""
        return Key(self.declared.partitions(*self.about, self.measure), _NAME)

    @property
    def plain(self) -> list[Any]:
        """The name as plain JSON values; `named` is the inverse."""
        return [self.kind.name, list(self.about), self.measure]

    def aggregate(self, member: str) -> AggregateId:
        """The aggregate of a member."""
        return self.kind(*self.declared.together(self.about, member))

    def number(self, cells: Mapping[str, Cell]) -> Decimal | None:
        """The number by which it ranks an aggregate with these cells; None: the aggregate has no place."""
        return self.declared.number(self.measure, cells)


class Ranked(NamedTuple):
    """An aggregate in one of its rankings."""

    ranking: RankingId
    member: str


def ranked(about: AggregateId) -> list[Ranked]:
    """An aggregate in each of its rankings; none for kinds without, and for items that nobody reads."""
    declared = about.kind.ranked
    if declared is None or not about.is_read:
        return []
    of, member = declared.apart(*about.dimensions)
    return [Ranked(RankingId(about.kind, of, measure), member) for measure in declared.measures]


@lru_cache(maxsize=4096)
def tie(member: str) -> str:
    """What orders members with equal numbers: by chance, so that new ones seldom come before those already there."""
    return digest(member)
