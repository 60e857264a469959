"""Turns a declaration into the source of its codec, and that into functions, as `dataclasses` does."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from typing import Any, NamedTuple, NoReturn

from edgewise.aggregates.measures import measurable
from edgewise.dynamodb.attributes import Attribute, Item, exact, integer, n, number_of, s, string
from edgewise.dynamodb.keys import Key, join, split
from edgewise.dynamodb.templates import Component, Template
from edgewise.items.declared import Declared, has_default
from edgewise.items.entries import Entry
from edgewise.sharding.lists import ShardedList
from edgewise.times import from_rfc_3339, rfc_3339


def _names(texts: frozenset[str]) -> Attribute:
    return {"L": [s(text) for text in sorted(texts)]}


def _texts(texts: Mapping[str, str]) -> Attribute:
    return {"M": {name: s(text) for name, text in texts.items()}}


def _texts_of(attribute: Attribute) -> Mapping[str, str]:
    return {name: string(text) for name, text in attribute["M"].items()}


def _foreign(item: Item) -> NoReturn:
    raise ValueError(f"not a key of this type: {item['PK']} {item['SK']}")


_READERS = (from_rfc_3339, integer, measurable, number_of, split, string)
_SCOPE: Mapping[str, Any] = {
    **{each.__name__: each for each in (*_READERS, Key, exact, join, n, rfc_3339, s)},
    **{"names": _names, "texts": _texts, "texts_of": _texts_of, "foreign": _foreign},
}


class Codec(NamedTuple):
    """The item of an entity that is listed in a shard; the entity of an item; the key with these fields."""

    encode: Callable[[Any, int], Item]
    decode: Callable[[Item], Any]
    key: Callable[..., Key]


def codec(of: Declared) -> Codec:
    """The codec of a declaration; raises TypeError if none can be made."""
    scope: dict[str, Any] = {**_SCOPE, "entity": of.entity, "TYPE": s(of.name)}
    scope |= {f"entry_{number}": each for number, each in enumerate(of.entries)}
    scope |= {f"default_{each.name}": each.default for each in fields(of.entity)}
    named = dict.fromkeys((*of.partition.fields, *of.sort.fields))
    source = (
        "def encode(e, shard):",
        *_encoding(of),
        "def decode(item):",
        *_decoding(of),
        f"def key({', '.join(f'of_{name}' for name in named)}):",
        f" return Key({_key(of, of.partition, 'of_')}, {_key(of, of.sort, 'of_')})",
    )
    exec("\n".join(source), scope)  # noqa: S102 - made of the declaration alone
    return Codec(scope["encode"], scope["decode"], scope["key"])


def _encoding(of: Declared) -> Iterator[str]:
    yield f" item = {{'PK': s({_key(of, of.partition)}), 'SK': s({_key(of, of.sort)}), 'Type': TYPE}}"
    yield f" data = {'{}' if of.data else 'item'}"
    for field, attribute in of.attributes():
        written = f"data[{attribute!r}] = {of.way(field.name).attribute.format(f'e.{field.name}')}"
        said = of.left_out(field)
        yield f" if {said}: {written}" if said else f" {written}"
    if of.data:
        yield f" item[{of.data!r}] = {{'M': data}}"
    for place, entry in enumerate(of.entries):
        yield f" if entry_{place}.when(e):"
        yield f"  item[{entry.index.partition_key!r}] = s({_partition(of, place, entry)})"
        yield f"  item[{entry.index.sort_key!r}] = {_sort(of, entry)}"
    yield " return item"


def _decoding(of: Declared) -> Iterator[str]:
    found, repeated = dict[str, str](), list[str]()
    for key, template in (("PK", of.partition), ("SK", of.sort)):
        parts = [f"{key}_{number}" for number in range(len(template.components))]
        yield f" {', '.join(parts)}, = split(string(item[{key!r}]))"
        for part, component in zip(parts, template.components, strict=True):
            if not component.field:
                repeated.append(f"{part} == {component.text!r}")
            elif component.width or component.field in found:
                repeated.append(f"{part} == {of.in_key(component, f'e.{component.field}')}")
            else:
                if component.text:
                    repeated.append(f"{part}.startswith({component.text!r})")
                found[component.field] = _read(of, component, part)
    yield f" data = item[{of.data!r}]['M']" if of.data else " data = item"
    for field, attribute in of.attributes():
        value = of.way(field.name).value.format(f"data[{attribute!r}]")
        missing = f" if {attribute!r} in data else default_{field.name}" if has_default(field) else ""
        found[field.name] = value + missing
    yield f" e = entity({', '.join(f'{field.name}={found[field.name]}' for field in fields(of.entity))})"
    yield f" if not ({' and '.join(repeated)}): foreign(item)"
    yield " return e"


def _read(of: Declared, component: Component, part: str) -> str:
    of.in_key(component, "")
    way = of.way(component.field or "").part or "{}"
    return way.format(f"{part}[{len(component.text)}:]" if component.text else part)


def _key(of: Declared, template: Template, prefix: str = "e.") -> str:
    """The source of a key, whose fields have these names."""
    return f"join({', '.join(_component(of, each, prefix) for each in template.components)})"


def _component(of: Declared, component: Component, prefix: str) -> str:
    return of.in_key(component, prefix + component.field) if component.field else repr(component.text)


def _partition(of: Declared, place: int, entry: Entry) -> str:
    if isinstance(entry.partition, ShardedList):
        return f"entry_{place}.partition.shard(shard)"
    return _key(of, Template.of(entry.partition))


def _sort(of: Declared, entry: Entry) -> str:
    template = Template.of(entry.sort)
    return f"n(e.{template.fields[0]})" if entry.index.sort_type == "N" else f"s({_key(of, template)})"
