"""How many bytes DynamoDB counts for an item: names and values, according to its documentation on item sizes."""

from collections.abc import Mapping
from typing import Any

Value = Mapping[str, Any]
Item = Mapping[str, Value]

_COLLECTION = 3  # for a list or a map, plus one for each element


def item_size(item: Item) -> int:
    """Bytes of an item's attribute names and values."""
    return sum(len(name.encode()) + _value(value) for name, value in item.items())


def _value(value: Value) -> int:
    ((kind, content),) = value.items()
    match kind:
        case "S":
            return len(content.encode())
        case "N":
            return _number(content)
        case "M":
            return _COLLECTION + len(content) + item_size(content)
        case "L":
            return _COLLECTION + len(content) + sum(map(_value, content))
        case "B" | "SS" | "NS" | "BS":
            return _bytes(kind, content)
        case _:  # BOOL and NULL
            return 1


def _bytes(kind: str, content: Any) -> int:
    """Binary, or a set of strings, numbers or binaries."""
    return len(content) if kind == "B" else sum(_value({kind[0]: element}) for element in content)


def _number(text: str) -> int:
    """One byte per two significant digits, plus one; a minus sign takes one more."""
    digits = text.lstrip("-").partition("e")[0].partition("E")[0].replace(".", "").strip("0")
    return (len(digits) + 1) // 2 + 1 + text.startswith("-")
