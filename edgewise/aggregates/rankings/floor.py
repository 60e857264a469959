"""A ranking: the names of the members that may be among its first, and the floor at or above which all are named.

The item has no numbers, because a number would cost a write for each change; and hubs change all the time. It only
changes when a member reaches the floor or falls below it. Readers fetch the numbers of the named members and sort.

What makes it exact, although the aggregates and the ranking are written one after the other:

- A writer first puts the aggregate, then reads the ranking, and adds a member that reaches the floor. So whichever
  change of an aggregate comes last, its writer has seen a ranking that is at least as new.
- A member leaves in two looks: first it becomes unsure. Its number is read again after that, and only if it is still
  below the floor, the member goes. Writers treat unsure members as absent, so they add one that rises again.
- In a refill the floor is lowered first, so writers add whom they judge from then on; only then all other members are
  looked at. Until the refill ends, the names are complete only at or above the former floor.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import NamedTuple, Self

from edgewise.aggregates.rankings.declaration import RankingId, tie

# The longest list that readers may ask for.
TOP = 100
# With fewer names a ranking is short: it is refilled. More than TOP, because a name may be that of a member that has
# fallen below the floor, if a writer died before it could tell.
LEAST = 110
# With more names a ranking is pruned: so many are kept.
MOST, KEPT = 200, 150

Numbers = Mapping[str, Decimal | None]


class Place(NamedTuple):
    """Where a member stands: by its number, and among equal numbers by chance. A greater place is a better one."""

    number: Decimal
    tie: str

    @classmethod
    def of(cls, member: str, number: Decimal) -> Self:
        """The place of a member with this number."""
        return cls(number, tie(member))


@dataclass(frozen=True, slots=True)
class Refill:
    """A refill under way. `begun`, the version at which it began, identifies it.

    All members at or above the place `above` are named. `position` is the last part of the roster that was read.
    """

    begun: int
    above: Place
    position: str = ""

    def is_at(self, other: "Refill") -> bool:
        """Whether the other is the same refill and has read equally far."""
        return (self.begun, self.position) == (other.begun, other.position)


@dataclass(frozen=True, slots=True)
class Ranking:
    """A ranking as stored. `version` 0 means that it has not been stored yet: nobody has a place so far.

    All members at or above the `floor` are named (None: all that have a place), except during a refill. `unsure` are
    members that were found below the floor, and are to be looked at once more before they go.
    """

    id: RankingId
    version: int = 0
    floor: Place | None = None
    names: frozenset[str] = frozenset()
    unsure: frozenset[str] = frozenset()
    refill: Refill | None = None

    @property
    def named(self) -> frozenset[str]:
        """All members that may be at or above the floor."""
        return self.names | self.unsure

    @property
    def complete_from(self) -> Place | None:
        """All members at or above this place are named; None: all that have a place."""
        return self.refill.above if self.refill else self.floor

    @property
    def is_short(self) -> bool:
        """Whether so few members are left that its floor must be lowered."""
        return self.floor is not None and self.refill is None and len(self.names) < LEAST

    @property
    def is_long(self) -> bool:
        """Whether it has too many names."""
        return len(self.names) > MOST

    def reached_by(self, member: str, number: Decimal | None) -> bool:
        """Whether a member with this number is at or above the floor."""
        if number is None or self.floor is None:
            return number is not None
        if number == self.floor.number:
            return tie(member) >= self.floor.tie
        return number > self.floor.number

    def judging(self, numbers: Numbers) -> "Ranking":
        """The ranking after these numbers were stored: who reaches the floor is named, who fell below is unsure."""
        reaching = {member for member, number in numbers.items() if self.reached_by(member, number)}
        fallen = (numbers.keys() - reaching) & self.names
        if reaching <= self.names and not fallen:
            return self
        return replace(self, names=(self.names | reaching) - fallen, unsure=(self.unsure | fallen) - reaching)

    def settled(self, numbers: Numbers) -> "Ranking":
        """The ranking after the second look at unsure members, whose numbers were read after they had become so."""
        looked_at = self.unsure & numbers.keys()
        staying = {member for member in looked_at if self.reached_by(member, numbers[member])}
        return replace(self, names=self.names | staying, unsure=self.unsure - looked_at)

    def pruned(self, numbers: Numbers, stored: frozenset[str]) -> "Ranking":
        """The ranking with the KEPT best of its names, by their numbers, and a floor that only they reach.

        Of the others, those `stored` become unsure. New ones are left out at once: a writer of theirs that does not
        see the new floor is refused.
        """
        reaching = [member for member in self.names if self.reached_by(member, numbers[member])]
        kept = best_first(numbers, reaching)[:KEPT]
        floor = place(kept[-1], numbers) if len(kept) < len(reaching) else self.floor
        ended = self.refill is not None and floor is not None and floor >= self.refill.above
        refill = None if ended else self.refill
        names = frozenset(kept)
        unsure = (self.unsure | self.names & stored) - names
        return replace(self, floor=floor, names=names, unsure=unsure, refill=refill)

    def lowered(self) -> "Ranking":
        """The ranking without a floor and with a refill begun; it is pruned as soon as it is long."""
        assert self.floor is not None
        return replace(self, floor=None, refill=Refill(self.version, self.floor))

    def filled(self, numbers: Numbers, position: str | None) -> "Ranking":
        """The ranking with members of the roster, whose numbers were read since it was lowered; and how far that went.

        `position` None: to the end, so from now on the names are complete down to the floor.
        """
        assert self.refill is not None
        refill = None if position is None else replace(self.refill, position=position)
        return replace(self.judging(numbers), refill=refill)


def place(member: str, numbers: Numbers) -> Place:
    """The place of a member that has one."""
    number = numbers[member]
    assert number is not None
    return Place.of(member, number)


def best_first(numbers: Numbers, members: Iterable[str]) -> list[str]:
    """These members in the order of their places; those without a place are left out."""
    placed = [member for member in members if numbers[member] is not None]
    return sorted(placed, key=lambda member: place(member, numbers), reverse=True)
