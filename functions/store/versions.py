"""Revisions and the copy of the newest one: written together or not at all, each on top of the one before."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from functions.domain.errors import VersionConflictError
from functions.store.attributes import Item, integer
from functions.store.decoding import decoded
from functions.store.keys import Key
from functions.store.table import Table, TransactionRefusedError
from functions.store.writes import ABSENT, Check, Put, at_version


@dataclass(frozen=True)
class Line:
    """One line of revisions: what it is of, in words, and where the copy of its newest one stands."""

    kind: str
    name: str
    newest: Key


@dataclass(frozen=True)
class Revised:
    """A revision as it is stored: the copy as the newest one, and the one that stays."""

    newest: Item
    revision: Item


def append(
    table: Table, line: Line, expected: int | None, revised: Callable[[int], Revised], checks: Sequence[Check] = ()
) -> int:
    """Store the next revision, and answer its version: `expected` + 1, or without that one more than is there now.

    `expected` saves a read; 0 says that there is none yet. Raises VersionConflictError if another revision came in
    between, and TransactionRefusedError if one of the further checks does not hold.
    """
    before = _version(table.get(line.newest)) if expected is None else expected
    items = revised(before + 1)
    writes = (Put(items.newest, at_version(before)), Put(items.revision, ABSENT))
    try:
        table.transact([*writes, *checks])
    except TransactionRefusedError as refusal:
        if 0 not in refusal.found or refusal.found.keys() - {0, 1}:
            raise  # whether one may write at all comes before what there is to write on
        found = _version(refusal.found[0])
        raise VersionConflictError(line.kind, line.name, before, found) from refusal
    return before + 1


def _version(newest: Item | None) -> int:
    return decoded(_numbered, newest) if newest else 0


def _numbered(newest: Item) -> int:
    return integer(newest["Version"])
