"""What an export says of all that is derived: index entries, copies, rankings and their rosters."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from edgewise.aggregates.rankings import floor
from edgewise.aggregates.rankings.floor import Place
from edgewise.derived import Fact
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import Key

# A member of a ranking in its place.
Placed = tuple[Place, str]
# The number of a shard, an item in it, and its type.
Sharded = tuple[int, Key, str]
# Of the items in the highest shards of a list, so many are looked at; the next check looks at others.
MOST_SHARDED = 1000


@dataclass(frozen=True, slots=True)
class Astray:
    """What does not follow from what it is derived from, as a comparison of aggregates tells it (batch/comparing.py).

    `kind` is the type of the item. `repair` is the line of a plan that derives it anew from what is stored then; None:
    nobody can, and `reason` says what to do.
    """

    key: Key
    kind: str
    why: str
    expected: Mapping[str, str]
    stored: Mapping[str, str]
    repair: Mapping[str, Any] | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Derived:
    """What was found for one key.

    - `astray`: the index entries of the item with this key, if they are wrong
    - `copied`: the name of the copies that repeat what is said under this key; `original` and `copies`: what originals
      say of it, and what each copy says
    - `enrolled`: the orders of magnitude at which rosters name the aggregate with this key
    - `named`: a ranking by its plain name; `ranking`: its item; `top`: the places of as many members as the item may
      have names, and of one more; `moving`: the members that were entering or leaving
    - `shards`: how many shards there are, by the item with this key; `sharded`: what lies in the highest of them, each
      with its shard and its type
    - `unjudged`: how many items there are of types of which something can't be judged, all under one key
    """

    astray: tuple[Astray, ...] = ()
    copied: str = ""
    original: Fact | None = None
    copies: Mapping[Key, Fact] = field(default_factory=dict)
    enrolled: tuple[str, ...] = ()
    named: tuple[Any, ...] = ()
    ranking: Item | None = None
    top: tuple[Placed, ...] = ()
    moving: frozenset[str] = frozenset()
    unjudged: Mapping[str, int] = field(default_factory=dict)
    shards: int = 0
    sharded: tuple[Sharded, ...] = ()


NOTHING = Derived()


def merged(one: Derived, other: Derived) -> Derived:
    """What was found of one key in two places."""
    if one is NOTHING or other is NOTHING:
        return other if one is NOTHING else one
    return Derived(
        one.astray + other.astray,
        one.copied or other.copied,
        both(one.original, other.original),
        {**one.copies, **other.copies},
        highest(one.enrolled, other.enrolled),
        one.named or other.named,
        one.ranking or other.ranking,
        first(one.top + other.top),
        one.moving | other.moving,
        unjudged={of: one.unjudged.get(of, 0) + other.unjudged.get(of, 0) for of in {**one.unjudged, **other.unjudged}},
        shards=max(one.shards, other.shards),
        sharded=in_highest(one.sharded + other.sharded),
    )


def both(one: Fact | None, other: Fact | None) -> Fact | None:
    """What two originals say together: all names, or what the later version says."""
    if one is None or other is None:
        return one or other
    if isinstance(one, frozenset) and isinstance(other, frozenset):
        return one | other
    assert not isinstance(one, frozenset)
    assert not isinstance(other, frozenset)
    return max(one, other)


def highest(some: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """The highest orders of magnitude, measure by measure."""
    return tuple(map(max, some, others)) if some and others else some or others


def first(placed: tuple[Placed, ...]) -> tuple[Placed, ...]:
    """The first of these members: if one more than its item may have is at or above its floor, the ranking is wrong."""
    return tuple(sorted(placed, reverse=True)[: floor.MOST + 1])


def in_highest(sharded: tuple[Sharded, ...]) -> tuple[Sharded, ...]:
    """Those of them that are in the highest shards: if any are in a shard that there is not, these are."""
    return tuple(sorted(sharded, reverse=True)[:MOST_SHARDED])
