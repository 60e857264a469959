"""The bytes and the write units of an item, by DynamoDB's rules: also where DynamoDB does not report them.

https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations.Writes
"""

from math import ceil

from edgewise.dynamodb.attributes import Attribute, Item
from edgewise.dynamodb.schema import INDEXES, Index

_KEY = ("PK", "SK")
_UNIT = 1024
_COLLECTION = 3  # for a list or a map, plus one for each element


def item_bytes(item: Item) -> int:
    """The bytes that an item takes; reads are billed by 4 KB of them, writes by 1 KB."""
    return sum(len(name.encode()) + _value(value) for name, value in item.items())


def of_put(former: Item | None, item: Item) -> int:
    """The units of writing an item in place of another one, or of none: those of the table and of its indexes."""
    return _units(former, item) + sum(_of_index(index, former, item) for index in INDEXES)


def of_refused(found: Item | None, item: Item | None) -> int:
    """The units of a write that its condition refuses: those of the larger item; `item` None: it was a delete."""
    return _units(found, item or {})


def _of_index(index: Index, former: Item | None, item: Item) -> int:
    """An entry that moves is removed and written anew; one that stays as it is costs nothing."""
    old, new = _entry(index, former), _entry(index, item)
    if old == new:
        return 0
    keys = (index.partition_key, index.sort_key)
    if old and new and all(old[key] == new[key] for key in keys):
        return _units(old, new)
    return sum(_units(None, entry) for entry in (old, new) if entry)


def _entry(index: Index, item: Item | None) -> Item | None:
    if item is None or index.partition_key not in item or index.sort_key not in item:
        return None
    names = (*_KEY, index.partition_key, index.sort_key, *index.projected)
    return {name: item[name] for name in names if name in item}


def _units(former: Item | None, item: Item) -> int:
    return ceil(max(item_bytes(former or {}), item_bytes(item), 1) / _UNIT)


def _value(value: Attribute) -> int:
    ((kind, content),) = value.items()
    match kind:
        case "S":
            return len(content.encode())
        case "N":
            return _number(content)
        case "B":
            return len(content)
        case "M":
            return _COLLECTION + len(content) + item_bytes(content)
        case "L":
            return _COLLECTION + len(content) + sum(map(_value, content))
        case "SS" | "NS" | "BS":
            return sum(_value({kind[0]: each}) for each in content)
        case _:  # BOOL and NULL
            return 1


def _number(text: str) -> int:
    """One byte for two significant digits, one more for the number, and one for a minus sign."""
    digits = text.lstrip("-").lower().partition("e")[0].replace(".", "").strip("0")
    return (len(digits) + 1) // 2 + 1 + text.startswith("-")
