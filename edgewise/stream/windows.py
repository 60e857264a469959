"""Lets changes of shared aggregates wait, in the state that Lambda passes between the invocations of a tumbling window.

Two things wait: what the shard's own records change, until the window ends and carriers take it on; and what carriers
have brought, for a few seconds, until the carriers of other shards have come too. Several changes of one aggregate then
cost one write. They are not folded while they wait, because only the item, when it is read, tells which of them it has
absorbed already.
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, Self

from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.effects import Batch, Effect
from edgewise.aggregates.keys import AggregateId
from edgewise.errors import PassingError
from edgewise.stream import packing
from edgewise.times import SECOND, Millis

# How many changes one call brings at most.
BATCH = 1000
# How long a window is: after that, and PATIENCE, what waits has reached its aggregates.
SECONDS = 50
# How long what carriers have brought waits for other carriers, if the shard has more to do meanwhile.
PATIENCE: Millis = 10 * SECOND
# How much of either may wait. Lambda keeps up to 1 MB of state for a shard; an event, which carries the state, has at
# most 6 MB.
MOST_PACKED, MOST_BROUGHT = 450_000, 350_000

# A change of edgewise/stream/packing.py needs a new one.
FORMAT = 6
State = Mapping[str, Any]


class UnreadableStateError(PassingError):
    """Another release wrote the window's state, and this one can't read the effects in it.

    So the shard waits for that release, or for one that reads both formats. To go on would lose the effects, and nobody
    would know which aggregates lack them.
    """

    def __init__(self, found: object) -> None:
        super().__init__(
            f"the window's state has the format {found}, this release reads {FORMAT}: deploy a release that reads it"
        )
        self.found = found


def size(state: State) -> int:
    """How many bytes wait in a state, also in one that this release can't read."""
    return sum(map(len, (*state.get("waiting", ()), *state.get("brought", ()))))


class Waiting(NamedTuple):
    """What waits, the effects of each batch packed: in `packed` for carriers, in `brought` those that carriers brought.

    `reached`: the last record of the window, by number and time; None: it has had none. `since`: the time of the first
    record that has effects in `packed`, `brings`: in `brought`.
    """

    packed: tuple[str, ...] = ()
    brought: tuple[str, ...] = ()
    reached: tuple[int, Millis] | None = None
    since: Millis | None = None
    brings: Millis | None = None

    @classmethod
    def of(cls, state: State) -> Self:
        """What waits in a state; raises UnreadableStateError."""
        if not state:
            return cls()
        if state.get("format") != FORMAT:
            raise UnreadableStateError(state.get("format"))
        reached = next(((int(number), at) for number, at in state["reached"]), None)
        return cls(tuple(state["waiting"]), tuple(state["brought"]), reached, state["since"], state["brings"])

    @property
    def state(self) -> State:
        """The state in which it waits."""
        if not (self.packed or self.brought or self.reached):
            return {}
        reached = [(str(number), at) for number, at in (self.reached and [self.reached]) or ()]
        packed = {"format": FORMAT, "waiting": self.packed, "brought": self.brought}
        return packed | {"reached": reached, "since": self.since, "brings": self.brings}

    @property
    def size(self) -> int:
        """How many bytes wait for carriers."""
        return sum(map(len, self.packed))

    @property
    def size_brought(self) -> int:
        """How many bytes wait that carriers have brought."""
        return sum(map(len, self.brought))

    def with_batch(self, shared: Batch, brought: Batch, last: Checkpoint | None) -> "Waiting":
        """With what a batch adds, whose last record this is."""
        reached = last[:2] if last and (self.reached is None or last.sequence > self.reached[0]) else self.reached
        return Waiting(
            (*self.packed, *([packing.packed(shared)] if shared else [])),
            (*self.brought, *([packing.packed(brought)] if brought else [])),
            reached,
            _first(shared) if self.since is None else self.since,
            _first(brought) if self.brings is None else self.brings,
        )

    def is_due(self, now: Millis, *, alone: bool) -> bool:
        """Whether what carriers have brought must go on.

        `alone`: the batch had nothing else, so perhaps none follows before the window ends.
        """
        if self.brings is None:
            return False
        return alone or now - self.brings >= PATIENCE or self.size_brought > MOST_BROUGHT


def unpacked(catalog: Catalog, packed: Sequence[str]) -> Batch:
    """What waits, packed batch by batch: each aggregate's effects in the order of the shard.

    Kinds that this release does not know (after a rollback) are passed over, as in the stream.
    """
    whole: dict[AggregateId, dict[int, Effect]] = {}
    for about, effects in chain.from_iterable(packing.unpacked(catalog, each) for each in packed):
        whole.setdefault(about, {}).update((effect.checkpoint.sequence, effect) for effect in effects)
    return {about: [found[number] for number in sorted(found)] for about, found in whole.items()}


def _first(batch: Batch) -> Millis | None:
    """The time of the first record that has effects."""
    return min((effects[0].checkpoint.at for effects in batch.values()), default=None)
