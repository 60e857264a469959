"""Replacing whole items if nobody else has changed them: each by a put, or many by the statements of one request.

A put carries its condition, but a request can carry one put only. Statements of PartiQL, up to 25 in a request, take or
fail each on its own; they cost the same units as puts, and a fraction of the processor's time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from typing import Any

from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.writes import ABSENT, Condition, Put

_KEY = ("PK", "SK")


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
        replaces = ABSENT if self.former is None else Condition(equal={"Version": self.former["Version"]})
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
