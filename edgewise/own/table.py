"""Somebody's own table: what its keys are called, and which of its items are of interest."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from edgewise.aggregates.catalog import DeclarationError
from edgewise.aggregates.feeds import Source
from edgewise.dynamodb.attributes import Item, string
from edgewise.dynamodb.client import client
from edgewise.dynamodb.existing import BINARY, ITEM, NUMBER, PREFIX, SOURCE, TEXT, ExistingTable
from edgewise.dynamodb.table import CONFIG, Table
from edgewise.dynamodb.translating import ExistingTableClient

# The environment variables that name the table, and the table beside it that has the aggregates (empty: there is none).
TABLE, BESIDE = "TABLE_NAME", "AGGREGATES_TABLE_NAME"
# Beside an image: a backfill has yet to count its item (edgewise/own/backfill.py).
UNCOUNTED = "Uncounted"
# Beside an image: the views for which it comes too early (edgewise/own/fills.py).
UNFILLED = "Unfilled"
# Beside an image whose record comes very late: what the item is by now (edgewise/own/late.py).
BY_NOW = "ByNow"


class UnnamedTableError(Exception):
    """Nothing says which table is meant, or which one has its aggregates."""

    def __init__(self, variable: str, argument: str) -> None:
        super().__init__(f"which table? Set {variable} in the environment, as the construct does, or {argument}=...")


class Items(Protocol):
    """A set of a table's items that something counts. Sets may overlap: an item feeds each one that it is in."""

    @property
    def table(self) -> "OwnTable":
        """The table."""

    def may_have(self, item: Item) -> bool:
        """Whether an item is one of them, or nobody can tell: then it is set aside, and may be read later."""


@dataclass(frozen=True)
class OwnTable:
    """A table with these key attributes; `sort` is empty if it has no sort key.

    `forms` has a letter for each key, as DynamoDB calls the types of keys; by default they are texts. If the partition
    key is a text, and there is a sort key that is a text or bytes, the aggregates are kept in the table itself, unless
    they are to be `apart`; otherwise in a table beside it. Raises DeclarationError.
    """

    partition: str
    sort: str = ""
    forms: str = ""
    apart: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.partition, str) or not self.partition:
            raise DeclarationError(f"partition must be the name of the partition key, and not {self.partition!r}")
        if not isinstance(self.sort, str) or self.sort == self.partition:
            raise DeclarationError(f"sort must be the name of another key, or empty, and not {self.sort!r}")
        for key in (self.partition, self.sort):
            if key.startswith(PREFIX):
                why = f"only the engine's attributes have names that begin with {PREFIX}"
                raise DeclarationError(f"the key {key} can't be told from what the engine writes: {why}")
        if not self.forms:
            object.__setattr__(self, "forms", TEXT * (1 + bool(self.sort)))
        if len(self.forms) != 1 + bool(self.sort) or {*self.forms} - {TEXT, NUMBER, BINARY}:
            raise DeclarationError(f"forms must have a letter for each key, S, N or B, and not be {self.forms!r}")

    @property
    def keys(self) -> Mapping[str, str]:
        """The form of each key by its name."""
        return dict(zip(filter(None, (self.partition, self.sort)), self.forms, strict=True))

    def __str__(self) -> str:
        return ", ".join(f"{name} ({form})" for name, form in sorted(self.keys.items()))

    @property
    def has_room(self) -> bool:
        """Whether the aggregates are kept in the table itself."""
        return self.existing(()).has_room

    def existing(self, items: "Sequence[Items]") -> ExistingTable:
        """The table as the engine sees it, with these items as sources. An item may be in several sets of them."""

        def counts(item: Item) -> bool:
            return any(each.may_have(item) for each in items)

        return ExistingTable(self.partition, self.sort, counts, self.forms, self.apart)

    def open(
        self, name: str = "", beside: str = "", endpoint: str | None = None, items: "Sequence[Items]" = ()
    ) -> Table:
        """The table, to read aggregates from it.

        Its name is by default that in the variable TABLE_NAME. `beside`: the name of the table of aggregates, if they
        are apart; `endpoint`: of DynamoDB, if not the usual one; `items`: the sources that recounts read. Raises
        UnnamedTableError if one that is needed has no name.
        """
        name, beside = name or os.environ.get(TABLE, ""), beside or os.environ.get(BESIDE, "")
        if not name:
            raise UnnamedTableError(TABLE, "name")
        if not (beside or self.has_room):
            raise UnnamedTableError(BESIDE, "beside")
        return self.opened_by(client(CONFIG, endpoint), name, beside, items)

    def opened_by(self, client: Any, name: str, beside: str = "", items: "Sequence[Items]" = ()) -> Table:
        """The same, by a client of DynamoDB."""
        translating: Any = ExistingTableClient(client, self.existing(items), beside)
        return Table(name, translating)


class Row(NamedTuple):
    """One of the table's own items, as the table has it; not `counted` if a backfill has yet to count it.

    `unfilled`: the views whose fills began later than it came. `by_now`: what it is by now, None if it is gone; that is
    `item` unless its record comes very late.
    """

    item: Item
    counted: bool
    by_now: Item | None
    unfilled: frozenset[str] = frozenset()


def source_of(name: str) -> Source:
    """The items of a set as a source of aggregates; each item of the table is decoded to a Row."""
    return Source(SOURCE, _row, of_set=name)


def _row(item: Item) -> Row:
    unfilled = map(string, item[UNFILLED]["L"]) if UNFILLED in item else ()
    return Row(item[ITEM]["M"], UNCOUNTED not in item, item.get(BY_NOW, item[ITEM]).get("M"), frozenset(unfilled))
