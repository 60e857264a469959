"""The watermark of a shard: until when all changes in it are in the aggregates, and since when that is so."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from edgewise.dynamodb.attributes import Attribute, Item, integer, key_item, n, s, string
from edgewise.dynamodb.schema import TTL_ATTRIBUTE
from edgewise.dynamodb.writes import Condition, Put
from edgewise.freshness import keys
from edgewise.times import DAY, SECOND, Millis

# So many moments are kept, and the item is a write unit. Each hop of a way goes back to an earlier moment, so those of
# the last minutes are close together. Older ones are the farther apart the older they are: they reach back over hours.
MOMENTS = 24
CLOSE: Millis = 20 * SECOND
MINUTES: Millis = 150 * SECOND


class Reached(NamedTuple):
    """How far the consumer had come in a shard at the moment `at`, as instants: all changes stored until then.

    `absorbed`: they are in the aggregates that the shard writes itself. `carried`: and carriers have taken on what they
    change in shared aggregates. `brought`: what they brought, if they are carriers, is in the shared aggregates.
    """

    at: Millis
    absorbed: Millis
    carried: Millis
    brought: Millis


class Followed(NamedTuple):
    """How far the cascade had come at the moment `at`: what all changes that were stored until then entail is done."""

    at: Millis
    followed: Millis


Moment = TypeVar("Moment", bound=Reached | Followed)


def reached(now: Millis, absorbed: Millis, waits: Millis | None, brings: Millis | None) -> Reached:
    """How far a shard has come that has absorbed all changes until the instant `absorbed`.

    `waits`: the time of the first record of which a change waits for carriers; `brings`: of the first carrier's record
    of which something waits; None: there is none.
    """
    carried, brought = (absorbed if each is None else min(absorbed, each - SECOND) for each in (waits, brings))
    return Reached(now, absorbed, carried, brought)


def absorbed_until(last: Millis, heartbeats: Sequence[Millis]) -> Millis:
    """Until when a shard has absorbed all changes, if `last` is the time of its last record, by the stream's clock.

    The stream tells seconds, and other records of the same second may be still to come. A heartbeat tells the
    millisecond in which it was sent: whatever was stored before that is before it in the shard. Its clock may be wrong,
    but the stream's clock says by how much at most.
    """
    return max([last - SECOND, *(min(each, last + SECOND) - 1 for each in heartbeats)])


@dataclass(frozen=True)
class Watermark:
    """How far a shard has come, and had come before; and the heartbeats that came in it last."""

    shard: str
    version: int = 0
    history: tuple[Reached, ...] = ()
    heartbeats: tuple[str, ...] = ()

    def moved(self, found: Reached, heartbeats: Sequence[str]) -> "Watermark":
        """The watermark with one more moment."""
        history = with_moment(self.history, found)
        return Watermark(self.shard, self.version + 1, history, tuple(heartbeats) or self.heartbeats)


def with_moment(before: tuple[Moment, ...], found: Moment) -> tuple[Moment, ...]:
    """With one more moment. Without one if they are too many then: the one that leaves the smallest gap for its age."""
    kept = tuple(each for each in before if found.at - DAY < each.at < found.at)
    history = (*kept, found)
    if len(history) <= MOMENTS:
        return history
    now = history[-1].at

    def gap(place: int) -> float:
        return (history[place + 1].at - history[place - 1].at) / _usual_gap(now - history[place - 1].at)

    left_out = min(range(1, len(history) - 1), key=gap)
    return history[:left_out] + history[left_out + 1 :]


def _usual_gap(age: Millis) -> Millis:
    """In proportion to which gap moments of this age may be apart."""
    return max(min(age, CLOSE), age - MINUTES + CLOSE)


def replacing(watermark: Watermark) -> Put:
    """The write that stores a watermark, refused unless the stored one is its predecessor.

    An hour after the last write of a shard nobody asks for it any more, but shards may rest for longer than that.
    """
    item: Item = key_item(keys.watermark(watermark.shard)) | {
        "Type": s(keys.WATERMARK),
        "Version": n(watermark.version),
        "Reached": packed(watermark.history),
        "Heartbeats": {"L": [s(each) for each in watermark.heartbeats]},
        TTL_ATTRIBUTE: expires(watermark.history),
    }
    return Put(item, Condition.at_version(watermark.version - 1))


def watermark(item: Item) -> Watermark:
    """The inverse."""
    history = tuple(Reached(*each) for each in unpacked(item["Reached"]))
    heartbeats = tuple(map(string, item["Heartbeats"]["L"]))
    return Watermark(keys.parse_watermark(string(item["SK"])), integer(item["Version"]), history, heartbeats)


def packed(history: Sequence[Reached | Followed]) -> Attribute:
    """Moments as an attribute: each with how long before it its instants are, which is shorter than these."""
    return s(";".join(" ".join(map(str, (at, *(at - each for each in instants)))) for at, *instants in history))


def unpacked(attribute: Attribute) -> Iterator[tuple[Millis, ...]]:
    """The inverse: of each, the moment and its instants."""
    for each in string(attribute).split(";"):
        at, *before = map(int, each.split())
        yield at, *(at - ago for ago in before)


def expires(history: Sequence[Reached | Followed]) -> Attribute:
    """When an item with these moments may go."""
    return n((history[-1].at + 2 * DAY) // SECOND)
