"""Keys of revisions: their numbers, and what remembers the requests that stored them."""

import hashlib

from functions.dynamodb.keys import Key, join
from functions.revisions.versions import VERSION_DIGITS


def number(version: int) -> str:
    """A version with leading zeros, so that 10 sorts after 9."""
    return f"{version:0{VERSION_DIGITS}d}"


def once(newest: Key, user: str, key: str) -> Key:
    """The item that remembers what a user sent with a key to the line of revisions with this newest one."""
    named = hashlib.sha256(join(*newest, user, key).encode()).hexdigest()
    return Key(join("ONCE", named), "KEY")
