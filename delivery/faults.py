"""What goes wrong, and how often."""

from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cached_property
from random import Random


class Fault(StrEnum):
    """What may happen to one invocation."""

    REPEATED = "the same batch again, although it succeeded"
    REWOUND = "the checkpoint is lost: earlier records again, with other boundaries"
    ZOMBIE_BESIDE = "the poller gives up and goes on, while the invocation is still running"
    ZOMBIE_AFTER = "the invocation runs once more, long after its shard has gone on"
    KILLED_BEFORE = "the process dies before a write"
    KILLED_AFTER = "the process dies after a write"
    ANSWER_LOST = "the function succeeds, but Lambda does not learn of it"
    WRITE_REPEATED = "a write is applied but answered 500, so that the SDK sends it again"
    THROTTLED = "from one write on, the table has no capacity left"
    RACED = "other shards' invocations run just before a write"


@dataclass(frozen=True)
class Faults:
    """Rates from 0 to less than 1: per invocation for each Fault (at most one strikes), otherwise per step.

    - `short_batch`: a batch has fewer records than there are
    - `doubled`: a batch has one of its records twice
    - `state_lost`: a window's state is lost, while the position in the shard stays
    - `window_lost`: the last window of a closed shard is lost with its state, so that its last call never comes
    - `split`, `roll_over`: a shard of the stream splits, or closes and continues as another
    - `rewind`: the most records by which a lost checkpoint goes back
    """

    repeated: float = 0
    rewound: float = 0
    zombie_beside: float = 0
    zombie_after: float = 0
    killed_before: float = 0
    killed_after: float = 0
    answer_lost: float = 0
    write_repeated: float = 0
    throttled: float = 0
    raced: float = 0
    short_batch: float = 0
    doubled: float = 0
    state_lost: float = 0
    window_lost: float = 0
    split: float = 0
    roll_over: float = 0
    rewind: int = 300

    def __post_init__(self) -> None:
        rates = [getattr(self, field.name) for field in fields(self) if field.name != "rewind"]
        if not all(0 <= rate < 1 for rate in rates) or sum(rate for _, rate in self._of_invocations) >= 1:
            raise ValueError("rates are from 0 to 1, and some invocations must succeed, or nothing is ever delivered")

    def draw(self, random: Random) -> Fault | None:
        """The fault of one invocation, if any."""
        if not self._of_invocations:
            return None
        left = 1 - random.random()  # so that the smallest number, to which Hypothesis shrinks, means no fault
        for fault, rate in self._of_invocations:
            left -= rate
            if left <= 0:
                return fault
        return None

    @cached_property
    def _of_invocations(self) -> list[tuple[Fault, float]]:
        return [(fault, rate) for fault in Fault if (rate := getattr(self, fault.name.lower()))]


def happens(rate: float, random: Random) -> bool:
    """Whether something with this rate happens now."""
    return rate > 0 and random.random() >= 1 - rate


NONE = Faults()
MILD = Faults(repeated=0.02, rewound=0.01, killed_before=0.01, answer_lost=0.01, short_batch=0.2, roll_over=0.005)
HARSH = Faults(
    repeated=0.06,
    rewound=0.06,
    zombie_beside=0.06,
    zombie_after=0.06,
    killed_before=0.06,
    killed_after=0.06,
    answer_lost=0.06,
    write_repeated=0.06,
    throttled=0.06,
    raced=0.06,
    short_batch=0.5,
    split=0.01,
    roll_over=0.02,
)
# As bad as Lambda's documentation allows: two invocations of three suffer from something.
HOSTILE = Faults(
    repeated=0.05,
    rewound=0.1,
    zombie_beside=0.1,
    zombie_after=0.1,
    killed_before=0.1,
    killed_after=0.08,
    answer_lost=0.05,
    write_repeated=0.06,
    throttled=0.04,
    raced=0.05,
    short_batch=0.7,
    state_lost=0.05,
    split=0.02,
    roll_over=0.02,
    rewind=15,
)
