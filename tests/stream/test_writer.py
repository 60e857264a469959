"""In which order aggregates are read and written; that they come out right is what tests/delivery shows."""

from collections.abc import Iterable, Mapping, Sequence

import pytest

from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.kinds import Kind
from edgewise.aggregates.measures import Observation
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import KEYS_PER_BATCH
from edgewise.dynamodb.writes import Replacement, Reply, Write
from edgewise.stream import writer
from edgewise.stream.writer import UnfinishedError
from functions.replay.memory import MemoryTable, target
from functions.systems.chat.system import USER
from tests.support.streams import PRESENT


def batch_of(kind: Kind, count: int) -> Mapping[AggregateId, list[Effect]]:
    effect = Effect(Checkpoint(1, PRESENT), {"Messages": Observation()}, {})
    return {kind(f"{kind.name} {number}"): [effect] for number in range(count)}


def names(batch: Iterable[AggregateId]) -> set[str]:
    return {str(about.dimensions[0]) for about in batch}


BATCH = batch_of(USER, 3 * KEYS_PER_BATCH + 1)


class Watched(MemoryTable):
    """Remembers reads and writes in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.reads: list[set[str]] = []
        self.writes: list[str] = []
        self.written_before: list[int] = []

    def get_many(self, wanted: Sequence[Key], *, consistent: bool = False) -> dict[Key, Item]:
        self.reads.append({key.pk for key in wanted})
        self.written_before.append(len(self.writes))
        return super().get_many(wanted, consistent=consistent)

    def write(self, write: Write) -> None:
        self.writes.append(target(write).pk)
        super().write(write)


class Refusing(MemoryTable):
    """Somebody else is always first. Remembers what is read again after that."""

    def __init__(self) -> None:
        super().__init__()
        self.read_again: list[Key] = []

    def get(self, key: Key) -> Item | None:
        self.read_again.append(key)
        return super().get(key)

    def replace_many(self, replacements: Sequence[Replacement]) -> list[Reply]:
        return [Reply.REFUSED] * len(replacements)


@pytest.fixture(autouse=True)
def one_write_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "WRITERS", 1)


def applied(shard: str) -> Watched:
    table = Watched()
    assert writer.apply(table, shard, BATCH).written == len(BATCH)
    return table


def test_what_is_read_is_written_before_more_is_read() -> None:
    table = applied("shard")
    assert [len(part) for part in table.reads] == [KEYS_PER_BATCH, KEYS_PER_BATCH, KEYS_PER_BATCH, 1]
    assert table.written_before == [0, KEYS_PER_BATCH, 2 * KEYS_PER_BATCH, 3 * KEYS_PER_BATCH]
    assert table.reads[0] == set(table.writes[:KEYS_PER_BATCH])


def test_nothing_is_read_again_once_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """A read that is slow or throttled would outlast the invocation."""
    monkeypatch.setattr(writer, "longest_pause", lambda *_: 0.0)
    table, looks = Refusing(), iter(range(KEYS_PER_BATCH))
    few = {about: BATCH[about] for about in list(BATCH)[:KEYS_PER_BATCH]}
    with pytest.raises(UnfinishedError) as raised:
        writer.apply(table, "shard", few, may_go_on=lambda: next(looks, None) is not None)
    assert (raised.value.done, raised.value.left, table.read_again) == (0, KEYS_PER_BATCH, [])


def test_shards_come_to_what_they_share_at_different_times() -> None:
    one, other = applied("00000001").writes, applied("00000002").writes
    assert sorted(one) == sorted(other)
    assert sum(here == there for here, there in zip(one, other, strict=True)) < KEYS_PER_BATCH / 2


def test_a_shard_keeps_its_order() -> None:
    assert applied("shard").writes == applied("shard").writes
