"""What readers must doubt: the aggregates that a record concerns, perhaps, which can't be read.

One small item names them all, so that a reader gets it together with the aggregate, for a read unit more at most.
"""

from collections.abc import Iterable, Set
from typing import TYPE_CHECKING

from edgewise.aggregates.keys import AggregateId
from edgewise.dynamodb.attributes import Item, key_item, s, string
from edgewise.dynamodb.keys import Key, digest

if TYPE_CHECKING:
    from edgewise.aggregates.kinds import Kind

KEY = Key("QUARANTINE", "DOUBTS")
# All aggregates of all kinds; a kind's name stands for all of that kind.
EVERYTHING = "*"
Doubt = AggregateId | str
Names = frozenset[str]
# How many bytes the names in the item may take: it is read for one unit.
MOST_BYTES = 3000


def name(doubt: Doubt) -> str:
    """What the item calls it."""
    return doubt if isinstance(doubt, str) else f"{doubt.kind} {digest(*map(str, doubt.dimensions))}"


def short(names: Iterable[str], most: int) -> Names:
    """These names in so many bytes: if they are too many, those of their kinds, or that of everything."""
    told = frozenset(names)
    for found in (told, frozenset(map(_kind, told))):
        if sum(len(each.encode()) + 1 for each in found) <= most:
            return found
    return frozenset({EVERYTHING})


def item(names: Iterable[str]) -> Item:
    """The item that readers get."""
    doubts = sorted(short(names, MOST_BYTES))
    return key_item(KEY) | {"Type": s("QUARANTINE_DOUBTS"), "Doubts": {"L": [s(each) for each in doubts]}}


def names(found: Item | None) -> Names:
    """The inverse; none if there has never been any doubt."""
    return frozenset(map(string, found["Doubts"]["L"])) if found else frozenset()


def concern(doubts: Set[str], about: AggregateId) -> bool:
    """Whether some of these are about an aggregate."""
    return bool({EVERYTHING, about.kind.name, name(about)} & doubts)


def concern_any(doubts: Set[str], kind: "Kind") -> bool:
    """Whether some of these are about an aggregate of a kind, whichever."""
    return bool({EVERYTHING, kind.name} & set(map(_kind, doubts)))


def _kind(name: str) -> str:
    return name.partition(" ")[0]
