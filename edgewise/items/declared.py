"""What a codec follows from: the fields of a dataclass, how each is written, and the templates of its item's keys."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from decimal import Decimal
from types import NoneType
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from edgewise.dynamodb.schema import INDEXES, PARTITION_KEY, SORT_KEY, TTL_ATTRIBUTE
from edgewise.dynamodb.templates import Component, Template
from edgewise.items.entries import Entry
from edgewise.times import Millis

_OF_INDEXES = (name for index in INDEXES for name in (index.partition_key, index.sort_key))
_RESERVED = frozenset({PARTITION_KEY, SORT_KEY, *_OF_INDEXES, "Type", TTL_ATTRIBUTE})


class Way(NamedTuple):
    """How a type is written: as an attribute and back, and as part of a key and back. None: it can't be in keys."""

    attribute: str
    value: str
    key: str | None = None
    part: str | None = None


_TEXT = Way("s({})", "string({})", "{}", "{}")
_NUMBER = Way("n({})", "integer({})", "str({})", "int({})")
_WAYS: Mapping[Any, Way] = {
    str: _TEXT,
    int: _NUMBER,
    Decimal: Way("exact({})", "measurable(number_of({}))"),
    Millis: Way("s(rfc_3339({}))", "from_rfc_3339(string({}))", "rfc_3339({})", "from_rfc_3339({})"),
    frozenset[str]: Way("names({})", "frozenset(map(string, {}['L']))"),
    Mapping[str, str]: Way("texts({})", "texts_of({})"),
}


@dataclass(frozen=True)
class Declared:
    """All that a codec follows from; `data`: the attribute that holds what is not in the key, None: each its own."""

    entity: type[Any]
    name: str
    partition: Template
    sort: Template
    data: str | None
    entries: Sequence[Entry]

    def __post_init__(self) -> None:
        """Raises TypeError for what can't be told apart, or not be read as it was written."""
        attributes = [attribute for _, attribute in self.attributes()]
        if len(set(attributes)) < len(attributes):
            raise TypeError(f"two fields of {self.entity.__name__} have one attribute: {attributes}")
        if taken := _RESERVED.intersection((self.data,) if self.data else attributes):
            raise TypeError(f"{self.entity.__name__} can't have an attribute {', '.join(taken)}: it has a meaning")
        if not self.sort.components[0].text:
            raise TypeError(f"a sort key begins with text that tells its type: {self.sort}")
        for entry in self.entries:
            if entry.index.sort_type == "N" and not self._is_number(Template.of(entry.sort)):
                raise TypeError(f"{entry.index.name} sorts by a number, not by {entry.sort}")

    def way(self, name: str) -> Way:
        """How a field or a property is written; raises TypeError if its type can't be stored."""
        kept = _without_none(self._type(name))
        way = _TEXT if get_origin(kept) is Literal else _WAYS.get(kept)
        if way is None:
            raise TypeError(f"{self.entity.__name__}.{name}: {kept} can't be stored by declaration")
        return way

    def in_key(self, component: Component, value: str) -> str:
        """How a component with a field is written, `value` being its source; raises TypeError if it can't be."""
        way = self.way(component.field or "")
        if way.key is None or (component.width and way is not _NUMBER):
            raise TypeError(f"{self.entity.__name__}.{component.field} can't be in a key as {component}")
        written = f"'%{component.width}d' % {value}" if component.width else way.key.format(value)
        return f"{component.text!r} + {written}" if component.text else written

    def attributes(self) -> Iterator[tuple[Field[Any], str]]:
        """The fields that are not in the key, and their attributes: `opened_at` is OpenedAt."""
        named = self.partition.stored | self.sort.stored
        for field in fields(self.entity):
            if field.name not in named:
                yield field, "".join(map(str.capitalize, field.name.split("_")))

    def left_out(self, field: Field[Any]) -> str | None:
        """When an attribute says what is said without it: the test that it has more to say; None: it always has.

        Raises TypeError for an optional field with another default: then nothing would stand for None.
        """
        if NoneType in get_args(self._type(field.name)):
            if field.default is not None:
                raise TypeError(f"{self.entity.__name__}.{field.name} must be None by default")
            return f"e.{field.name} is not None"
        return f"e.{field.name}" if field.default == "" else None

    def _is_number(self, sort: Template) -> bool:
        (first, *others) = sort.components
        plain = not first.text and not others and first.field
        return bool(plain) and _without_none(self._type(plain or "")) in (int, Millis, Decimal)

    def _type(self, name: str) -> Any:
        found = getattr(self.entity, name, None)
        if isinstance(found, property):
            return get_type_hints(found.fget, include_extras=True)["return"]
        return get_type_hints(self.entity, include_extras=True)[name]


def has_default(field: Field[Any]) -> bool:
    """Whether an item may lack a field: an earlier release that did not know it wrote the item."""
    return field.default is not MISSING


def _without_none(kept: Any) -> Any:
    """The type of an optional field."""
    ways = get_args(kept)
    return next(each for each in ways if each is not NoneType) if NoneType in ways else kept
