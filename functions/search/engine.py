"""The port of search engines: what is asked of one, and what it answers."""

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple, Protocol

from edgewise import Key
from functions.search.query import Search
from functions.searchable import Contents

# Which fields an index has, what is in them, and how text becomes words there. One of another form is filled anew, and
# answers meanwhile.
FORM = "2"
# Those who may read: everybody, or users by their `sub`.
EVERYBODY = "*"
# How much each way counts by which a word is found: itself, another of its stem, a longer one, one with a wrong letter.
# And what a hit in a title adds, whatever its own score: that would be the lower, the fewer things have titles.
ITSELF, STEM, LONGER, WRONG, IN_TITLE = 2.0, 1.0, 0.7, 0.3, 3.0
# How many values of an attribute are counted; and more kinds than there are, because they add up to all that is found.
MOST_VALUES, MOST_KINDS = 10, 1_000


class Address(NamedTuple):
    """What names a thing in the index: its kind, and the key of its main item."""

    kind: str
    key: Key

    def text(self) -> str:
        """The address as one text."""
        return json.dumps([self.kind, *self.key], separators=(",", ":"))

    @classmethod
    def of(cls, text: str) -> "Address":
        """The inverse of `text`."""
        kind, pk, sk = json.loads(text)
        return cls(kind, Key(pk, sk))


# What changed things are now; None: they are gone, or nothing of them can be found.
Changes = Mapping[Address, Contents | None]


class Found(NamedTuple):
    """What a search has found: the addresses of one page, how many there are in all, and how many of each kind.

    `attributes`: how many have which value of each attribute that was asked for, the most frequent ones.
    """

    addresses: Sequence[Address]
    total: int
    kinds: Mapping[str, int]
    attributes: Mapping[str, Mapping[str, int]]


class Engine(Protocol):
    """An index of things by their words."""

    def search(self, wanted: Search) -> Found:
        """Find things that the user may read."""

    def everything(self) -> Iterator[tuple[Address, str]]:
        """All things in the index, each with the digest of its contents."""


def digest(contents: Contents) -> str:
    """What tells contents from others."""
    readers = sorted(contents.readers) if contents.readers is not None else None
    told = [contents.id, contents.title, contents.text, contents.at, sorted(contents.attributes.items()), readers]
    return sha256(repr(told).encode()).hexdigest()[:16]
