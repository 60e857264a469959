"""The proof: what somebody asked to break, what is watched meanwhile, and what was done."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal, NamedTuple, get_args

from edgewise import Millis
from edgewise.times import SECOND

# By the consumer itself: it is killed between two writes, or after its writes and before its answer; one record of its
# batch can't be read; for some seconds, it waits before each write.
Broken = Literal["kill", "lose answer", "poison", "slow"]
# By whoever delivers the stream, which only the local cloud can be asked: a batch comes again as it is, its first half
# comes again, the shard is read again from earlier records on; the state of a window is lost; a shard splits.
Misdelivered = Literal["repeat", "repeat half", "rewind", "lose state", "split"]
Kind = Literal[Broken, Misdelivered]
BROKEN: Final[tuple[Broken, ...]] = get_args(Broken)
MISDELIVERED: Final[tuple[Misdelivered, ...]] = get_args(Misdelivered)

# What a script may have: the faults, and to apply what is in quarantine.
Act = Literal[Kind, "redrive"]

# How long one request slows the consumer, and how long it then waits before each write.
SLOW: Final[Millis] = 10 * SECOND
PAUSE: Final[Millis] = 2 * SECOND
# How long a watch lasts, unless somebody goes on watching.
WATCHED: Final[Millis] = 30 * SECOND
MOST_NUMBERS: Final = 20
# Nobody has done it by then, because nothing was delivered: it is not done any more.
PATIENCE: Final[Millis] = 60 * SECOND
MOST_FAULTS: Final = 20


@dataclass(frozen=True)
class Fault:
    """A fault that somebody has asked for. `shard`: where; empty: whichever comes first."""

    id: str
    kind: Kind
    at: Millis
    shard: str = ""


class Number(NamedTuple):
    """A number that is watched: the count in a cell of an aggregate, by its plain name (AggregateId.plain) as JSON."""

    name: str
    cell: str


@dataclass(frozen=True)
class Watch:
    """What is watched: each delivered record that concerns these numbers is noted, until nobody watches any more.

    `plain`: whether a plain ADD runs beside them.
    """

    id: str
    since: Millis
    until: Millis
    numbers: tuple[Number, ...]
    plain: bool


@dataclass(frozen=True)
class Asked:
    """All that is asked for. `slow_until`: until then the consumer waits before each write."""

    version: int = 0
    watch: Watch | None = None
    faults: tuple[Fault, ...] = ()
    slow_until: Millis = 0

    def first(self, kinds: tuple[Kind, ...], shard: str, now: Millis) -> Fault | None:
        """The fault of these kinds that is due for a shard, if any."""
        faults = self.due(now).faults
        return next((each for each in faults if each.kind in kinds and each.shard in ("", shard)), None)

    def due(self, now: Millis) -> "Asked":
        """What is asked for without what nobody has done in time."""
        return replace(self, faults=tuple(each for each in self.faults if now - each.at < PATIENCE))

    def without(self, fault: Fault) -> "Asked":
        """What is still asked for once somebody does this."""
        return replace(self, faults=tuple(each for each in self.faults if each.id != fault.id))

    def watched(self, now: Millis) -> Watch | None:
        """What is watched now."""
        return self.watch if self.watch and now < self.watch.until else None


class Click(NamedTuple):
    """What somebody did, so many seconds after the watch began."""

    second: int
    act: Act


@dataclass(frozen=True)
class Done:
    """One line of the log: what was done, when and in which shard, in words."""

    fault: Fault
    at: Millis
    shard: str
    what: str


@dataclass(frozen=True)
class Noted:
    """A record that was delivered: by how much it changes each watched number, by the number's position in the watch.

    `groups`: for the numbers that carriers bring it to, the group of carriers, if that is not the first.
    `carries`: what it brings, if it is a carrier's.
    """

    sequence: int
    counts: Mapping[int, int] = field(default_factory=dict)
    groups: Mapping[int, int] = field(default_factory=dict)
    carries: "Carries | None" = None


@dataclass(frozen=True)
class Covered:
    """Up to which record of a shard something has everything, but for the missing ones."""

    sequence: int
    missing: frozenset[int] = frozenset()

    def has(self, sequence: int) -> bool:
        """Whether it has this record."""
        return sequence <= self.sequence and sequence not in self.missing


# Of whatever has nothing of a shard yet.
NOTHING: Final = Covered(-1)


@dataclass(frozen=True)
class Carries:
    """What a carrier's record brings: the records of a shard, for one group, that it covers now and did not before."""

    shard: str
    group: int
    before: Covered
    after: Covered

    def brings(self, sequence: int) -> bool:
        """Whether this record of the shard came by this carrier."""
        return self.after.has(sequence) and not self.before.has(sequence)


@dataclass(frozen=True)
class Batch:
    """The notes of one delivered batch: when it was delivered, of which shard."""

    at: Millis
    shard: str
    records: tuple[Noted, ...]
