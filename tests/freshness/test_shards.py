"""Heartbeats find their shards: each open shard gets one, however the stream's shards follow each other."""

import hashlib
from collections.abc import Iterable
from itertools import count

from edgewise.freshness import shards as register
from edgewise.freshness.shards import MOST_NAMES, NO_PARENT, Heartbeat, Shards, heartbeat, heartbeat_item, shards
from edgewise.freshness.watermarks import Watermark
from edgewise.times import DAY, SECOND

T = 1_535_544_000_000


class Stream:
    """A stream whose shards share the partition keys by their hashes."""

    def __init__(self, number: int) -> None:
        self.open = [(f"shard-{each}", NO_PARENT) for each in range(number)]

    def roll_over(self) -> None:
        self.open = [(f"{name}'", name) for name, _ in self.open]

    def split(self) -> None:
        self.open = [(f"{name}/{half}", name) for name, _ in self.open for half in "ab"]

    @property
    def parents(self) -> dict[str, str]:
        return dict(self.open)

    def told(self, names: Iterable[str]) -> list[Watermark]:
        """The watermarks, once each heartbeat has come."""
        came: dict[str, list[str]] = {}
        for name in names:
            digest = int.from_bytes(hashlib.md5(name.encode()).digest())
            came.setdefault(self.open[digest * len(self.open) >> 128][0], []).append(name)
        return [Watermark(shard, heartbeats=tuple(names)) for shard, names in came.items()]


def settled(stream: Stream, found: Shards, names: Iterable[str]) -> tuple[Shards, int]:
    """The register after as many surveys as it takes until it stays as it is, and how many these were."""
    fresh, told = iter(names), list[Watermark]()
    for surveys in count(1):
        after = found.surveyed(stream.parents, [*told, *stream.told(found.heartbeats)], lambda: next(fresh))
        if after.says_the_same(found):
            return found, surveys
        found, told = after, stream.told(after.heartbeats)
    raise AssertionError


def test_each_shard_has_one_after_a_few_surveys_and_after_each_change() -> None:
    stream, names = Stream(64), (f"name-{number}" for number in count())
    found, surveys = settled(stream, Shards(), names)
    assert (len(found.heartbeats), len(stream.told(found.heartbeats)), surveys <= 4) == (64, 64, True)
    stream.roll_over()
    found, _ = settled(stream, found, names)
    assert (len(found.heartbeats), len(stream.told(found.heartbeats))) == (64, 64)
    stream.split()
    found, surveys = settled(stream, found, names)
    assert (len(found.heartbeats), len(stream.told(found.heartbeats)), surveys <= 4) == (128, 128, True)


def test_of_many_shards_at_once_not_too_many_are_tried() -> None:
    found = Shards().surveyed(Stream(10_000).parents, [], lambda: "name")
    assert len(found.heartbeats) == MOST_NAMES


def test_a_name_stays_while_its_shard_is_late() -> None:
    """Its watermark is an old one, and its name is known none the less."""
    stream = Stream(1)
    told = [Watermark("shard-0", heartbeats=("b", "a"))]
    assert Shards(heartbeats=("a", "b")).surveyed(stream.parents, told, lambda: "never").heartbeats == ("a",)


def test_the_register_comes_back() -> None:
    found = Shards(3, {"a": NO_PARENT, "b": "a"}, ("x", "y"))
    assert shards(register.replacing(found).item) == found
    assert found.says_the_same(Shards(9, {"b": "a", "a": NO_PARENT}, ("x", "y")))
    assert not found.says_the_same(Shards(3, {"b": "a"}, ("x", "y")))


def test_a_heartbeat_expires_long_after_the_next_one() -> None:
    assert heartbeat_item(Heartbeat("a", T))["ExpiresAt"] == {"N": str((T + DAY) // SECOND)}


def test_a_heartbeat_comes_back() -> None:
    assert heartbeat(heartbeat_item(Heartbeat("a#b", 7))) == Heartbeat("a#b", 7)
