"""Keys of notes on incomplete aggregates: one note each, and the list of all of them in the index by value."""

from edgewise.dynamodb.keys import Key, Partitions, digest, join, split, take
from edgewise.times import Millis, from_rfc_3339, rfc_3339

LIST = "INCOMPLETE"
NOTES = Partitions("INCOMPLETE")


def note(name: str) -> Key:
    """The key of the note on the aggregate with this name; a name may be too long for a key, so its digest is used."""
    return Key(NOTES(digest(name)), "INCOMPLETE")


def listed_anew(pk: str, listed_sk: str) -> str:
    """The sort key of a note in the list, from its partition, and of its present sort key there the instant alone."""
    return join(rfc_3339(parse_listed(listed_sk)), take(pk, NOTES.name, 2)[1])


def parse_listed(listed_sk: str) -> Millis:
    """When a listed note was made."""
    return from_rfc_3339(split(listed_sk)[0])


def listed(at: Millis, name: str) -> str:
    """The sort key of a note in the list: the oldest first."""
    return join(rfc_3339(at), digest(name))
