"""In which order aggregates are read and written; that they come out right is what tests/delivery shows."""

from collections.abc import Sequence

import pytest

from functions.aggregates.checkpoints import Checkpoint
from functions.aggregates.effects import Effect
from functions.aggregates.measures import Observation
from functions.dynamodb.attributes import Item
from functions.dynamodb.keys import Key
from functions.dynamodb.writes import Write
from functions.stream import writer
from functions.stream.writer import PART
from functions.systems.chat.system import USER
from tests.support.memory import MemoryTable, target
from tests.support.streams import PRESENT

USERS = [f"user-{number}" for number in range(3 * PART + 1)]
BATCH = {USER(user): [Effect(Checkpoint(1, PRESENT), {"Messages": Observation()}, {})] for user in USERS}


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


@pytest.fixture(autouse=True)
def one_write_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "WRITERS", 1)


def applied(shard: str) -> Watched:
    table = Watched()
    assert writer.apply(table, shard, BATCH).written == len(USERS)
    return table


def test_what_is_read_is_written_before_more_is_read() -> None:
    table = applied("shard")
    assert [len(part) for part in table.reads] == [PART, PART, PART, 1]
    assert table.written_before == [0, PART, 2 * PART, 3 * PART]
    assert table.reads[0] == set(table.writes[:PART])


def test_shards_come_to_what_they_share_at_different_times() -> None:
    one, other = applied("00000001").writes, applied("00000002").writes
    assert sorted(one) == sorted(other)
    assert sum(here == there for here, there in zip(one, other, strict=True)) < PART / 2


def test_a_shard_keeps_its_order() -> None:
    assert applied("shard").writes == applied("shard").writes
