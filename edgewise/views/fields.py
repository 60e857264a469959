"""Fields of items: which attribute, by its path, or what a function makes of an item."""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Generic, Self, TypeVar

from edgewise.aggregates.catalog import DeclarationError
from edgewise.dynamodb.attributes import Attribute, Item
from edgewise.views.conditions import Canonical, Compared, Condition, Exists, OneOf
from edgewise.views.made import Function, check_version

T = TypeVar("T")


class Field(Generic[T]):
    """A value of items by its path, such as `price.net`; by default, an attribute of the field's own name.

    Comparing it makes a condition. Raises DeclarationError for a path that names nothing, and for a value of another
    type.
    """

    form: ClassVar[str]
    # The types of values that it is compared with, and how one is written.
    compared: ClassVar[tuple[type, ...]]
    example: ClassVar[str]
    # What a function has to make of an item, or None.
    wanted: ClassVar[str]

    def __init__(self, path: str = "") -> None:
        if not isinstance(path, str) or (path and not all(path.split("."))):
            raise DeclarationError(
                f'path must be names with points between them, such as "price.net", and not {path!r}'
            )
        self.path = path
        # The class of items, or the view, whose field it is, and what it is called there; None outside of one.
        self.owner: type | None = None
        self.name = path
        # What makes the value of an item; None: an attribute is read, and the path says which.
        self.function: Function | None = None

    @classmethod
    def made(cls, version: int = 0) -> Callable[[Callable[[Item], T | None]], Self]:
        """Decorates a function of an item, as DynamoDB sends it: what it makes is the field's value, None for none.

        `version`: of the function, which people raise whenever it makes something else of an item: that makes another
        view. An item of which it raises, or makes no value of the field's type, is set aside for the views that ask it.
        Raises DeclarationError without a version.
        """
        check_version(f"{cls.__name__}.made", version)
        return partial(cls._made_by, version)

    @classmethod
    def _made_by(cls, version: int, of: Callable[[Item], T | None]) -> Self:
        found = cls()
        found.make(Function.declared(f"{cls.__name__}.made", of, version))
        return found

    def make(self, function: Function) -> None:
        """Let a function make the values, and not an attribute."""
        self.function, self.name = function, function.name

    def __set_name__(self, owner: type, name: str) -> None:
        if self.owner is None:
            self.path, self.owner, self.name = self.path or ("" if self.function else name), owner, name

    def __repr__(self) -> str:
        return f"{self.owner.__name__}.{self.name}" if self.owner else self.name

    @property
    def source(self) -> str:
        """Where its value comes from, for people: its path, or its function."""
        return str(self.function) if self.function else self.path

    @property
    def canonical(self) -> Canonical:
        """Its type, and its path or its function with the version."""
        if self.function:
            return ["made", self.form, self.function.name, self.function.version]
        return [self.form, self.path]

    def read(self, item: Item) -> T | None:
        """The value in an item; None where it is absent or NULL. Raises ValueError, with its source, if it is none."""
        if (found := self._made(self.function, item) if self.function else self._found(item)) is None:
            return None
        try:
            return self.decoded(found)
        except ValueError as error:
            raise ValueError(f"{self.source} {error}") from error

    def decoded(self, found: Attribute) -> T:
        """The value of an attribute; raises ValueError."""
        raise NotImplementedError

    def encoded(self, value: object) -> Attribute | None:
        """What a function has made as an attribute; None: it is no value of this type."""
        raise NotImplementedError

    def written(self, value: Any) -> str:
        """A value as the canonical form has it."""
        return str(value)

    def exists(self) -> Condition:
        """That an item has a value there."""
        return Exists(self)

    def isin(self, *values: Any) -> Condition:
        """That the value is one of these."""
        if not values:
            raise DeclarationError(f"{self}.isin needs the values, such as {self}.isin({self.example})")
        return OneOf(self, tuple(map(self._comparable, values)))

    def __eq__(self, other: object) -> Condition:  # type: ignore[override]
        return Compared(self, "=", self._comparable(other))

    def __ne__(self, other: object) -> Condition:  # type: ignore[override]
        return ~(self == other)

    def __lt__(self, other: Any) -> Condition:
        return Compared(self, "<", self._comparable(other))

    def __le__(self, other: Any) -> Condition:
        return Compared(self, "<=", self._comparable(other))

    def __gt__(self, other: Any) -> Condition:
        return Compared(self, ">", self._comparable(other))

    def __ge__(self, other: Any) -> Condition:
        return Compared(self, ">=", self._comparable(other))

    __hash__ = object.__hash__

    def _comparable(self, value: Any) -> Any:
        if value is None:
            raise DeclarationError(f"{self} is compared with None: write {self}.exists(), or ~{self}.exists()")
        if not isinstance(value, self.compared) or isinstance(value, bool):
            raise DeclarationError(f"{self} is compared with values such as {self.example}, and not with {value!r}")
        return value

    def _made(self, function: Function, item: Item) -> Attribute | None:
        """What a function makes of an item; None for none. Raises ValueError if it is no value of the type."""
        if (value := function(item)) is None:
            return None
        if (found := self.encoded(value)) is None:
            raise ValueError(f"{function} must make {self.wanted}, and made {value!r}")
        return found

    def _found(self, item: Item) -> Attribute | None:
        """The attribute; None if it is absent, or NULL. Raises ValueError if its path leads through what is no map."""
        found: Attribute | None = {"M": item}
        # Names of attributes may have points, those of keys too: so one that is called as the whole path comes first.
        for name in [self.path] if self.path in item else self.path.split("."):
            if found is None or "NULL" in found:
                return None
            if "M" not in found:
                raise ValueError(f"{self.path} is within a map, and there is {forms(found)}")
            found = found["M"].get(name)
        return None if found is None or "NULL" in found else found


def forms(found: Attribute) -> str:
    """What an attribute is, as DynamoDB calls the types of values."""
    return ", ".join(found)
