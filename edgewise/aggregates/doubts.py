"""What readers must doubt: the aggregates that a record concerns, perhaps, which can't be read.

One small item names them all, so that a reader gets it together with the aggregate, for a read unit more at most.

One request reads several items at several moments. What readers doubt may change in between, and with it the
aggregate. So an aggregate that is written shortly after such a change has its version (stored.HEARD): a reader who gets
an older version has read that before, and the aggregate after the change. And the item says when it changed last: who
may have read the aggregate before that, and the item after it, looks once more (edgewise/own/looking.py).
"""

from collections.abc import Iterable, Set
from typing import TYPE_CHECKING, NamedTuple

from edgewise.aggregates.keys import AggregateId
from edgewise.dynamodb.attributes import Item, integer, key_item, n, s, string
from edgewise.dynamodb.keys import Key, digest, escape
from edgewise.times import EARLIEST, SECOND, Millis

if TYPE_CHECKING:
    from edgewise.aggregates.kinds import Kind

KEY = Key("QUARANTINE", "DOUBTS")
# All aggregates of all kinds; a kind's name stands for all of that kind.
EVERYTHING = "*"
Doubt = AggregateId | str
Names = frozenset[str]
# How many bytes the names in the item may take: it is read for one unit.
MOST_BYTES = 3000
# By how much two clocks may differ, each of which is right within a minute; and how long a look may take.
SKEW: Millis = 2 * 60 * SECOND
LONGEST_LOOK_SECONDS = 2 * 60
# So for so long after a change, a read may have begun before it.
RECENT: Millis = 5 * 60 * SECOND


class Changed(NamedTuple):
    """The last change of what readers must doubt: the version of the register that made it, and when; 0: none did."""

    version: int = 0
    at: Millis = EARLIEST

    def is_recent(self, now: Millis) -> bool:
        """Whether somebody who reads now may have begun before it."""
        return now - self.at < RECENT


NEVER = Changed()


class Told(NamedTuple):
    """What readers get."""

    names: Names = frozenset()
    changed: Changed = NEVER


def name(doubt: Doubt) -> str:
    """What the item calls it: without spaces in the name of the kind, which may have those of an attribute's name."""
    if isinstance(doubt, str):
        return escape(doubt)
    return f"{escape(doubt.kind.name)} {digest(*map(str, doubt.dimensions))}"


def short(names: Iterable[str], most: int) -> Names:
    """These names in so many bytes: if they are too many, those that no other one includes, their kinds, or everything.

    A name is kept though another one includes it, while there is room: whoever vouches for that need not know of it.
    """
    all_names = frozenset(names)
    told = frozenset(each for each in all_names if not ({EVERYTHING, _kind(each)} - {each}) & all_names)
    for found in (all_names, told, frozenset(map(_kind, told))):
        if sum(len(each.encode()) + 1 for each in found) <= most:
            return found
    return frozenset({EVERYTHING})


def item(told: Told) -> Item:
    """The item that readers get."""
    return key_item(KEY) | {
        "Type": s("QUARANTINE_DOUBTS"),
        "Version": n(told.changed.version),
        "At": n(told.changed.at),
        "Doubts": {"L": [s(each) for each in sorted(short(told.names, MOST_BYTES))]},
    }


def told(found: Item | None) -> Told:
    """The inverse; nothing if there has never been any doubt."""
    if found is None:
        return Told()
    changed = Changed(integer(found["Version"]), integer(found["At"]))
    return Told(frozenset(map(string, found["Doubts"]["L"])), changed)


def concern(doubts: Set[str], about: AggregateId) -> bool:
    """Whether some of these are about an aggregate."""
    return bool({EVERYTHING, name(about.kind.name), name(about)} & doubts)


def concern_any(doubts: Set[str], kind: "Kind") -> bool:
    """Whether some of these are about an aggregate of a kind, whichever."""
    return bool({EVERYTHING, name(kind.name)} & set(map(_kind, doubts)))


def _kind(name: str) -> str:
    return name.partition(" ")[0]
