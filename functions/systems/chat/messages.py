"""Writes, reads and withdraws messages."""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from edgewise import (
    Millis,
    NotFoundError,
    Position,
    Query,
    RefusedError,
    Table,
    created,
    each,
    from_rfc_3339,
    rfc_3339,
)
from edgewise.dynamodb import merge
from edgewise.dynamodb.attributes import key_item, n, s, string
from edgewise.dynamodb.table import CONNECTIONS
from functions import withdrawing
from functions.owned import Person
from functions.systems.chat import codec, keys, rooms
from functions.systems.chat.entity import Message
from functions.systems.chat.system import MESSAGE


@dataclass(frozen=True)
class Claim:
    """A message id that the caller chose, while the server chooses the instant: room, user and id."""

    room: str
    user: str
    message_id: str


@dataclass(frozen=True)
class Name:
    """What names a stored message: room, user, instant and id."""

    room: str
    user: str
    sent_at: Millis
    message_id: str


def write(table: Table, messages: Iterable[Message]) -> None:
    """Store messages whose ids the server generated, 25 per request."""
    items = {_name(message): codec.message_item(message) for message in messages}
    table.put_many(list(items.values()))


def write_once(table: Table, messages: Sequence[Message]) -> list[Message | None]:
    """Store messages whose ids their senders chose, unless a message with the id exists; returns what is stored then.

    None: such a message was withdrawn, and stays so.

    Each takes its own request: a batch has no conditions, and would replace a message sent at the same moment. The
    write units are the same. Of several messages with one name in one call, the first is stored.
    """
    first: dict[tuple[str, Millis, str], Message] = {}
    for message in messages:
        first.setdefault(_name(message), message)
    if not first:
        return []
    with ThreadPoolExecutor(min(len(first), CONNECTIONS)) as pool:
        there = dict(zip(first, pool.map(partial(_write_once, table), first.values()), strict=True))
    return [there[_name(message)] for message in messages]


def _write_once(table: Table, message: Message) -> Message | None:
    item = codec.message_item(message)
    stored = created(table, item, lambda found: [MESSAGE.standing(found)], "message", message.id)
    return stored[0] if stored else message


def withdraw(table: Table, name: Name, person: Person, now: Millis) -> None:
    """Take back a message; raises what withdrawing.withdraw raises."""
    room = rooms.find(table, name.room)
    if room is None:
        raise NotFoundError(MESSAGE.called, name.message_id)
    shard = room.shard_of(name.sent_at, name.message_id)
    key = keys.message(name.room, shard, name.user, name.sent_at, name.message_id)
    withdrawing.withdraw(table, MESSAGE, key, name.message_id, person, now)


def _name(message: Message) -> tuple[str, Millis, str]:
    return message.user, message.sent_at, message.id


def first_instants(table: Table, claims: Sequence[Claim], now: Millis) -> list[Millis]:
    """The instant that each claim got when it was first made: `now`, or an earlier one if the message is a repeat.

    An instant is part of a message's key, so without this a repeated message would become a second message.
    """
    if not claims:
        return []
    with ThreadPoolExecutor(min(len(claims), CONNECTIONS)) as pool:
        return list(pool.map(lambda claim: _first_instant(table, claim, now), claims))


def _first_instant(table: Table, claim: Claim, now: Millis) -> Millis:
    guard = key_item(keys.message_guard(claim.room, claim.user, claim.message_id))
    item = guard | {"Type": s("MESSAGE_GUARD"), "Version": n(1), "SentAt": s(rfc_3339(now))}
    try:
        table.put_version(item, replaces=0)
    except RefusedError as refusal:
        return now if refusal.item is None else from_rfc_3339(string(refusal.item["SentAt"]))
    return now


def page(
    table: Table, shards: Sequence[Query], limit: int, after: Position | None
) -> tuple[list[Message], Position | None]:
    """One page of messages over all shards, in order, and the position of the next page.

    Those that were withdrawn, which only the table itself still has, are left out: such a page has fewer.
    """
    found = merge.page(table, shards, limit, after)
    standing = each(table, MESSAGE.standing, found.items)
    return [message for message in standing if message is not None], found.next
