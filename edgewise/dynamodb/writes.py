"""Conditional writes as values: a request can be inspected before it is sent."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from edgewise.dynamodb.attributes import Attribute, Item, key_item, n, number
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.schema import INDEX_KEYS


@dataclass(frozen=True)
class Condition:
    """A condition on the stored item: attributes present, absent, equal to a value, less than a number.

    All of these must hold; `negated`: at least one must not.
    """

    present: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    equal: Mapping[str, Attribute] = field(default_factory=dict)
    less: Mapping[str, Attribute] = field(default_factory=dict)
    negated: bool = False

    @classmethod
    def as_read(cls, item: Item | None) -> "Condition":
        """The condition that an item is as it was read; None: that there is none."""
        if item is None:
            return ABSENT
        equal = {name: value for name, value in item.items() if name not in ("PK", "SK")}
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


PRESENT = Condition(present=("PK",))
ABSENT = Condition(absent=("PK",))


def at_version(version: int) -> Condition:
    """The condition that the stored item has this `Version`; 0: that there is no item."""
    return Condition(equal={"Version": n(version)}) if version else ABSENT


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


def _refusable(condition: Condition | None) -> dict[str, Any]:
    return condition.request() | {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"} if condition else {}


def _name(names: dict[str, str], attribute: str) -> str:
    placeholder = f"#c{len(names)}"
    names[placeholder] = attribute
    return placeholder
