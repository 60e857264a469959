"""Whose tokens are taken back before they end: one item, which everybody who lets somebody in reads now and then.

It names users by their `sub`, each with an instant: tokens that were issued until then let nobody in.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from edgewise import ConcurrentChangeError, Item, Key, Millis, RefusedError, Table, clock, decoded
from edgewise.dynamodb.attributes import integer, key_item, n, string
from edgewise.times import DAY, SECOND

TYPE = "REVOCATIONS"
KEY = Key("REVOCATIONS", "REVOCATIONS")
# Longer than any token lasts: what is older refuses nothing any more, and is forgotten.
KEPT = DAY
# What is known of it may be this old. With the pause between two sweeps of sockets, everybody is out in a minute.
FRESH = 20 * SECOND
_TRIES = 10


@dataclass(frozen=True)
class Revocations:
    """The instants by `sub`."""

    until: Mapping[str, Millis] = field(default_factory=dict)
    version: int = 0

    def refuse(self, sub: str, issued: Millis) -> bool:
        """Whether a token that was issued then is taken back. Tokens tell the second, so the whole second is."""
        return sub in self.until and issued <= self.until[sub]

    def adding(self, sub: str, now: Millis) -> "Revocations":
        """The next version: all tokens of one more user, until now."""
        kept = {each: at for each, at in self.until.items() if at > now - KEPT}
        return Revocations({**kept, sub: now}, self.version + 1)


def item(revocations: Revocations) -> Item:
    """The item."""
    until: Item = {sub: n(at) for sub, at in revocations.until.items()}
    return key_item(KEY) | {"Type": {"S": TYPE}, "Version": n(revocations.version), "Until": {"M": until}}


def revocations(item: Item) -> Revocations:
    """The inverse."""
    assert string(item["Type"]) == TYPE
    return Revocations({sub: integer(at) for sub, at in item["Until"]["M"].items()}, integer(item["Version"]))


def read(table: Table) -> Revocations:
    """What is stored."""
    found = table.get(KEY)
    return decoded(revocations, found) if found else Revocations()


def revoke(table: Table, sub: str) -> None:
    """Take back every token that a user has now; raises ConcurrentChangeError."""
    for _ in range(_TRIES):
        known = read(table)
        try:
            table.put_version(item(known.adding(sub, clock.now())), replaces=known.version)
        except RefusedError:
            continue
        return
    raise ConcurrentChangeError("list of revocations", sub)


class Known:
    """What a function knows of it, read again when it is not fresh any more: so most requests read nothing."""

    def __init__(self) -> None:
        self._read_at, self._found = -FRESH, Revocations()

    def refuse(self, table: Table, sub: str, issued: Millis) -> bool:
        """As Revocations.refuse."""
        now = clock.now()
        if now - self._read_at >= FRESH:
            self._found, self._read_at = read(table), now
        return self._found.refuse(sub, issued)


@cache
def known() -> Known:
    """What this function's environment knows, for all that let somebody in."""
    return Known()
