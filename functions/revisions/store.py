"""Writes a revision and the copy of the newest one together or not at all, each on top of the one before."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from edgewise import Check, Condition, Item, Key, Put, Table, TransactionRefusedError, decoded
from edgewise.dynamodb.attributes import integer, key_item, s
from edgewise.dynamodb.writes import Action
from functions.errors import AlreadyExistsError, VersionConflictError
from functions.preconditions import Expected
from functions.revisions import keys


@dataclass(frozen=True)
class Once:
    """The user whose request must not take effect twice, and the idempotency key by which it is recognized."""

    sub: str
    key: str


@dataclass(frozen=True)
class Line:
    """One line of revisions: the kind and name of the thing revised, and the key of the copy of its newest revision."""

    kind: str
    name: str
    newest: Key


@dataclass(frozen=True)
class Revised:
    """A revision as stored: the item of the newest revision, which the next one replaces, and the item that stays."""

    newest: Item
    revision: Item


@dataclass(frozen=True)
class Sent:
    """A revision to be stored: `revised` makes its items from its number, `same` tells whether a stored item equals it.

    `expected` is the version that it builds on; None: whichever is the newest. A version number saves a read.
    """

    revised: Callable[[int], Revised]
    same: Callable[[Item], bool]
    expected: Expected | None = None
    once: Once | None = None


# Positions in the transaction below.
_NEWEST, _REVISION, _ONCE = range(3)


def append(table: Table, line: Line, sent: Sent, checks: Sequence[Check] = ()) -> tuple[Item, bool]:
    """Store the next revision; returns its item, and whether this is a repeated request that has been stored before.

    A repeated request is recognized by its key, or by the expected version and the same content. Raises
    PreconditionFailedError if the newest version is not the expected one, VersionConflictError if another revision came
    in between, AlreadyExistsError if the key was used for another revision, and TransactionRefusedError if one of the
    further checks does not hold.
    """
    before = _before(table, line, sent.expected)
    items = sent.revised(before + 1)
    guard = [Put(_guard(line, sent.once, items.revision), Condition.ABSENT)] if sent.once else []
    writes: list[Action] = [
        Put(items.newest, Condition.at_version(before)),
        Put(items.revision, Condition.ABSENT),
        *guard,
    ]
    try:
        table.transact([*writes, *checks])
    except TransactionRefusedError as refusal:
        if refusal.found.keys() - set(range(len(writes))):
            raise  # a failed check of permission comes before any conflict of versions
        if guarded := refusal.found.get(_ONCE):
            return _first(table, line, sent, guarded), True
        if _NEWEST not in refusal.found:
            raise
        there, found = refusal.found.get(_REVISION), _version(refusal.found[_NEWEST])
        if sent.expected:
            if sent.expected.version is not None and there and sent.same(there):
                return there, True
            sent.expected.demand(line.kind, line.name, found)
        raise VersionConflictError(line.kind, line.name, before, found) from refusal
    return items.revision, False


def _before(table: Table, line: Line, expected: Expected | None) -> int:
    """The version that the next one builds on: the expected one, or else the newest."""
    if expected and expected.version is not None:
        return expected.version
    found = _version(table.get(line.newest))
    if expected:
        expected.demand(line.kind, line.name, found)
    return found


def _guard(line: Line, once: Once, revision: Item) -> Item:
    """The item that remembers which revision was stored with an idempotency key; it is never removed."""
    key = keys.once(line.newest, once.sub, once.key)
    return key_item(key) | {"Type": s("IDEMPOTENCY_KEY"), "Revision": revision["SK"]}


def _first(table: Table, line: Line, sent: Sent, guard: Item) -> Item:
    stored = table.get(Key(line.newest.pk, guard["Revision"]["S"]))
    if stored is None or not sent.same(stored):
        raise AlreadyExistsError(line.kind, f"{line.name} with this Idempotency-Key")
    return stored


def _version(newest: Item | None) -> int:
    return decoded(_numbered, newest) if newest else 0


def _numbered(newest: Item) -> int:
    return integer(newest["Version"])
