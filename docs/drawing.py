"""Items and index entries as the rows of Markdown tables."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from edgewise.dynamodb.attributes import Attribute, Item, key_of, string
from edgewise.dynamodb.schema import INDEXES, PARTITION_KEY, SORT_KEY, Index

_KEYS = {PARTITION_KEY, SORT_KEY} | {name for index in INDEXES for name in (index.partition_key, index.sort_key)}
_RULE = "|---|---|---|---|---|"
# What each aggregate has, and no other item.
_CHECKPOINTS, _VERSION = "Seqs", "Version"


def collections(items: Sequence[Item]) -> Iterator[str]:
    """Item collections: one row per item, with the indexes that contain it; of aggregates, not how far they are."""
    yield from (f"| `{PARTITION_KEY}` | `{SORT_KEY}` | `Type` | other attributes | indexes |", _RULE)
    for partition, of in groupby(items, lambda item: key_of(item).pk):
        for name, item in zip(_once(partition), of, strict=False):
            where = ", ".join(index.name for index in INDEXES if index.partition_key in item)
            but = {*_KEYS, "Type", *((_CHECKPOINTS, _VERSION) if _CHECKPOINTS in item else ())}
            yield f"| {name} | {_code(key_of(item).sk)} | {string(item['Type'])} | {_attributes(item, but)} | {where} |"


def entries(index: Index, found: Sequence[Item]) -> Iterator[str]:
    """An index: one row per entry, in the order in which a query returns them."""
    names = (index.partition_key, index.sort_key, PARTITION_KEY, SORT_KEY)
    yield from (f"| {' | '.join(map(_code, names))} | `Type` |", _RULE)
    texts = [(*(_text(entry[name]) for name in names), string(entry["Type"])) for entry in found]
    texts.sort(key=lambda row: (row[0], float(row[1]) if index.sort_type == "N" else 0, row[1:]))
    for partition, of in groupby(texts, itemgetter(0)):
        for name, (_, *others, of_type) in zip(_once(partition), of, strict=False):
            yield f"| {' | '.join([name, *map(_code, others)])} | {of_type} |"


def _once(partition: str) -> Iterator[str]:
    """A partition key for the first row of its collection, nothing for the others."""
    yield _code(partition)
    while True:
        yield ""


def _attributes(item: Item, but: set[str]) -> str:
    return "<br>".join(_code(f"{name}: {_text(item[name])}") for name in sorted(item.keys() - but))


def _code(text: str) -> str:
    return f"`{text}`".replace("|", r"\|")


def _text(attribute: Attribute) -> str:
    """An attribute's value without type names; bytes are not shown."""
    ((kind, value),) = attribute.items()
    match kind:
        case "B":
            return "…"
        case "SS":
            return f"{{{', '.join(value)}}}"
        case "L":
            return f"[{', '.join(map(_text, value))}]"
        case "M":
            return f"{{{', '.join(f'{name}: {_text(value[name])}' for name in sorted(value))}}}"
        case _:
            return str(value)
