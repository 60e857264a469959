"""Takes something back: a tombstone takes the item's place, unless that has changed meanwhile."""

from typing import Any

from edgewise import (
    ConcurrentChangeError,
    Condition,
    Item,
    Key,
    Millis,
    NotFoundError,
    Put,
    RefusedError,
    Table,
    decoded,
    rfc_3339,
)
from functions.errors import NotPermittedError, WithdrawnError
from functions.owned import OWNER, Owned, Person, Withdrawal, is_withdrawn, tombstone, withdrawal


def withdraw(table: Table, of: Owned[Any], key: Key, name: str, person: Person, now: Millis) -> None:
    """Take back the item under a key, which answers call `name`: one read, and one conditional put.

    If this person has taken it back before, nothing is written. Raises NotFoundError, NotPermittedError, WithdrawnError
    if somebody else has taken it back, and ConcurrentChangeError if it has changed since it was read.
    """
    item = table.get(key)
    if item is None:
        raise NotFoundError(of.called, name)
    if _is_done(of, item, name, person):
        return
    try:
        table.write(Put(tombstone(item, Withdrawal(person.sub, now)), Condition.as_read(item)))
    except RefusedError as refusal:
        # The answer to an earlier attempt may be lost: then the tombstone is this person's own.
        found = refusal.item
        if found is None or not is_withdrawn(found) or not _is_done(of, found, name, person):
            raise ConcurrentChangeError(of.called, name) from refusal


def _is_done(of: Owned[Any], item: Item, name: str, person: Person) -> bool:
    """Whether this person has taken the item back; raises an error if it is not for this person to do so now."""
    said = decoded(withdrawal, item)
    if said and said.by != person.sub:
        raise WithdrawnError(of.called, name, rfc_3339(said.at))
    decoded(of.standing, item)
    if not said and not of.may_withdraw(item, person):
        raise NotPermittedError(f"withdraw it: only {_allowed(of)} may")
    return said is not None


def _allowed(of: Owned[Any]) -> str:
    """Who may, in words."""
    return " and ".join(who if who == OWNER else f"members of the group '{who}'" for who in of.withdrawn_by)
