"""The pollers of one mapping: as many per shard as its parallelization factor, children after their parents."""

import json
import zlib
from collections.abc import Callable

from delivery.filters import compile_pattern
from delivery.mapping import Mapping
from delivery.reader import LONGEST_PAUSE, Discard, Reader
from delivery.records import Record
from delivery.stream import Shard, Stream

LetsIn = Callable[[Record], bool]


class Pollers:
    """The readers of all shards that may be read now."""

    def __init__(
        self, stream: Stream, mapping: Mapping, discard: Discard, longest_pause: float = LONGEST_PAUSE
    ) -> None:
        self._stream, self._mapping, self._discard = stream, mapping, discard
        self._longest_pause = longest_pause
        self._matches = _filter(mapping)
        self._known = 0
        self._waiting: list[Shard] = []
        self._reading: dict[str, list[Reader]] = {}
        self._begun: dict[str, list[Reader]] = {}
        self._done: set[str] = set()

    def idle(self) -> list[Reader]:
        """The readers without a running invocation."""
        while self._admit():
            pass
        return [reader for readers in self._reading.values() for reader in readers if not reader.busy]

    def change(self, mapping: Mapping) -> None:
        """The mapping has other settings from now on, but for its parallelization factor."""
        self._mapping, self._matches = mapping, _filter(mapping)
        for readers in self._begun.values():
            for reader, share in zip(readers, self._shares(), strict=True):
                reader.change(mapping, share)

    @property
    def left(self) -> int:
        """How many records are still to be delivered, of the shards that have begun."""
        return sum(reader.left for readers in self._begun.values() for reader in readers)

    def is_behind(self, now: float) -> bool:
        """Whether a shard's windows come faster than they are delivered."""
        return any(reader.is_behind(now) for readers in self._reading.values() for reader in readers)

    def is_done(self, upto: int) -> bool:
        """Whether all records up to this number are delivered, and their windows have ended."""
        began = (reader for readers in self._begun.values() for reader in readers)
        waiting = (shard for shard in self._stream.shards if shard.id not in self._begun)
        return all(reader.is_done(upto) for reader in began) and not any(
            shard.records and shard.records[0].sequence <= upto for shard in waiting
        )

    def renew(self) -> None:
        """The mapping is made anew: each shard is read from its oldest record on, and parents come first again."""
        for reader in (each for readers in self._begun.values() for each in readers):
            reader.begin_anew()
        self._waiting, self._reading, self._done = self._stream.shards[: self._known], {}, set()

    def _admit(self) -> bool:
        """Drop shards that are read to the end, and begin with those whose parents are; returns whether there were any.

        A shard that is closed and empty is at its end as soon as it is begun: then its children come.
        """
        for shard_id in [id for id, readers in self._reading.items() if all(each.exhausted for each in readers)]:
            del self._reading[shard_id]
            self._done.add(shard_id)
        self._waiting += self._stream.shards[self._known :]
        self._known = len(self._stream.shards)
        ready = [shard for shard in self._waiting if shard.parent is None or shard.parent in self._done]
        for shard in ready:
            self._waiting.remove(shard)
            if shard.id not in self._begun:
                self._begun[shard.id] = self._begin(shard)
            self._reading[shard.id] = self._begun[shard.id]
        return bool(ready)

    def _begin(self, shard: Shard) -> list[Reader]:
        return [Reader(shard, self._mapping, share, self._discard, self._longest_pause) for share in self._shares()]

    def _shares(self) -> list[LetsIn]:
        factor = self._mapping.parallelization_factor
        return [self._share(number, factor) for number in range(factor)] if factor > 1 else [self._matches]

    def _share(self, number: int, factor: int) -> LetsIn:
        """All records of an item go to the same poller of a shard, which preserves their order."""
        return lambda record: zlib.crc32(record.item.encode()) % factor == number and self._matches(record)


def _filter(mapping: Mapping) -> LetsIn:
    patterns = [compile_pattern(pattern) for pattern in mapping.filters]
    if not patterns:
        return lambda _: True

    def matches(record: Record) -> bool:
        data = json.loads(record.wire)
        return any(pattern(data) for pattern in patterns)

    return matches
