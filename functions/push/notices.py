"""Notices: what the stream's reader passes on, through a queue, to the function that sends it to subscribers."""

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import NamedTuple

from edgewise import Millis
from functions.portions import portions
from functions.push.pace import NOW, Pace
from functions.push.topics import News

# API Gateway counts a message of up to 32 KB as one; the rest is for the address.
MOST_BYTES = 30_000


class Subscriber(NamedTuple):
    """A connection that waits for what an address answers, its user's `sub`, and rate in units a second."""

    connection: str
    sub: str
    rate: int


# The subscribers that wait for what each address answers.
Waiting = Mapping[str, Sequence[Subscriber]]


@dataclass(frozen=True)
class Notice:
    """The subscribers of a topic are to be sent these items, or, without any, what their addresses answer now.

    `items` are JSON objects; so are those that name what was `withdrawn`, of which a notice tells alone. `waiting`:
    only these subscribers; without any, all of them.
    """

    topic: str
    items: tuple[str, ...] = ()
    waiting: Waiting = field(default_factory=dict)
    withdrawn: tuple[str, ...] = ()

    def text(self) -> str:
        """The notice as a message of the queue: in ASCII, because SQS refuses some characters that people may write."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def of(cls, text: str) -> "Notice":
        """The inverse of `text`."""
        given = json.loads(text)
        waiting = {address: [Subscriber(*each) for each in some] for address, some in given["waiting"].items()}
        return cls(given["topic"], tuple(given["items"]), waiting, tuple(given.get("withdrawn", ())))


class Delayed(NamedTuple):
    """A notice, to be delivered in so many seconds."""

    notice: Notice
    seconds: int


def notices(found: Iterable[News], wanted: Container[str], pace: Pace, now: Millis) -> Iterator[Delayed]:
    """The notices of some news, for topics that are wanted."""
    items: dict[str, list[str]] = {}
    withdrawn: dict[str, list[str]] = {}
    changed: dict[str, None] = {}
    for news in found:
        if news.topic in wanted:
            if news.shown:
                (withdrawn if news.withdrawn else items).setdefault(news.topic, []).append(news.shown)
            else:
                changed[news.topic] = None
    for topic, of_topic in items.items():
        yield from (Delayed(Notice(topic, items=part), NOW) for part in _parts(of_topic))
    for topic, of_topic in withdrawn.items():
        yield from (Delayed(Notice(topic, withdrawn=part), NOW) for part in _parts(of_topic))
    for topic in changed:
        wait = pace.delay(topic, now)
        if wait is not None:
            yield Delayed(Notice(topic), wait)


def _parts(of_topic: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """What is told of a topic, in parts that fit into a frame."""
    return (tuple(part) for part in portions(of_topic, lambda each: len(each.encode()), MOST_BYTES))
