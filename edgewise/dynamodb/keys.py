"""The syntax of keys, the same for all items.

Components are joined by `#`. Inside a component every character up to `$` is written as `$` and two hexadecimal
digits (a space is `$20`, `#` is `$23`). So no component contains the delimiter, every key can be split again, and keys
sort as the tuples of their components do: `#` is smaller than every character that an escaped component contains.
"""

import hashlib
import re
from dataclasses import dataclass
from typing import NamedTuple

_DELIMITER, _ESCAPE = "#", "$"
_LOW = re.compile("[\x00-$]")
_LOW_BUT_DELIMITER = re.compile('[\x00-"$]')
_ESCAPED = re.compile(r"\$([0-9a-f]{2})")


class Key(NamedTuple):
    """The primary key of an item."""

    pk: str
    sk: str


def escape(component: str) -> str:
    """A component as written in a key: without the delimiter, sorting as before, reversible."""
    return _LOW.sub(lambda match: f"${ord(match[0]):02x}", component)


def unescape(component: str) -> str:
    """The inverse of escape."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), component)


def join(*components: str) -> str:
    """One key from components of any text."""
    plain = _DELIMITER.join(components)
    # Most keys have nothing to escape, and the consumer makes several for each record: so one check covers all.
    if plain.count(_DELIMITER) == len(components) - 1 and not _LOW_BUT_DELIMITER.search(plain):
        return plain
    return _DELIMITER.join(map(escape, components))


def split(key: str) -> tuple[str, ...]:
    """The components of a key, the inverse of join."""
    components = key.split(_DELIMITER)
    return tuple(map(unescape, components) if _ESCAPE in key else components)


def after(key: str, components: int) -> str:
    """What follows this many components of a key; raises IndexError if it has no more."""
    return key.split(_DELIMITER, components)[components]


def prefix(*components: str) -> str:
    """The prefix of keys with further components after these; it ends with the delimiter, so `TX` never finds `TXX`."""
    return join(*components) + _DELIMITER


@dataclass(frozen=True, slots=True)
class Partitions:
    """All partitions, of the table or of an index, whose keys begin with one name: rights are given for these."""

    name: str

    def __call__(self, *components: str) -> str:
        """The key of one of them."""
        return join(self.name, *components)

    @property
    def prefix(self) -> str:
        """What their keys begin with."""
        return prefix(self.name)


def digest(*components: str) -> str:
    """Sixteen hexadecimal digits that replace components too long for a key; they can't be split again."""
    return hashlib.sha256(join(*components).encode()).hexdigest()[:16]


def take(key: str, kind: str, at_least: int) -> tuple[str, ...]:
    """The components of a key of this kind, the kind itself first; raises ValueError for another kind."""
    components = split(key)
    if components[0] != kind or len(components) < at_least:
        raise ValueError(f"not a key of kind {kind}: {key!r}")
    return components
