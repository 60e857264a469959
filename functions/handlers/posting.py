"""Posting messages: who may say what, which instant, id and shard a message gets."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from functions.domain.chat import Message, Room
from functions.domain.errors import InvalidInputError
from functions.domain.times import Millis, millis, rfc_3339
from functions.handlers import widening
from functions.handlers.admission import Caller
from functions.handlers.judging import judged
from functions.handlers.models.chat import MessageIn, MessageReceipt, MessagesAccepted, MessagesIn
from functions.store import messages, rooms
from functions.store.messages import Claim
from functions.store.table import Table
from functions.store.throttling import ThrottledError


@dataclass(frozen=True)
class _Draft:
    """A message whose instant may still be open: the server's, or the one its id got the first time."""

    user: str
    id: str
    text: str
    sent_at: Millis | None
    claimed: bool


def store(
    table: Table, caller: Caller, room_name: str, body: MessagesIn, clock: Callable[[], Millis]
) -> MessagesAccepted:
    """Store the good messages of a body; raises ForbiddenError if only an importer may send it."""
    now = clock()
    drafts, rejected = judged(body.messages, lambda index, raw: _draft(caller, raw, index, now))
    accepted = _stored(table, room_name, drafts, now, clock) if drafts else []  # the first message makes the room
    receipts = [
        MessageReceipt(message_id=message.id, user=message.user, sent_at=rfc_3339(message.sent_at))
        for message in accepted
    ]
    return MessagesAccepted(accepted=len(accepted), messages=receipts, rejected=rejected)


def _draft(caller: Caller, raw: Any, index: int, now: Millis) -> _Draft:
    given = MessageIn.model_validate(raw)
    if given.user is not None or given.sent_at is not None:
        caller.must_be_in("import", "set user or sent_at")
    sent_at = millis(given.sent_at) if given.sent_at else None
    if sent_at is not None and sent_at > now:  # a later widening would move it to another shard
        raise InvalidInputError.of("sent_at", "must not lie in the future")
    # An id of ours begins with the position, so that messages of one request keep their order.
    message_id = given.message_id or f"{index:03d}-{secrets.token_hex(8)}"
    claimed = given.message_id is not None and sent_at is None
    return _Draft(given.user or caller.user, message_id, given.text, sent_at, claimed)


def _stored(
    table: Table, room_name: str, drafts: Sequence[_Draft], now: Millis, clock: Callable[[], Millis]
) -> list[Message]:
    room = rooms.find(table, room_name) or rooms.create(table, Room.starting_with(room_name, 1))
    accepted = _dated(table, room, drafts, now)
    _write(table, room, accepted, now, clock)
    return accepted


def _dated(table: Table, room: Room, drafts: Sequence[_Draft], now: Millis) -> list[Message]:
    claims = [Claim(room.name, draft.user, draft.id) for draft in drafts if draft.claimed]
    claimed = dict(zip(claims, messages.first_instants(table, claims, now), strict=True))
    dated = []
    for draft in drafts:
        at = draft.sent_at if draft.sent_at is not None else claimed.get(Claim(room.name, draft.user, draft.id), now)
        dated.append(Message(room.name, room.shard_of(at, draft.id), draft.user, at, draft.id, draft.text))
    return dated


def _write(table: Table, room: Room, accepted: Sequence[Message], now: Millis, clock: Callable[[], Millis]) -> None:
    """Store messages; if those of this very moment are too many for the room's shards, let it have more of them.

    The shards of others (imported, or sent again) are decided already: widening the room can't help them.
    """
    messages.write(table, (message for message in accepted if message.sent_at != now))
    try:
        messages.write(table, (message for message in accepted if message.sent_at == now))
    except ThrottledError as error:
        if error.by_hot_keys:
            widening.relieve(table, room, clock())
        raise
