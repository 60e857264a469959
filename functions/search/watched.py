"""Which things a change of the table tells of."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from edgewise import Item
from edgewise.dynamodb.attributes import key_of, string
from edgewise.failures import PoisonError, sorted_out
from functions.search import withdrawals
from functions.search.engine import Address
from functions.searchable import Searchable


class Watched:
    """All things that people can find, by the types of the items that tell of them."""

    def __init__(self, every: Iterable[Searchable]) -> None:
        self.kinds: Mapping[str, Searchable] = {each.kind: each for each in every}
        self._by_type: dict[str, list[Searchable]] = {}
        for each in self.kinds.values():
            for of_type in each.types:
                self._by_type.setdefault(of_type, []).append(each)

    @property
    def types(self) -> frozenset[str]:
        """The types of items that tell of things, or of what was withdrawn."""
        return frozenset({*self._by_type, withdrawals.TYPE})

    def hints(self, records: Iterable[Mapping[str, Any]]) -> list[Address]:
        """Which things some records of the stream are about, each once."""
        return list(dict.fromkeys(address for record in records for address in self._hints(record)))

    def told_by(self, item: Item) -> list[Address]:
        """Which things an item tells of; of its attributes, only those of its key and its type are looked at.

        A note on what was withdrawn is named itself, as of a kind of its own. None of them if it can't be understood:
        the stream's first reader has set it aside.
        """
        try:
            with sorted_out():
                of_type = string(item["Type"])
                if of_type == withdrawals.TYPE:
                    return [Address(of_type, key_of(item))]
                return [Address(each.kind, each.types[of_type](item)) for each in self._by_type.get(of_type, ())]
        except PoisonError:
            return []

    def _hints(self, record: Mapping[str, Any]) -> Iterator[Address]:
        """Nothing of a record that can't be understood: the stream's other reader sets it aside."""
        try:
            with sorted_out():
                change = record["dynamodb"]
                new, old = change.get("NewImage"), change.get("OldImage")
                of_type = string((new or old)["Type"])
                if of_type == withdrawals.TYPE and new:
                    yield Address(of_type, key_of(new))
                for each in self._by_type.get(of_type, ()):
                    if key := each.changed(of_type, new, old):
                        yield Address(each.kind, key)
        except PoisonError:
            return
