"""Sends one notice to the subscribers of its topic, or splits it if there are too many for one invocation."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from functions import clock
from functions.dynamodb.table import Table, chunks
from functions.push import frames, store
from functions.push.entity import Subscription
from functions.push.gateway import CONNECTIONS, Gateway, Sent
from functions.push.notices import Delayed, Notice
from functions.push.pace import NOW
from functions.times import Millis

# How many subscribers one invocation sends to: more invocations share the rest.
AT_ONCE = 250
# A frame that the gateway did not take is sent again after so many seconds, unless it does not answer at all: then the
# invocation would not end in time.
PAUSES = (0.1, 0.5)
PATIENCE_SECONDS = 5

# What an address answers now, as JSON; None unless it answers at all.
Read = Callable[[str], str | None]
Frames = Mapping[str, str]


class Outcome(NamedTuple):
    """How many frames were taken, how many connections are gone, and how many frames were given up."""

    taken: int = 0
    gone: int = 0
    missed: int = 0

    def __add__(self, other: "Outcome") -> "Outcome":  # type: ignore[override]
        return Outcome(*(mine + its for mine, its in zip(self, other, strict=True)))


def wanted_by(table: Table, notice: Notice, now: Millis) -> Sequence[Subscription]:
    """The subscriptions that a notice is for."""
    if notice.connections:
        return [Subscription(notice.topic, each, notice.address, now, now) for each in notice.connections]
    return list(store.subscribers(table, notice.topic, now))


def split(notice: Notice, subscriptions: Sequence[Subscription]) -> Iterator[Delayed]:
    """The same notice for some subscribers at a time."""
    by_address: dict[str, list[str]] = {}
    for each in subscriptions:
        by_address.setdefault(each.address, []).append(each.connection)
    for address, connections in by_address.items():
        for part in chunks(connections, AT_ONCE):
            yield Delayed(Notice(notice.topic, notice.items, address, tuple(part)), NOW)


def frames_for(notice: Notice, subscriptions: Sequence[Subscription], read: Read) -> Frames:
    """The frame for each address. Answers are read now, so they have all changes that the notice is about."""
    return {address: _frame(notice, address, read) for address in {each.address for each in subscriptions}}


def _frame(notice: Notice, address: str, read: Read) -> str:
    if notice.items:
        return frames.added(address, notice.items)
    now = clock.now()
    body = read(address)
    return frames.changed(address) if body is None else frames.answer(address, body, now)


def send(table: Table, gateway: Gateway, of_address: Frames, subscriptions: Sequence[Subscription]) -> Outcome:
    """Send each subscriber its frame, and forget subscribers that are gone."""
    done, left, began = Outcome(), subscriptions, time.monotonic()
    with ThreadPoolExecutor(CONNECTIONS) as threads:
        for pause in (*PAUSES, None):
            sent = list(threads.map(lambda each: gateway.send(each.connection, of_address[each.address]), left))
            gone = [each for each, became in zip(left, sent, strict=True) if became is Sent.GONE]
            list(threads.map(lambda each: store.forget(table, each), gone))
            done += Outcome(taken=sent.count(Sent.TAKEN), gone=len(gone))
            left = [each for each, became in zip(left, sent, strict=True) if became is Sent.MISSED]
            if not left or pause is None or time.monotonic() - began > PATIENCE_SECONDS:
                break
            time.sleep(pause)
    return done + Outcome(missed=len(left))
