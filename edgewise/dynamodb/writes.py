"""Conditional writes as values: a request can be inspected before it is sent.

A put carries its condition, but a request can carry one put only. Statements of PartiQL, up to 25 in a request, take or
fail each on its own; they cost the same units as puts, and a fraction of the processor's time. So whole items that
nobody else has changed are replaced by these.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import lru_cache
from typing import Any, ClassVar

from edgewise.dynamodb.attributes import Attribute, Item, key_item, n, number
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.schema import INDEX_KEYS

_KEY = ("PK", "SK")


@dataclass(frozen=True)
class Condition:
    """A condition on the stored item: attributes present, absent, equal to a value, less than a number.

    All of these must hold; `negated`: at least one must not. PRESENT: there is an item; ABSENT: there is none.
    """

    PRESENT: ClassVar["Condition"]
    ABSENT: ClassVar["Condition"]

    present: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    equal: Mapping[str, Attribute] = field(default_factory=dict)
    less: Mapping[str, Attribute] = field(default_factory=dict)
    negated: bool = False

    @classmethod
    def at_version(cls, version: int) -> "Condition":
        """The condition that the stored item has this `Version`; 0: that there is no item."""
        return cls(equal={"Version": n(version)}) if version else Condition.ABSENT

    @classmethod
    def as_read(cls, item: Item | None) -> "Condition":
        """The condition that an item is as it was read; None: that there is none."""
        if item is None:
            return Condition.ABSENT
        equal = {name: value for name, value in item.items() if name not in _KEY}
        return cls(absent=tuple(name for name in INDEX_KEYS if name not in item), equal=equal)

    def request(self) -> dict[str, Any]:
        """The condition's part of a request."""
        names: dict[str, str] = {}
        values: dict[str, Attribute] = {}
        terms = [f"attribute_exists({_name(names, each)})" for each in self.present]
        terms += [f"attribute_not_exists({_name(names, each)})" for each in self.absent]
        compared = [("=", *each) for each in self.equal.items()] + [("<", *each) for each in self.less.items()]
        for operator, attribute, value in compared:
            values[f":c{len(values)}"] = value
            terms.append(f"{_name(names, attribute)} {operator} :c{len(values) - 1}")
        expression = " AND ".join(terms)
        request = {
            "ConditionExpression": f"NOT ({expression})" if self.negated else expression,
            "ExpressionAttributeNames": names,
        }
        return request | ({"ExpressionAttributeValues": values} if values else {})

    def holds(self, item: Item | None) -> bool:
        """Whether an item fulfils the condition; None if there is no item."""
        found = item or {}
        fulfilled = (
            all(name in found for name in self.present)
            and not any(name in found for name in self.absent)
            and all(found.get(name) == value for name, value in self.equal.items())
            and all(name in found and number(found[name]) < number(bound) for name, bound in self.less.items())
        )
        return fulfilled is not self.negated


Condition.PRESENT = Condition(present=("PK",))
Condition.ABSENT = Condition(absent=("PK",))


@dataclass(frozen=True)
class Put:
    """Write the whole item."""

    item: Item
    condition: Condition | None = None

    def request(self) -> dict[str, Any]:
        """The write's part of a request, without the table's name."""
        return {"Item": self.item} | _refusable(self.condition)


@dataclass(frozen=True)
class Delete:
    """Remove an item; without a condition, the item need not exist."""

    key: Key
    condition: Condition | None = None

    def request(self) -> dict[str, Any]:
        """The write's part of a request, without the table's name."""
        return {"Key": key_item(self.key)} | _refusable(self.condition)


@dataclass(frozen=True)
class Check:
    """Write nothing, but fail the transaction unless the condition holds."""

    key: Key
    condition: Condition

    def request(self) -> dict[str, Any]:
        """The check's part of a request, without the table's name."""
        return {"Key": key_item(self.key)} | _refusable(self.condition)


Write = Put | Delete
Action = Put | Delete | Check


class Reply(Enum):
    """What the table says of one replacement. UNCLEAR: not taken, but not refused either; sent alone, it says why."""

    TAKEN = auto()
    REFUSED = auto()
    UNCLEAR = auto()


# The codes of a statement whose condition did not hold, and of an insertion of an item that exists.
_REFUSALS = frozenset({"ConditionalCheckFailed", "DuplicateItem"})


@dataclass(frozen=True, slots=True)
class Replacement:
    """An item that takes the place of the one that was read, if this still has the same `Version`; None: of no item.

    A version belongs to one content: every write of such an item gives it another one.
    """

    item: Item
    former: Item | None

    def put(self) -> Put:
        """The replacement as a put."""
        replaces = Condition.ABSENT if self.former is None else Condition(equal={"Version": self.former["Version"]})
        return Put(self.item, replaces)

    def statement(self, table: str) -> dict[str, Any]:
        """The replacement as one statement of a BatchExecuteStatement request."""
        item, former = self.item, self.former
        if former is None:
            return {"Statement": _insertion(table, tuple(item)), "Parameters": list(item.values())}
        changed = tuple(name for name in item if name not in _KEY)
        removed = tuple(name for name in former if name not in item)
        values = [item[name] for name in changed]
        return {
            "Statement": _update(table, changed, removed),
            "Parameters": [*values, *(former[name] for name in (*_KEY, "Version"))],
        }


def shared_failure(responses: Sequence[Any]) -> str | None:
    """The code with which all statements of a request failed alike, as they do if the caller may not send them."""
    codes = {response.get("Error", {}).get("Code") for response in responses}
    (code,) = codes if len(codes) == 1 else (None,)
    return None if code in _REFUSALS else code


def replies(responses: Sequence[Any]) -> list[Reply]:
    """The replies to statements, from the members of the response, in the order of the statements."""
    return [_reply(response.get("Error")) for response in responses]


def _refusable(condition: Condition | None) -> dict[str, Any]:
    return condition.request() | {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"} if condition else {}


def _name(names: dict[str, str], attribute: str) -> str:
    placeholder = f"#c{len(names)}"
    names[placeholder] = attribute
    return placeholder


def _reply(error: Any) -> Reply:
    if error is None:
        return Reply.TAKEN
    return Reply.REFUSED if error.get("Code") in _REFUSALS else Reply.UNCLEAR


# Aggregates of a kind have few sets of attributes, and thousands of aggregates have the same.
@lru_cache(maxsize=1024)
def _insertion(table: str, names: tuple[str, ...]) -> str:
    pairs = ", ".join(f"'{name}': ?" for name in names)
    return f'INSERT INTO "{table}" VALUE {{{pairs}}}'


@lru_cache(maxsize=1024)
def _update(table: str, changed: tuple[str, ...], removed: tuple[str, ...]) -> str:
    clauses = [*(f'SET "{name}" = ?' for name in changed), *(f'REMOVE "{name}"' for name in removed)]
    return f'UPDATE "{table}" {" ".join(clauses)} WHERE "PK" = ? AND "SK" = ? AND "Version" = ?'
