"""Items as people are shown them: plain values, and nothing of the content of what is private."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from edgewise import Item
from edgewise.dynamodb.attributes import Attribute
from edgewise.dynamodb.schema import INDEXES, TTL_ATTRIBUTE
from functions.systems.operations.private import is_private

KEYS: Final = ("PK", "SK", *(name for each in INDEXES for name in (each.partition_key, each.sort_key)))
# What says nothing about the content of an item: only this is shown of private ones. Aggregates tell counts.
_OPEN: Final = frozenset({*KEYS, TTL_ATTRIBUTE, "Type", "Version", "Cells", "Full", "Lacks"})


def attributes(item: Mapping[str, Attribute]) -> tuple[dict[str, Any], list[str]]:
    """The attributes of an item as plain values, and the names of those that are not shown.

    The item may be foreign: what has no partition key that can be read counts as private.
    """
    hidden = sorted(item.keys() - _OPEN) if _is_private(item) else []
    return {name: plain(value) for name, value in sorted(item.items()) if name not in hidden}, hidden


def text(item: Item, name: str) -> str | None:
    """An attribute as text if it is a text or a number; None otherwise."""
    found = item.get(name, {})
    value = found.get("S", found.get("N"))
    return value if isinstance(value, str) else None


def plain(attribute: Any) -> Any:
    """The value of an attribute without its types: bytes as their number, anything foreign as it is."""
    match attribute:
        case {"N": str(number)}:
            return Decimal(number)
        case {"S": str(value)} | {"BOOL": bool(value)}:
            return value
        case {"B": content}:
            return {"bytes": len(content)}
        case {"NULL": _}:
            return None
        case {"L": list(values)} | {"SS": list(values)} | {"NS": list(values)}:
            return [plain(each) for each in values]
        case {"M": dict(values)}:
            return {name: plain(each) for name, each in values.items()}
        case _:
            return attribute


def _is_private(item: Mapping[str, Attribute]) -> bool:
    match item.get("PK"):
        case {"S": str(pk)}:
            return is_private(pk)
        case _:
            return True
