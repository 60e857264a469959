"""Turns a declaration into the source of its codec, and that into functions, as `dataclasses` does."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, fields
from decimal import Decimal
from types import NoneType
from typing import Any, Literal, NamedTuple, NoReturn, get_args, get_origin, get_type_hints

from functions.aggregates.measures import measurable
from functions.dynamodb.attributes import Attribute, Item, integer, n, number, s, string
from functions.dynamodb.keys import join, split
from functions.items.entries import Entry
from functions.items.templates import Component, Template
from functions.sharding.lists import ShardedList
from functions.times import Millis, from_rfc_3339, rfc_3339


class Way(NamedTuple):
    """How a type is written: as an attribute and back, and as part of a key and back. None: it can't be in keys."""

    attribute: str
    value: str
    key: str | None = None
    part: str | None = None


_TEXT = Way("s({})", "string({})", "{}", "{}")
_WAYS: Mapping[Any, Way] = {
    str: _TEXT,
    int: Way("n({})", "integer({})", "str({})", "int({})"),
    Decimal: Way("n({})", "measurable(number({}))"),
    Millis: Way("s(rfc_3339({}))", "from_rfc_3339(string({}))", "rfc_3339({})", "from_rfc_3339({})"),
    frozenset[str]: Way("names({})", "frozenset(map(string, {}['L']))"),
    Mapping[str, str]: Way("texts({})", "texts_of({})"),
}


def _names(texts: frozenset[str]) -> Attribute:
    return {"L": [s(text) for text in sorted(texts)]}


def _texts(texts: Mapping[str, str]) -> Attribute:
    return {"M": {name: s(text) for name, text in texts.items()}}


def _texts_of(attribute: Attribute) -> Mapping[str, str]:
    return {name: string(text) for name, text in attribute["M"].items()}


def _foreign(item: Item) -> NoReturn:
    raise ValueError(f"not a key of this type: {item['PK']} {item['SK']}")


_READERS = (from_rfc_3339, integer, measurable, number, split, string)
_SCOPE: Mapping[str, Any] = {
    **{each.__name__: each for each in (*_READERS, join, n, rfc_3339, s)},
    **{"names": _names, "texts": _texts, "texts_of": _texts_of, "foreign": _foreign},
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

    def way(self, name: str) -> Way:
        """How a field or a property is written; raises TypeError if its type can't be stored."""
        kept = _without_none(self._type(name))
        way = _TEXT if get_origin(kept) is Literal else _WAYS.get(kept)
        if way is None:
            raise TypeError(f"{self.entity.__name__}.{name}: {kept} can't be stored by declaration")
        return way

    def attributes(self) -> Iterator[tuple[Field[Any], str]]:
        """The fields that are not in the key, and their attributes: `opened_at` is OpenedAt."""
        named = self.partition.stored | self.sort.stored
        for field in fields(self.entity):
            if field.name not in named:
                yield field, "".join(map(str.capitalize, field.name.split("_")))

    def _type(self, name: str) -> Any:
        found = getattr(self.entity, name, None)
        if isinstance(found, property):
            return get_type_hints(found.fget, include_extras=True)["return"]
        return get_type_hints(self.entity, include_extras=True)[name]


def codec(of: Declared) -> tuple[Callable[[Any, int], Item], Callable[[Item], Any]]:
    """The functions that encode an entity, listed in a shard, and that decode an item."""
    scope: dict[str, Any] = {**_SCOPE, "entity": of.entity, "TYPE": s(of.name)}
    scope |= {f"entry_{number}": each for number, each in enumerate(of.entries)}
    scope |= {f"default_{each.name}": each.default for each in fields(of.entity)}
    source = "\n".join(("def encode(e, shard):", *_encoding(of), "def decode(item):", *_decoding(of)))
    exec(source, scope)  # noqa: S102 - made of the declaration alone
    return scope["encode"], scope["decode"]


def _encoding(of: Declared) -> Iterator[str]:
    yield f" item = {{'PK': s({_key(of, of.partition)}), 'SK': s({_key(of, of.sort)}), 'Type': TYPE}}"
    yield f" data = {'{}' if of.data else 'item'}"
    for field, attribute in of.attributes():
        written = of.way(field.name).attribute.format(f"e.{field.name}")
        yield f" {_unless_left_out(field)}data[{attribute!r}] = {written}"
    if of.data:
        yield f" item[{of.data!r}] = {{'M': data}}"
    for place, entry in enumerate(of.entries):
        yield f" if entry_{place}.when(e):"
        yield f"  item[{entry.index.partition_key!r}] = s({_partition(of, place, entry)})"
        yield f"  item[{entry.index.sort_key!r}] = {_sort(of, entry)}"
    yield " return item"


def _decoding(of: Declared) -> Iterator[str]:
    found = dict[str, str]()
    for key, template in (("PK", of.partition), ("SK", of.sort)):
        parts = [f"{key}_{number}" for number in range(len(template.components))]
        yield f" {', '.join(parts)}, = split(string(item[{key!r}]))"
        for part, component in zip(parts, template.components, strict=True):
            if component.text or not component.field:
                yield f" if not {_begins(component, part)}: foreign(item)"
            if component.field and not component.format:
                rest = f"{part}[{len(component.text)}:]" if component.text else part
                found.setdefault(component.field, _in_key(of, component.field)[1].format(rest))
    yield f" data = item[{of.data!r}]['M']" if of.data else " data = item"
    for field, attribute in of.attributes():
        value = of.way(field.name).value.format(f"data[{attribute!r}]")
        left_out = f" if {attribute!r} in data else default_{field.name}" if _unless_left_out(field) else ""
        found[field.name] = value + left_out
    yield f" return entity({', '.join(found[field.name] for field in fields(of.entity))})"


def _unless_left_out(field: Field[Any]) -> str:
    """Attributes are left out where they say what is said without them: None, or nothing at all."""
    if field.default is None:
        return f"if e.{field.name} is not None: "
    return f"if e.{field.name}: " if field.default in ("", frozenset()) else ""


def _begins(component: Component, part: str) -> str:
    return f"{part}.startswith({component.text!r})" if component.field else f"{part} == {component.text!r}"


def _in_key(of: Declared, name: str) -> tuple[str, str]:
    way = of.way(name)
    if way.key is None or way.part is None:
        raise TypeError(f"{of.entity.__name__}.{name} can't be in a key")
    return way.key, way.part


def _key(of: Declared, template: Template) -> str:
    return f"join({', '.join(_component(of, each) for each in template.components)})"


def _component(of: Declared, component: Component) -> str:
    if not component.field:
        return repr(component.text)
    value = f"e.{component.field}"
    way, _ = _in_key(of, component.field)
    written = f"format({value}, {component.format!r})" if component.format else way.format(value)
    return f"{component.text!r} + {written}" if component.text else written


def _partition(of: Declared, place: int, entry: Entry) -> str:
    if isinstance(entry.partition, ShardedList):
        return f"entry_{place}.partition.shard(shard)"
    return _key(of, Template.of(entry.partition))


def _sort(of: Declared, entry: Entry) -> str:
    template = Template.of(entry.sort)
    return f"n(e.{template.fields[0]})" if entry.index.sort_type == "N" else f"s({_key(of, template)})"


def _without_none(kept: Any) -> Any:
    """The type of an optional field."""
    ways = get_args(kept)
    return next(each for each in ways if each is not NoneType) if NoneType in ways else kept
