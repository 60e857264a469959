"""Posting messages: permissions, and the instant, id and shard that a message gets."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from edgewise import BY_TARGET, Millis, Table, millis, rfc_3339
from edgewise.dynamodb import units
from edgewise.dynamodb.throttling import ThrottledError
from functions.systems.chat import codec, messages, rooms, widening
from functions.systems.chat.entity import MAX_SHARDS, Message, Room
from functions.systems.chat.messages import Claim
from functions.systems.chat.models import MessageIn, MessageReceipt, MessagesAccepted, MessagesIn
from functions.web import once, spelling
from functions.web.admission import Caller
from functions.web.common import Rejection
from functions.web.judging import judged

_ANOTHERS, _WITHDRAWN = "is already used by another message", "was withdrawn"


@dataclass(frozen=True)
class _Draft:
    """A message whose instant may be undecided: the server's instant, or the one that its id got the first time.

    `named`: the sender chose the id. `sender`: the sender's `sub`.
    """

    index: int
    user: str
    id: str
    text: str
    sent_at: Millis | None
    named: bool
    sender: str

    @property
    def claims(self) -> bool:
        """Whether the instant of the message is the one that its id got the first time, which is stored with the id."""
        return self.named and self.sent_at is None


@dataclass(frozen=True)
class Post:
    """Context of a request with messages: the user, the instant, and the Idempotency-Key, if any.

    `reserve` is told of the write units before anything is stored, and may refuse them by an error.
    """

    caller: Caller
    key: str | None
    clock: Callable[[], Millis]
    reserve: Callable[[int], None]


def store(table: Table, post: Post, room_name: str, body: MessagesIn) -> MessagesAccepted:
    """Store the valid messages of a body; raises ForbiddenError if only an importer may send it."""
    now = post.clock()
    drafts, rejected = judged(body.messages, lambda index, raw: _draft(post, raw, index))
    post.reserve(sum(_units(room_name, draft, now) for draft in drafts))
    # The first message creates the room.
    accepted, refused = _stored(table, room_name, drafts, now, post.clock) if drafts else ([], [])
    receipts = [
        MessageReceipt(message_id=message.id, user=message.user, sent_at=rfc_3339(message.sent_at))
        for message in accepted
    ]
    faults = sorted([*rejected, *refused], key=lambda fault: fault.index)
    return MessagesAccepted(accepted=len(accepted), messages=receipts, rejected=faults)


def _draft(post: Post, raw: Any, index: int) -> _Draft:
    given, caller = MessageIn.model_validate(raw), post.caller
    if given.user is not None or given.sent_at is not None:
        caller.must_be_in("import", "set user or sent_at")
    sent_at = millis(given.sent_at) if given.sent_at else None
    # A generated id begins with the position, so that messages of one request keep their order.
    ours = once.name(caller, post.key) if post.key else secrets.token_hex(8)
    message_id = given.message_id or f"{index:03d}-{ours}"
    named = bool(given.message_id or post.key)
    user = given.user or spelling.composed(caller.name)
    return _Draft(index, user, message_id, given.text, sent_at, named, caller.sub)


def _units(room_name: str, draft: _Draft, now: Millis) -> int:
    """The most write units of a draft: its message in the shard with the longest number, and the guard of its id."""
    at = now if draft.sent_at is None else draft.sent_at
    message = Message(room_name, MAX_SHARDS, draft.user, at, draft.id, draft.text, draft.sender)
    return units.of_put(None, codec.message_item(message)) + draft.claims


def _stored(
    table: Table, room_name: str, drafts: Sequence[_Draft], now: Millis, clock: Callable[[], Millis]
) -> tuple[list[Message], list[Rejection]]:
    """The stored messages, and the rejected ones, whose id belongs to another message, which stays, or is withdrawn."""
    room = rooms.find(table, room_name) or rooms.create(table, Room.starting_with(room_name, 1))
    dated = _dated(table, room, drafts, now)
    there = _write(table, room, list(zip(drafts, dated, strict=True)), now, clock)
    accepted = [message for message in dated if there.get(message, message) == message]
    refused = [
        Rejection(index=draft.index, field="message_id", error=_ANOTHERS if there[message] else _WITHDRAWN)
        for draft, message in zip(drafts, dated, strict=True)
        if there.get(message, message) != message
    ]
    return accepted, refused


def _dated(table: Table, room: Room, drafts: Sequence[_Draft], now: Millis) -> list[Message]:
    claims = [Claim(room.name, draft.user, draft.id) for draft in drafts if draft.claims]
    claimed = dict(zip(claims, messages.first_instants(table, claims, now), strict=True))
    dated = []
    for draft in drafts:
        at = draft.sent_at if draft.sent_at is not None else claimed.get(Claim(room.name, draft.user, draft.id), now)
        shard = room.shard_of(at, draft.id)
        dated.append(Message(room.name, shard, draft.user, at, draft.id, draft.text, draft.sender))
    return dated


_Dated = Sequence[tuple[_Draft, Message]]


def _write(
    table: Table, room: Room, dated: _Dated, now: Millis, clock: Callable[[], Millis]
) -> Mapping[Message, Message | None]:
    """Store messages; returns, for those whose ids their senders chose, what is stored now; None: it was withdrawn.

    If the new messages are too many for the room's shards, widen the room. The shards of the others (imported or
    repeated messages) are already determined, so widening the room can't help them; nor does it help a user who alone
    writes too much for the index by target.
    """
    there = _write_all(table, [(draft, message) for draft, message in dated if message.sent_at != now])
    try:
        return there | _write_all(table, [(draft, message) for draft, message in dated if message.sent_at == now])
    except ThrottledError as error:
        if error.by_hot_keys and not error.by_hot_entries(BY_TARGET.name):
            widening.relieve(table, room, clock())
        raise


def _write_all(table: Table, dated: _Dated) -> dict[Message, Message | None]:
    messages.write(table, (message for draft, message in dated if not draft.named))
    named = [message for draft, message in dated if draft.named]
    return dict(zip(named, messages.write_once(table, named), strict=True))
