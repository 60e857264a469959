"""Sends one notice to the subscribers of its topic, in portions if there are too many for one invocation."""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from edgewise import Millis, Table, clock
from edgewise.dynamodb.table import chunks
from functions.push import frames, keys, store
from functions.push.entity import Subscription
from functions.push.gateway import CONNECTIONS, Gateway, Sent
from functions.push.notices import Delayed, Notice, Subscriber, Waiting
from functions.push.pace import NOW

# How many subscribers one invocation sends to, and how many answers it reads: more invocations share the rest.
AT_ONCE, ANSWERS = 250, 20
# A frame that the gateway did not take is sent again after so many seconds, unless it does not answer at all: then the
# invocation would not end in time.
PAUSES = (0.1, 0.5)
PATIENCE_SECONDS = 5

# What an address answers now, as JSON; None unless it answers at all.
Read = Callable[[str], str | None]
# The frame for an address.
FrameOf = Callable[[str], str]


class Outcome(NamedTuple):
    """How many frames were taken, how many connections are gone, and how many frames were given up."""

    taken: int = 0
    gone: int = 0
    missed: int = 0

    def __add__(self, other: "Outcome") -> "Outcome":  # type: ignore[override]
        return Outcome(*(mine + its for mine, its in zip(self, other, strict=True)))


def wanted_by(table: Table, notice: Notice, now: Millis) -> Waiting:
    """The subscribers that a notice is for. What each user waits for first comes first."""
    if notice.waiting:
        return notice.waiting
    waiting: dict[str, list[Subscriber]] = {}
    for each in _in_turn(store.subscribers(table, notice.topic, now)):
        waiting.setdefault(each.address, []).append(Subscriber(each.connection, each.sub, each.rate))
    return waiting


def _in_turn(subscriptions: Iterable[Subscription]) -> Sequence[Subscription]:
    """The first address of each user, then the second of each: who waits for much lets the others go first."""
    addresses: defaultdict[str, dict[str, int]] = defaultdict(dict)
    turns = [(addresses[each.sub].setdefault(each.address, len(addresses[each.sub])), each) for each in subscriptions]
    waits = Counter(each.sub for _, each in turns)
    return [each for _, each in sorted(turns, key=lambda turn: (turn[0], waits[turn[1].sub]))]


def parts(waiting: Waiting) -> Iterator[Waiting]:
    """The subscribers in portions for one invocation each, in the same order."""
    part: dict[str, Sequence[Subscriber]] = {}
    for address, subscribers in waiting.items():
        for some in chunks(subscribers, AT_ONCE):
            if part and (len(part) == ANSWERS or sum(map(len, part.values())) + len(some) > AT_ONCE):
                yield part
                part = {}
            part[address] = some
    if part:
        yield part


def later(notice: Notice, waiting: Iterable[Waiting]) -> Iterator[Delayed]:
    """The same notice for each of these portions."""
    for part in waiting:
        yield Delayed(replace(notice, waiting=part), NOW)


def frames_for(notice: Notice, read: Read) -> FrameOf:
    """Makes the frame for each address, once. Answers are read then, with all changes that the notice is about."""

    @cache
    def frame(address: str) -> str:
        if notice.items:
            return frames.added(address, notice.items)
        if notice.withdrawn:
            return frames.withdrawn(address, notice.withdrawn)
        now = clock.now()
        body = read(address)
        return frames.changed(address) if body is None else frames.answer(address, body, now)

    return frame


def send(table: Table, gateway: Gateway, topic: str, frame_of: FrameOf, waiting: Waiting) -> Outcome:
    """Send each connection the frame of its address, and forget those that are gone.

    A frame is sent as soon as it is made: whoever comes first does not wait for the answers to others.
    """
    left = [(address, each.connection) for address, subscribers in waiting.items() for each in subscribers]
    done, began = Outcome(), time.monotonic()
    with ThreadPoolExecutor(CONNECTIONS) as threads:
        for pause in (*PAUSES, None):
            made = ((connection, frame_of(address)) for address, connection in left)
            sent = list(threads.map(lambda each: gateway.send(*each), made))
            gone = [each for each, became in zip(left, sent, strict=True) if became is Sent.GONE]
            list(threads.map(lambda each: store.forget(table, keys.subscription(topic, each[1], each[0])), gone))
            done += Outcome(taken=sent.count(Sent.TAKEN), gone=len(gone))
            left = [each for each, became in zip(left, sent, strict=True) if became is Sent.MISSED]
            if not left or pause is None or time.monotonic() - began > PATIENCE_SECONDS:
                break
            time.sleep(pause)
    return done + Outcome(missed=len(left))
