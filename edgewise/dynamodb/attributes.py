"""DynamoDB's typed attribute values, built and parsed without boto3's generic serializer.

The consumer does little else, so it decodes only what it needs.
"""

import json
from collections.abc import Mapping
from decimal import Context, Decimal
from hashlib import sha256
from typing import Any

from edgewise.dynamodb.keys import Key

# A value as DynamoDB sends it, such as {"S": "text"} or {"N": "12.5"}.
Attribute = Mapping[str, Any]
# An item as DynamoDB sends it: its attributes by name.
Item = dict[str, Attribute]


# DynamoDB's numbers have 38 digits from the first that is not 0 to the last, and go from 1E-130 to 9.99...E+125
# (the developer guide, Naming Rules and Data Types). These are the places of the first digit and of the last.
MAX_DIGITS, _FIRST, _LAST = 38, 125, -130
# More digits than any number has.
_EVERY = Context(prec=10_000)
# What DynamoDB calls its types.
_TYPES = frozenset({"S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"})


class PlainItemError(Exception):
    """An item has a plain value, as boto3's resources give them, where DynamoDB's typed one is needed."""

    def __init__(self, name: str, value: object) -> None:
        super().__init__(
            f"{name} is {value!r}: give the item as DynamoDB sends it, with the type of each value, such as "
            f'{{{name!r}: {{"S": "text"}}}} or {{{name!r}: {{"N": "12.5"}}}}; '
            "boto3.dynamodb.types.TypeSerializer makes it of plain values"
        )
        self.name = name


def typed(item: Item) -> Item:
    """The item; raises PlainItemError, which names the attribute, if a value has no type."""
    for name, value in item.items():
        if not isinstance(value, Mapping) or len(value) != 1 or value.keys() - _TYPES:
            raise PlainItemError(name, value)
    return item


def s(text: str) -> Attribute:
    """A string."""
    return {"S": text}


def n(number: int | Decimal) -> Attribute:
    """A number, exactly."""
    return {"N": format(number, "f") if isinstance(number, Decimal) else str(number)}


def exact(number: Decimal) -> Attribute:
    """A number with all its digits: as a text if DynamoDB's numbers don't have so many, or not at such places."""
    short = number.normalize(_EVERY)
    _, digits, last = short.as_tuple()
    fits = len(digits) <= MAX_DIGITS and isinstance(last, int) and last >= _LAST and short.adjusted() <= _FIRST
    return n(short) if fits else s(str(short))


def number_of(attribute: Attribute) -> Decimal:
    """The inverse of `exact`; raises KeyError for another type, and what Decimal raises for what is no number."""
    return Decimal(attribute["N"] if "N" in attribute else attribute["S"])


def string(attribute: Attribute) -> str:
    """The text of a string attribute; raises KeyError for another type."""
    value = attribute["S"]
    if not isinstance(value, str):
        raise TypeError(f"not a string: {value!r}")
    return value


def number(attribute: Attribute) -> Decimal:
    """The value of a number attribute; raises KeyError for another type."""
    return Decimal(attribute["N"])


def integer(attribute: Attribute) -> int:
    """The value of a whole number attribute."""
    return int(attribute["N"])


def fingerprint(item: Item) -> str:
    """A short text that stands for what these attributes say."""
    return sha256(json.dumps(item, sort_keys=True).encode()).hexdigest()[:16]


def key_item(key: Key) -> Item:
    """The key attributes of an item."""
    return {"PK": s(key.pk), "SK": s(key.sk)}


def key_of(item: Item) -> Key:
    """The inverse of key_item; raises KeyError or TypeError for an item without them."""
    return Key(string(item["PK"]), string(item["SK"]))
