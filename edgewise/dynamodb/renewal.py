"""Changing items that others may change at the same time: each is replaced only if it is as it was read."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TypeVar

from edgewise import clock, surroundings
from edgewise.dynamodb.attributes import Item, fingerprint, s
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import STATEMENTS_PER_BATCH, RefusedError, Table, TransactionRefusedError, chunks
from edgewise.dynamodb.throttling import UnprocessedError
from edgewise.dynamodb.writes import Condition, Put, Replacement, Reply

# How often something is decided anew because somebody else was faster; and the longest pause before that, in seconds.
ATTEMPTS, PAUSE = 50, 0.2
# An item in its new form, by its key and the item as it is; None: it stays.
Renewed = Callable[[Key, Item], Item | None]


T = TypeVar("T")


class OvertakenError(UnprocessedError):
    """Others were faster each time; the same may succeed a little later."""

    def __init__(self, what: object) -> None:
        super().__init__(f"others changed {what} {ATTEMPTS} times while it was to be changed")


def insist(what: object, attempt: Callable[[], T]) -> T:
    """Read, decide and write until the write is not refused; returns what that attempt returns.

    Pauses between attempts, longer each time. Raises OvertakenError, which says `what` was given up.
    """
    for number in range(ATTEMPTS):
        if number:
            clock.sleep(surroundings.uniform(0, min(PAUSE, 0.001 * 2**number)))
        with suppress(RefusedError, TransactionRefusedError):
            return attempt()
    raise OvertakenError(what)


def versioned(item: Item) -> Item:
    """The item with a `Version` that stands for all else that it says."""
    said = {name: value for name, value in item.items() if name != "Version"}
    return said | {"Version": s(fingerprint(said))}


def renew(table: Table, keys: Iterable[Key], renewed: Renewed, known: Mapping[Key, Item] | None = None) -> None:
    """Replace the items of these keys, as far as they exist, by renewed ones.

    `known` are items as they were at some time; the others are read, strongly consistent. Items with a `Version` go by
    statements, 25 in a request; a version must belong to one content, as those of `versioned` do. Raises
    OvertakenError if somebody else was faster each time.
    """
    left, found = list(dict.fromkeys(keys)), dict(known or {})

    def attempt() -> None:
        unknown = [key for key in left if key not in found]
        found.update(table.get_many(unknown, consistent=True) if unknown else {})
        wanted = {key: renewed(key, found[key]) for key in left if key in found}
        left[:] = _refused(table, {key: Replacement(new, found[key]) for key, new in wanted.items() if new})
        found.clear()
        if left:
            raise RefusedError(None)

    insist(f"{len(left)} items", attempt)


def _refused(table: Table, newer: Mapping[Key, Replacement]) -> list[Key]:
    """Replace items; returns those that somebody else has changed."""
    refused = list[Key]()
    versioned = [key for key, each in newer.items() if each.former and "Version" in each.former]
    for chunk in chunks(versioned, STATEMENTS_PER_BATCH):
        replies = table.replace_many([newer[key] for key in chunk])
        refused += [key for key, reply in zip(chunk, replies, strict=True) if reply is not Reply.TAKEN]
    for key in newer.keys() - versioned:
        try:
            table.write(Put(newer[key].item, Condition.as_read(newer[key].former)))
        except RefusedError:
            refused.append(key)
    return refused
