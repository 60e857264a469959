"""Keys of revisions: their numbers, and the items that remember the requests that stored them."""

import hashlib

from edgewise import Key, Partitions
from edgewise.dynamodb.keys import join
from functions.revisions.versions import VERSION_DIGITS

ONCE = Partitions("ONCE")


def number(version: int) -> str:
    """A version number with leading zeros, so that 10 sorts after 9."""
    return f"{version:0{VERSION_DIGITS}d}"


def once(newest: Key, sub: str, key: str) -> Key:
    """The key of the item that remembers a user's idempotency `key` for one line of revisions (by its `newest` key)."""
    named = hashlib.sha256(join(*newest, sub, key).encode()).hexdigest()
    return Key(ONCE(named), "KEY")
