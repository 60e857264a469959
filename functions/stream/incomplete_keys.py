"""Keys of notes on incomplete aggregates: one note each, and the list of all of them in the index by value."""

from functions.dynamodb.keys import Key, digest, join
from functions.times import Millis, rfc_3339

LIST = "INCOMPLETE"


def note(name: str) -> Key:
    """The note on the aggregate of this name; names may be longer than a key, so a digest stands for it."""
    return Key(join("INCOMPLETE", digest(name)), "INCOMPLETE")


def listed(at: Millis, name: str) -> str:
    """The note's place in the list: the oldest first."""
    return join(rfc_3339(at), digest(name))
