"""What keeping some aggregates takes, told before anything is deployed: by the declarations and an item for example."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from edgewise import clock
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.feeds import Arrival
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.kinds import Kind
from edgewise.aggregates.measures import Observations
from edgewise.aggregates.stored import aggregate, aggregate_item
from edgewise.dynamodb import units
from edgewise.dynamodb.attributes import Item, typed
from edgewise.times import Millis

Stored = Callable[[Item], Item]
# Any shard: what a change costs does not depend on it.
_SHARD = "00000001700000000000-00000001"


class Explained(NamedTuple):
    """How many aggregates of one kind another such item changes, and the write units of their puts."""

    kind: Kind
    changed: int
    units: int

    @property
    def parts(self) -> list[str]:
        """Its mechanisms, each with what it does and costs; not those that cost nothing."""
        return [f"{type(part).__name__}: {part.costs}" for part in self.kind.parts if part.costs]

    def __str__(self) -> str:
        """The kind with its numbers, and a line for each mechanism."""
        told = f"{self.kind} (rank {self.kind.rank}): {self.changed} changed, write units: {self.units}"
        return "\n    ".join([told, *self.parts])


@dataclass(frozen=True)
class Explanation:
    """What one more item of some sort changes. `units`: write units of all puts, if no other change shares one.

    Where changes of a batch meet in an aggregate, they share its put. Beside these, each shard of the stream tells how
    far it has come: a unit in twenty seconds, or with heartbeats two in ten.
    """

    kinds: tuple[Explained, ...]

    @property
    def units(self) -> int:
        """The write units of a change that shares nothing."""
        return sum(each.units for each in self.kinds)

    def __str__(self) -> str:
        """The kinds of which anything changes, and the sum."""
        changed = (str(each) for each in self.kinds if each.changed)
        return "\n".join([*changed, f"at most {self.units} write units for one such item"])


def explain(*kinds: Kind, example: Item, at: Millis | None = None, stored: Stored = lambda item: item) -> Explanation:
    """Tell what another item like the example would change in aggregates of these kinds, and what that would cost.

    `at`: when it is written, by default now. The first such item may cost more: it makes what the next one finds.
    `stored`: an aggregate's item as the table has it, if it has it in another form.
    Raises DeclarationError for kinds that don't fit together, PlainItemError for an example of plain values, and
    whatever decoding the example raises.
    """
    typed(example)
    found = _changed(Catalog(kinds), example, at or clock.now())
    changed = [_Changed(about, stored(before), stored(item)) for about, before, item in found]
    return Explanation(tuple(_explained(kind, changed) for kind in kinds))


class _Changed(NamedTuple):
    about: AggregateId
    before: Item
    item: Item


def _explained(kind: Kind, changed: list[_Changed]) -> Explained:
    of_kind = [each for each in changed if each.about.kind is kind]
    return Explained(kind, len(of_kind), sum(units.of_put(each.before, each.item) for each in of_kind))


def _changed(catalog: Catalog, example: Item, at: Millis) -> Iterator[_Changed]:
    """The aggregates that an item changes, then those that these change, and so on: ranks end it."""
    ahead, seen, arrival = [example], set[AggregateId](), Arrival(at, corrects=False)
    while ahead:
        for about, observations in catalog.contributions_of(ahead.pop(), arrival).items():
            if about not in seen:
                seen.add(about)
                named = about.kind.named
                once = _with(Aggregate(about), at, {**(named.crowded(observations) if named else {}), **observations})
                twice = _with(aggregate(about, once), at + 1, observations)
                yield _Changed(about, once, twice)
                ahead.append(twice)


def _with(before: Aggregate, at: Millis, observations: Observations) -> Item:
    """The item of an aggregate that has absorbed one more item, with a record that is numbered by its instant."""
    absorbed = before.absorb(_SHARD, [Effect(Checkpoint(at, at), observations, {})], at)
    assert absorbed is not None, "the later number is the greater one"
    return aggregate_item(absorbed.aggregate.to_put())
