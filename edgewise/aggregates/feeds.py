"""Feeds: which items change aggregates, and what each of them means to one."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from edgewise.aggregates.doubts import Doubt
from edgewise.aggregates.measures import Fed
from edgewise.dynamodb.attributes import Item
from edgewise.times import DAY, EARLIEST, Millis

if TYPE_CHECKING:
    from edgewise.aggregates.kinds import Kind


@dataclass(frozen=True)
class Source:
    """Items of one type that feed aggregates.

    `decode` gives what an item stands for, None if it feeds nothing at present; it raises KeyError, TypeError or
    ValueError on a foreign item. `kind`: the items are themselves aggregates of this kind.

    `tombstone`: the attribute of those that are in the place of what was taken back, and feed nothing; empty: there are
    no such items.

    `of_set`: those of them that are in the set of this name, where an item may be in several. Each set is read for
    itself: what can't be read as one of a set still counts in the others.
    """

    type: str
    decode: Callable[[Item], Any]
    kind: "Kind | None" = None
    of_set: str = ""
    tombstone: str = ""

    def fault(self, fed: "Kind", kinds: Mapping[str, "Kind"]) -> str:
        """Why it can't feed a kind among these kinds; empty if it can."""
        if self.type in kinds and self.kind is not kinds[self.type]:
            return f"is fed by {self.type}, but not by the kind of that name"
        if self.kind is not None and (self.kind.name not in kinds or self.kind.rank >= fed.rank):
            return f"is fed by {self.kind.name}, which must be declared, and of a lower rank"
        return ""


class Arrival(NamedTuple):
    """What a feed may know of an item's record: when it was made, and whether it takes back what was counted before."""

    at: Millis
    corrects: bool


# Of items that are not read from the stream: it is near to no instant.
ANY_TIME = Arrival(EARLIEST - DAY, corrects=False)


def _untold(_entity: Any) -> Iterable[Doubt]:
    return ()


@dataclass(frozen=True)
class Feed:
    """Items of a source feed the aggregates that `into` yields: what each is about, and the item's observations for it.

    `takes`: whether this feed takes an item; None: it takes all of them. It must follow from the record alone, or a
    record that is delivered again would be counted by another way too. `follow_ups`: how many of them, one after the
    other, may write what a person's change means for the item (edgewise/pending.py). `doubts`: what readers must doubt
    while an item can't be read that this feed would take, perhaps.
    """

    source: Source
    into: Callable[[Any], Fed]
    takes: Callable[[Any, Arrival], bool] | None = None
    doubts: Callable[[Any], Iterable[Doubt]] = _untold
    follow_ups: int = 0
