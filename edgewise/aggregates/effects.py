"""Effects: how the records of a shard change aggregates."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from edgewise.aggregates.checkpoints import Checkpoint, Quarantined
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Delta, Observation, Observations
from edgewise.dynamodb.keys import Key
from edgewise.times import Millis

Contributions = Mapping[AggregateId, Observations]


class Made(NamedTuple):
    """When the first and the last of some changes were made that one record brings together.

    `redriven`: some of them were in quarantine meanwhile, so the plan of a repair can't have counted them.
    """

    first: Millis
    last: Millis
    redriven: bool = False


class Share(NamedTuple):
    """What one put passes on to one aggregate: what that changes in each cell, and when it was made, if not now."""

    changes: Observations
    made: Made | None = None


@dataclass(frozen=True, slots=True)
class Effect:
    """What one record adds to the cells of one aggregate, and what it takes away.

    `knew`: what the plan of a repair knew of the aggregate's items (edgewise/aggregates/knew.py); None for records.
    `made`: when these changes were made, if that was not at the record's own time. `source`: the key of the one item
    whose change this is, if known. `stream`: the label of the record's stream, of what counts what the last one says.
    """

    checkpoint: Checkpoint
    added: Observations
    removed: Observations
    knew: Mapping[AggregateId, Set[str]] | None = None
    made: Made | None = None
    source: Key | None = None
    stream: str = ""

    @property
    def first(self) -> Millis:
        """When the first of its changes was made."""
        return self.made.first if self.made else self.checkpoint.at

    @property
    def last(self) -> Millis:
        """When the last of its changes was made."""
        return self.made.last if self.made else self.checkpoint.at

    @property
    def names_only(self) -> "Effect":
        """The effect without what it counts: it still names its cells, so that each name stays where it was met."""
        return Effect(self.checkpoint, dict.fromkeys([*self.added, *self.removed], Observation(0)), {})

    def only(self, wanted: Callable[[str], bool]) -> "Effect":
        """The effect on the cells with these names."""
        added, removed = ({name: seen[name] for name in seen if wanted(name)} for seen in (self.added, self.removed))
        return Effect(self.checkpoint, added, removed)

    def is_uncounted(self, planned: Millis, set_aside: Set[int]) -> bool:
        """Whether no plan of this instant can have counted it, however old it is: nobody could read its source.

        What a carrier brings has sources of its own: a carrier that can't be read is no reason. They could not be read
        if they were in quarantine, until the carrier took them.
        """
        if self.made is None:
            return self.checkpoint.sequence in set_aside
        return self.made.redriven and self.checkpoint.at > planned


# The effects of some records of one shard on each aggregate, in the shard's order.
Batch = Mapping[AggregateId, Sequence[Effect]]


class Delivery(NamedTuple):
    """What some records of one shard change; and of each shard, which records are in quarantine."""

    shard: str
    batch: Batch
    quarantined: Quarantined


def fold(effects: Iterable[Effect]) -> dict[str, Delta]:
    """The net change of each cell by these effects."""
    deltas: defaultdict[str, Delta] = defaultdict(Delta)
    for effect in effects:
        for name, observation in effect.added.items():
            deltas[name].add(observation)
        for name, observation in effect.removed.items():
            deltas[name].remove(observation)
    return deltas


def extremes_in(late: Iterable[Effect]) -> set[str]:
    """The cells whose extremes must be recounted because these effects come late: later ones have been absorbed.

    The later effects may have removed values that the late ones add, and a removed value must not become an extreme.
    """
    observed = chain.from_iterable(chain(effect.added.items(), effect.removed.items()) for effect in late)
    return {name for name, seen in observed if seen.moment or seen.value is not None or seen.passed}
