"""Functions of Python within declarations: for what the language does not say, with a version that people give them.

A view's version is a hash of what its declaration says, and of a function nobody can tell what it says. So a function
stands in it by its name and a number. Whoever changes what it makes of an item raises the number, and so declares
another view; else what was added by the former function would be subtracted by this one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

from edgewise.aggregates.catalog import DeclarationError
from edgewise.dynamodb.attributes import Item
from edgewise.failures import PoisonError, sorted_out


@dataclass(frozen=True, eq=False)
class Function:
    """A function of an item, as DynamoDB sends it: `{"euros": {"N": "12.50"}}`."""

    name: str
    version: int
    of: Callable[[Item], Any]

    @classmethod
    def declared(cls, word: str, of: object, version: int) -> Self:
        """The function that `word` decorates; raises DeclarationError for one without a name of its own."""
        name = getattr(of, "__name__", "")
        if not callable(of) or not name.isidentifier():
            why = "whose name stands in the version of a view: def kind_of(item): ..."
            raise DeclarationError(f"@{word}(version={version}) decorates a function, {why}; and not {of!r}")
        return cls(name, version, of)

    def __str__(self) -> str:
        return f"{self.name}()"

    def __call__(self, item: Item) -> Any:
        """What it makes of an item; raises ValueError for what it raises because of the item."""
        try:
            with sorted_out():
                return self.of(item)
        except PoisonError as error:
            raise ValueError(f"{self} raised {error.reason}") from error


def check_version(word: str, version: object) -> None:
    """Raise DeclarationError for what is no version of a function."""
    if type(version) is not int or version < 1:
        why = "1 at first, and another number whenever it makes something else of an item, which makes another view"
        raise DeclarationError(f"{word} needs the version of its function: write @{word}(version=1). It is {why}")
