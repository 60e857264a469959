"""What people can find by words, as systems declare it: which items tell of a thing, and what of it is searched."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from edgewise import Item, Key, Millis, Partitions, Query, Source
from edgewise.aggregates.stored import is_emptied
from edgewise.dynamodb.attributes import key_of


@dataclass(frozen=True, slots=True)
class Contents:
    """What search knows of one thing.

    `id`: the parts of its name, as the API has them. `title` and `text` are searched, a title counts more. `at`:
    when it is from. `attributes`: what it can be filtered by. `readers`: who alone may find it, by their `sub`; None:
    everybody with a token.
    """

    id: tuple[str, ...]
    title: str = ""
    text: str = ""
    at: Millis | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)
    readers: frozenset[str] | None = None

    def readable(self, sub: str) -> bool:
        """Whether this user may find it."""
        return self.readers is None or sub in self.readers


def _all(item: Item) -> object:
    return item


@dataclass(frozen=True, eq=False)
class Searchable:
    """One kind of things that people can find; `kind` is what queries and answers call it.

    Each thing is known by the key of its main item. `types` are the types of the items that tell of it, each with that
    key; all of them are in these `partitions`. `contents` is what all of them say, None if there is nothing to find;
    `items` reads them, None: the main item says all. `says` is what of one item is searched: a change of the rest is no
    news. All raise KeyError, TypeError or ValueError on foreign items. `attributes`: the names to filter by.
    """

    kind: str
    partitions: Partitions
    types: Mapping[str, Callable[[Item], Key]]
    contents: Callable[[Sequence[Item]], Contents | None]
    items: Callable[[Key], Query] | None = None
    says: Callable[[Item], object] = _all
    attributes: tuple[str, ...] = ()

    def changed(self, of_type: str, new: Item | None, old: Item | None) -> Key | None:
        """Which thing an item of one of these types tells of; None if what is searched has not changed."""
        if new and old and self.says(new) == self.says(old):
            return None
        return self.types[of_type](new or old or {})


def searchable(
    kind: str,
    source: Source,
    partitions: Partitions,
    contents: Callable[[Any], Contents | None],
    attributes: tuple[str, ...] = (),
) -> Searchable:
    """Things that one item each tells of, by what its source decodes.

    Of an emptied aggregate, and of what was taken back, nothing is found.
    """

    def of_items(items: Sequence[Item]) -> Contents | None:
        standing = (item for item in items if not is_emptied(item) and source.tombstone not in item)
        return next((contents(source.decode(item)) for item in standing), None)

    types = {source.type: key_of}
    return Searchable(kind, partitions, types, of_items, None, lambda item: of_items([item]), attributes)
