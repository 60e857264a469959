"""What people may take back, as systems declare it: who may, and the tombstone that takes the place of the item.

To delete the item is not enough: whoever sends it again would bring it back. A tombstone keeps its key and its type,
says who took it back and when, and is in no index. No reader of the stream counts it, so to them the item went.
Whoever writes to the key finds it there, and is refused.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from edgewise import Condition, Item, Millis, Source, from_rfc_3339, rfc_3339
from edgewise.derived import Anew, in_no_index
from edgewise.dynamodb.attributes import s, string

T = TypeVar("T")

# Among those who may take something back; the others are groups. No group has a space in its name.
OWNER: Final = "its owner"
_KEPT = ("PK", "SK", "Type")
_WITHDRAWN = "Withdrawn"
# What is stored under a key, if anything, was not taken back.
STANDING: Final = Condition(absent=(_WITHDRAWN,))


class Person(Protocol):
    """Whoever wants to take something back."""

    @property
    def sub(self) -> str:
        """What no other user ever has."""

    @property
    def groups(self) -> frozenset[str]:
        """The groups that the user is in."""


class Withdrawal(NamedTuple):
    """Who took something back, by the `sub`, and when."""

    by: str
    at: Millis


def tombstone(item: Item, said: Withdrawal) -> Item:
    """What takes the place of an item that is taken back."""
    kept = {name: item[name] for name in _KEPT}
    return kept | {_WITHDRAWN: {"M": {"By": s(said.by), "At": s(rfc_3339(said.at))}}}


def is_withdrawn(item: Item) -> bool:
    """Whether an item is a tombstone."""
    return _WITHDRAWN in item


def withdrawal(item: Item) -> Withdrawal | None:
    """What a tombstone says; None: the item is none. It may raise anything on a foreign item."""
    if not is_withdrawn(item):
        return None
    said = item[_WITHDRAWN]["M"]
    return Withdrawal(string(said["By"]), from_rfc_3339(string(said["At"])))


@dataclass(frozen=True, eq=False, kw_only=True)
class Owned(Generic[T]):
    """Items of one type that people may take back; `called`: what answers call one of them.

    `withdrawn_by`: who may, OWNER and members of groups. `is_owner` says whether an item is a person's; it is not asked
    of tombstones. Both `decode` and `is_owner` raise KeyError, TypeError or ValueError on foreign items.
    """

    type: str
    called: str
    decode: Callable[[Item], T]
    is_owner: Callable[[Item, Person], bool]
    withdrawn_by: tuple[str, ...]

    def standing(self, item: Item) -> T | None:
        """What an item stands for; None if it was taken back."""
        return None if is_withdrawn(item) else self.decode(item)

    def may_withdraw(self, item: Item, person: Person) -> bool:
        """Whether a person may take an item back."""
        if not person.groups.isdisjoint(self.withdrawn_by):
            return True
        return OWNER in self.withdrawn_by and self.is_owner(item, person)

    @cached_property
    def source(self) -> Source:
        """The items as a source of aggregates, to which one that was taken back contributes nothing."""
        return Source(self.type, self.decode, tombstone=_WITHDRAWN)

    def anew(self, stored: Anew) -> Anew:
        """How the items are written anew, for checks, if this is how those are that nobody took back."""

        def written(item: Item) -> Item:
            return in_no_index(item) if is_withdrawn(item) else stored(item)

        return written
