"""The entities of which a stage may have the outlet tell."""

from collections.abc import Iterable, Mapping
from typing import Any

from edgewise import ItemType
from edgewise.aggregates.catalog import DeclarationError


class Outlets:
    """All entities that a stage may name. Raises DeclarationError if two have one name, or are items of one type."""

    def __init__(self, of_systems: Iterable[Mapping[str, ItemType[Any]]]) -> None:
        self._items = dict[str, ItemType[Any]]()
        for name, items in (each for some in of_systems for each in some.items()):
            if name in self._items or items.name in {each.name for each in self._items.values()}:
                raise DeclarationError(f"two outlets are called {name}, or are of {items.name}")
            self._items[name] = items

    @property
    def names(self) -> tuple[str, ...]:
        """What a stage may name."""
        return tuple(sorted(self._items))

    def types(self, names: Iterable[str]) -> frozenset[str]:
        """The types of the items of these entities."""
        return frozenset(self._items[name].name for name in names)

    def by_type(self, names: Iterable[str]) -> Mapping[str, tuple[str, ItemType[Any]]]:
        """These entities by the types of their items: their names, and how they are stored."""
        return {self._items[name].name: (name, self._items[name]) for name in names}
