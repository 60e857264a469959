"""The candidates for the extremes of a cell: the sources that have its least and its greatest values.

A minimum can't be subtracted, so when one goes the sources are read again. Where they are many, that takes many steps.
So such a recount also finds who comes next: when the minimum goes then, the second one is the minimum, and so on.

Each candidate is known by its source. So it does not matter that a recount may have read the change of a source that
the aggregate has yet to absorb: when it does, the source gets that value once more.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from heapq import nsmallest

from edgewise.aggregates.effects import Effect
from edgewise.aggregates.measures import Extremes, Observation
from edgewise.dynamodb.attributes import Item, key_of
from edgewise.dynamodb.keys import digest

# So many candidates for each extreme are kept, and for so many cells of an aggregate: they take room in its item.
MOST, CELLS = 8, 4

# What sources contribute to a cell now; None: nothing.
Changed = Mapping[str, Decimal | None]
# A value and its source, which tells equal values apart.
Place = tuple[Decimal, str]


@dataclass(frozen=True, slots=True)
class Least:
    """The least of some values, by their sources.

    Every value that comes before the `bound` is among them; None: all are.
    """

    values: Mapping[str, Decimal] = field(default_factory=dict)
    bound: Place | None = None

    def after(self, changed: Changed) -> "Least":
        """The same once these sources contribute something else."""
        values = {source: value for source, value in self.values.items() if source not in changed}
        for source, value in changed.items():
            if value is not None and (self.bound is None or (value, source) < self.bound):
                values[source] = value
        if len(values) <= MOST:
            return Least(values, self.bound)
        *first, bound = nsmallest(MOST + 1, ((value, source) for source, value in values.items()))
        return Least({source: value for value, source in first}, bound)


@dataclass(frozen=True, slots=True)
class Candidates:
    """The candidates for both extremes of a cell; the greatest values with the opposite sign."""

    low: Least = field(default_factory=Least)
    high: Least = field(default_factory=Least)

    def after(self, changed: Changed) -> "Candidates":
        """The same once these sources contribute something else."""
        opposite = {source: None if value is None else value.copy_negate() for source, value in changed.items()}
        return Candidates(self.low.after(changed), self.high.after(opposite))

    @property
    def extremes(self) -> Extremes | None:
        """The least and the greatest value; None if the candidates don't tell them."""
        if not (self.low.values and self.high.values):
            return None
        return Extremes(min(self.low.values.values()), min(self.high.values.values()).copy_negate())


def following(
    known: Mapping[str, Candidates], effects: Sequence[Effect]
) -> tuple[dict[str, Candidates], dict[str, Changed]]:
    """The candidates of cells after these effects, if these tell them; and what has changed of them."""
    told = {name: news for name in known if (news := changed(name, effects)) is not None}
    return {name: known[name].after(news) if news else known[name] for name, news in told.items()}, told


def source(item: Item) -> str:
    """What a source is called here; raises KeyError or TypeError for an item without a key."""
    return digest(*key_of(item))


def changed(name: str, effects: Iterable[Effect]) -> Changed | None:
    """What sources contribute to a cell after these effects; None if these don't tell.

    Those don't of which the source is unknown, or which bring more than one value of it.
    """
    found = dict[str, Decimal | None]()
    for effect in effects:
        seen = [each[name] for each in (effect.removed, effect.added) if name in each]
        if seen:
            if effect.source is None or not all(map(plain, seen)):
                return None
            new = effect.added.get(name)
            found[digest(*effect.source)] = new and new.value
    return found


def plain(seen: Observation) -> bool:
    """Whether an observation is one of a single value, counted here, of which no instant matters."""
    return bool(seen.weight and seen.value is not None) and seen.at is None and seen.passed is None
