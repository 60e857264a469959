"""What DynamoDB refuses, however often it is asked: items that it can't store, keys that it can't look up, requests.

Runs make many writes, each of an item of which little has changed: so only what has changed is looked into.
"""

import marshal
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, TypeVar

from botocore.exceptions import ClientError

from delivery.sizes import item_size
from edgewise import BeginsWith, Between, Item, Key, Position, Query
from edgewise.dynamodb.attributes import key_of
from edgewise.dynamodb.queries import Equals
from edgewise.dynamodb.schema import INDEXES, PARTITION_KEY, SORT_KEY
from edgewise.dynamodb.writes import Replacement

T = TypeVar("T")
PARTITION_KEY_BYTES, SORT_KEY_BYTES, ITEM_BYTES, PAGE_BYTES = 2048, 1024, 400 * 1024, 1024 * 1024
NAME_BYTES, LEVELS, DIGITS, LEAST, GREATEST = 65_535, 32, 38, Decimal("1e-130"), Decimal("1e126")
ACTIONS, STATEMENTS, TRANSACTION_BYTES = 100, 25, 4 * 1024 * 1024
_INDEX_KEYS = [(index.partition_key, "S", PARTITION_KEY_BYTES) for index in INDEXES]
_INDEX_KEYS += [(index.sort_key, index.sort_type, SORT_KEY_BYTES) for index in INDEXES]
# A number as DynamoDB writes it.
_plain = re.compile(r"0|-?(?:[1-9][0-9]*|0(?=\.))(?:\.[0-9]*[1-9])?").fullmatch


def must(holds: bool, otherwise: str) -> None:
    """Raises the error of a request that DynamoDB refuses."""
    if not holds:
        raise ClientError({"Error": {"Code": "ValidationException", "Message": otherwise}}, "InMemory")


def copy(value: T) -> T:
    """Several times as fast as deepcopy, on which runs with thousands of deliveries would spend half of their time."""
    copied: T = marshal.loads(_bytes(value))  # noqa: S302 -- its own copy
    return copied


def larger(items: Sequence[Item], limit: int) -> bool:
    """Whether these items together have more bytes than the limit."""
    return len(_bytes(items)) > limit and sum(map(item_size, items)) > limit


def stored(item: Item, items: Mapping[Key, Item]) -> Item:
    """An item as DynamoDB would store it among these."""
    must(PARTITION_KEY in item and SORT_KEY in item, "one of the required keys was not given a value")
    _key(item[PARTITION_KEY], "S", PARTITION_KEY_BYTES)
    _key(item[SORT_KEY], "S", SORT_KEY_BYTES)
    for name, kind, limit in _INDEX_KEYS:
        if name in item:
            _key(item[name], kind, limit)
    raw = _bytes(item)
    must(len(raw) <= ITEM_BYTES or item_size(item) <= ITEM_BYTES, "item size has exceeded the maximum allowed size")
    copied: Item = marshal.loads(raw)  # noqa: S302 -- its own copy
    _members(copied, items.get(key_of(item), {}), 1)
    return copied


def looked_up(keys: Sequence[Key]) -> None:
    """Nothing is asked of a key that no item can have, or twice of one in the same request."""
    for key in keys:
        _text(key.pk, PARTITION_KEY_BYTES)
        _text(key.sk, SORT_KEY_BYTES)
    must(len(set(keys)) == len(keys), "the provided list of item keys contains duplicates")


def at_once(keys: Sequence[Key], items: Sequence[Item]) -> None:
    """A transaction is about these keys, and writes or checks these items."""
    must(0 < len(keys) <= ACTIONS, "a transaction has 1 to 100 actions")
    must(len(set(keys)) == len(keys), "a transaction can't include multiple operations on one item")
    must(not larger(items, TRANSACTION_BYTES), "a transaction's size can't exceed 4 MB")


def together(replacements: Sequence[Replacement]) -> bool:
    """Whether DynamoDB takes these as the statements of one request."""
    return len({key_of(each.item) for each in replacements}) == len(replacements) <= STATEMENTS


def asked(query: Query) -> None:
    """A query has a limit, a partition and bounds that exist."""
    _text(query.partition, PARTITION_KEY_BYTES)
    must(query.limit is None or query.limit > 0, "the limit must be greater than or equal to 1")
    must(not (query.consistent and query.index), "a consistent read of a global secondary index")
    match query.condition:
        case BeginsWith(value) | Equals(value):
            _bound(query, value)
        case Between(low, high):
            bounds: list[Any] = [low, high]
            for bound in bounds:
                _bound(query, bound)
            must(
                bounds[0] <= bounds[1],
                "BETWEEN requires an upper bound that is greater than or equal to the lower bound",
            )


def begun(query: Query, after: Position) -> None:
    """A query goes on after a whole key."""
    must(after.keys() == {PARTITION_KEY, SORT_KEY, query.partition_key, query.sort_key}, "not a whole starting key")
    must(all(after.values()), "the provided starting key is empty")


def _bound(query: Query, bound: Any) -> None:
    must(isinstance(bound, str) is not query.by_number, "the parameter's type does not match the schema's")
    if isinstance(bound, str):
        _text(bound, SORT_KEY_BYTES)
    else:
        _number(str(bound))


def _key(value: Mapping[str, Any], kind: str, limit: int) -> None:
    must(kind in value, "type mismatch for a key")
    if kind == "S":
        _text(value["S"], limit)


def _text(text: str, limit: int) -> None:
    must(0 < _utf8_bytes(text) <= limit, "a key or name is empty or too long")


def _utf8_bytes(text: str) -> int:
    try:
        return len(text if text.isascii() else text.encode())
    except UnicodeEncodeError:
        must(False, "half of a surrogate pair")
        raise


def _members(values: dict[str, Any], former: Mapping[str, Any], level: int) -> None:
    for name, value in values.items():
        if value != (before := former.get(name)):
            _text(name, NAME_BYTES)
            _value(value, before or {}, level)


def _value(value: dict[str, Any], former: Mapping[str, Any], level: int) -> None:
    must(level <= LEVELS, "nested too deep")
    ((kind, content),) = value.items()
    match kind:
        case "S":
            _utf8_bytes(content)
        case "N":
            value["N"] = content if len(content) <= DIGITS and _plain(content) else _number(content)
        case "M":
            _members(content, former.get("M", {}), level + 1)
        case "L":
            for element in content:
                _value(element, {}, level + 1)
        case "SS" | "BS" | "NS":
            distinct = set(map(_number, content) if kind == "NS" else content)
            must(0 < len(distinct) == len(content), "a set is empty, or contains duplicates")


def _number(text: str) -> str:
    """A number as DynamoDB writes it."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        number = Decimal("NaN")
    must(number.is_finite(), "a value provided can't be converted into a number")
    digits = "".join(map(str, number.as_tuple().digits)).strip("0")
    must(len(digits) <= DIGITS, "DynamoDB only supports precision up to 38 digits")
    must(not number or LEAST <= number.copy_abs() < GREATEST, "a number out of range")
    if not number:
        return "0"
    plain = format(number, "f")
    return plain.rstrip("0").removesuffix(".") if "." in plain else plain


def _bytes(value: Any) -> bytes:
    """In a format that is never shorter than what DynamoDB counts: a later version would write equal texts once."""
    return marshal.dumps(value, 2)
