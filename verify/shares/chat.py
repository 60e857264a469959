"""Chat: several users write in several rooms at once; messages are repeated, and others are sent under taken ids."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from random import Random
from typing import Any

from ops.recounting import readback, samples
from ops.recounting.facts import Name
from ops.recounting.recount import grouped, users, users_in_rooms
from ops.recounting.recount import rooms as rooms_of
from verify.corner import Corner
from verify.facts import Check
from verify.share import Left, Request, Share
from verify.shares.readings import instant

START = datetime(2026, 1, 5, tzinfo=UTC)
BATCH = 20


@dataclass(frozen=True)
class Message:
    """One message as it is sent."""

    room: str
    user: str
    sent_at: datetime
    id: str

    def body(self, text: str = "hello") -> dict[str, Any]:
        """The message as a request contains it."""
        return {"message_id": self.id, "user": self.user, "sent_at": self.sent_at.isoformat(), "text": text}

    @property
    def stored(self) -> samples.Message:
        """The message as the recount takes it."""
        return samples.Message(self.room, self.user, instant(self.sent_at), self.id, "hello")


def share(corner: Corner, rng: Random, events: int) -> Share:
    """A quarter as many messages as readings; half of the requests are sent twice."""
    messages = list(_messages(corner, rng, events // 4))
    first = [_post(batch) for batch in _batches(messages)]
    again = rng.sample(first, len(first) // 2)
    return Share(
        name="chat",
        rounds=[[*first, *again], [_other_text(message) for message in rng.sample(messages, 5)]],
        checks=list(_checks(messages)),
        recounts=_recounts(messages[0]),
        left=[Left("messages, rooms, users", len(messages), f"CHAT#{corner.name}…, ROOM#…, USER#…, MESSAGE-ID#…")],
    )


def rooms(corner: Corner) -> list[str]:
    """The rooms of a run."""
    return [corner.id("room", number) for number in range(3)]


def _messages(corner: Corner, rng: Random, count: int) -> Iterator[Message]:
    within = rooms(corner)
    users = [corner.id("user", number) for number in range(8)]
    for number in range(count):
        sent_at = START + timedelta(seconds=rng.randrange(10**6))
        yield Message(rng.choice(within), rng.choice(users), sent_at, f"{number}")


def _batches(messages: Sequence[Message]) -> Iterator[Sequence[Message]]:
    for room in dict.fromkeys(message.room for message in messages):
        of_room = [message for message in messages if message.room == room]
        yield from (of_room[start : start + BATCH] for start in range(0, len(of_room), BATCH))


def _post(batch: Sequence[Message]) -> Request:
    body = {"messages": [message.body() for message in batch]}
    return Request("POST", ("rooms", batch[0].room, "messages"), body, accepted=len(batch))


def _other_text(message: Message) -> Request:
    """The message again, and another message under its id, which is refused: the first one stays."""
    body = {"messages": [message.body(), message.body("other")]}
    return Request("POST", ("rooms", message.room, "messages"), body, accepted=1)


def _recounts(message: Message) -> list[Name]:
    return [
        Name("ROOM", (message.room,)),
        Name("USER", (message.user,)),
        Name("POSTED_IN", (message.user, message.room)),
    ]


def _checks(messages: Sequence[Message]) -> Iterator[Check]:
    stored = [message.stored for message in messages]
    for room, of_room in grouped((message.room, message) for message in stored).items():
        yield Check(rooms_of(of_room), partial(readback.room, of=room))
    for user, of_user in grouped((message.user, message) for message in stored).items():
        yield Check(users(of_user) | users_in_rooms(of_user), partial(readback.user, of=user))
