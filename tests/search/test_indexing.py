"""Whatever happens to hints on their way, the index says what the table holds, once they are all delivered."""

import json
import random
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from moto import mock_aws

from edgewise import Item, Key, Query, Source
from edgewise.dynamodb.attributes import key_item, key_of, s, string
from edgewise.dynamodb.keys import Partitions
from edgewise.dynamodb.writes import Delete, Put
from functions.bucket import Bucket, ChangedError, client
from functions.replay.memory import MemoryTable
from functions.search import withdrawals
from functions.search.engine import EVERYBODY, Address, Changes, digest
from functions.search.hints import Message, Rebuild, message, text
from functions.search.indexing import Indexer
from functions.search.manifest import MANIFEST, Manifest
from functions.search.query import Search, Word
from functions.search.reading import things
from functions.search.snapshots import Snapshots
from functions.search.watched import Watched
from functions.search.withdrawals import withdrawal, withdrawn
from functions.searchable import Contents, Searchable, searchable

SEEDS, STEPS = range(5), 60
NOTES, CASES, PAPERS = Partitions("NOTE"), Partitions("CASE"), Partitions("PAPER")
READERS = ("amy", "bob")


def _case(items: Sequence[Item]) -> Contents | None:
    found = {string(item["Type"]): string(item["Text"]) for item in items}
    return Contents((found["CASE"],), found["CASE"], found.get("FINDING", "")) if "CASE" in found else None


def _paper(item: Item) -> Contents:
    readers = frozenset(string(each) for each in item["Readers"]["L"])
    return Contents((string(item["PK"]),), "fox", readers=None if EVERYBODY in readers else readers)


WATCHED = Watched(
    (
        searchable(
            "note", Source("NOTE", lambda item: string(item["Text"])), NOTES, lambda told: Contents((told,), told)
        ),
        Searchable(
            "case",
            CASES,
            {"CASE": key_of, "FINDING": lambda item: Key(string(item["PK"]), "CASE")},
            _case,
            lambda key: Query(key.pk, consistent=True),
        ),
        searchable("paper", Source("PAPER", lambda item: item), PAPERS, _paper),
    )
)


class Lambda(Exception):
    """An invocation ends before it is through."""


class Queue:
    """Delivers in order, and again what was not taken to the end."""

    def __init__(self) -> None:
        self.waiting: list[str] = []
        self.seen: set[str] = set()

    def send(self, sent: Message) -> None:
        self.waiting.append(text(sent))

    def rebuild(self, wanted: Rebuild) -> None:
        if (asked := text(wanted)) not in self.seen:
            self.seen.add(asked)
            self.waiting.append(asked)


class Machine:
    """A machine that may write the index. Before it stores what it has read, others may do so, or it may end."""

    def __init__(self, world: "World", folder: Path) -> None:
        self._world, self.index = world, Snapshots(Bucket("index"), folder, writes=True)
        self._indexer = Indexer(world.table, WATCHED, self, world.queue)  # type: ignore[arg-type]

    def take(self, messages: Sequence[str]) -> None:
        self._indexer.take(map(message, messages))

    def building(self) -> str | None:
        return self.index.building()

    def outdated(self) -> str | None:
        return self.index.outdated()

    def show(self) -> None:
        self.index.show()
        self._world.meanwhile(self)

    def apply(self, changes: Changes, begins: str | None, ends: str | None, at: int) -> Set[Address]:
        self._world.meanwhile(self)
        refused = self.index.apply(changes, begins, ends, at)
        if self._world.chance(0.1):
            raise Lambda
        return refused


class World:
    """A table that changes, the stream that tells of it, the queue, and two machines."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder, self.random, self.table, self.queue = folder, random.Random(seed), MemoryTable(), Queue()
        self.table.keys_per_page = 3
        self._busy = self.quiet = False
        self.machines = [Machine(self, folder / str(n)) for n in range(2)]
        self.reader = Snapshots(Bucket("index"), folder / "searches", writes=False)
        self.versions = count(1)
        # What was counted although it had been withdrawn, at any moment.
        self.withdrawn = set[tuple[str, Address]]()

    def chance(self, of: float) -> bool:
        return not self.quiet and self.random.random() < of

    def change(self) -> None:
        """Write or delete an item; the stream tells of it, now and perhaps again."""
        if self.random.random() < 0.4:
            return self.change_readers()
        of, sort = self.random.choice([("NOTE", "x"), ("CASE", "CASE"), ("CASE", "FINDING")])
        key = Key(f"{of}#{self.random.randrange(4)}", sort)
        old = self.table.items.get(key)
        of_type = of if sort == "x" else sort
        new = None
        if self.random.random() < 0.7:
            words = s(f"fox {self.random.randrange(5)}")
            new = key_item(key) | {"Type": s(of_type), "Text": words, "Other": s(str(self.random.randrange(3)))}
        self.table.write(Put(new) if new else Delete(key))
        return self.tell(new, old)

    def tell(self, new: Item | None, old: Item | None) -> None:
        record = {"dynamodb": {name: image for name, image in (("NewImage", new), ("OldImage", old)) if image}}
        for _ in range(self.random.choice([1, 1, 2])):
            if hints := WATCHED.hints([record]) if new or old else []:
                self.queue.send(hints)

    def change_readers(self) -> None:
        """Let others read a paper, or nobody; whoever loses it is noted in the same transaction."""
        key = Key(f"PAPER#{self.random.randrange(3)}", "x")
        old = self.table.items.get(key)
        held = {string(each) for each in old["Readers"]["L"]} if old else set()
        readers = set(self.random.choice([(), ("amy",), ("bob",), READERS, (EVERYBODY,)]))
        new = key_item(key) | {"Type": s("PAPER"), "Readers": {"L": [s(each) for each in sorted(readers)]}}
        gone = not readers and self.random.random() < 0.5
        lost = set() if EVERYBODY in readers else held - readers
        if EVERYBODY in lost and readers:
            lost = set(READERS) - readers
        version = next(self.versions)
        notes = [withdrawal(reader, Address("paper", key), version) for reader in sorted(lost)]
        self.table.transact([Delete(key) if gone else Put(new), *notes])
        told = [(None if gone else new, old), *((note.item, None) for note in notes)]
        self.random.shuffle(told)
        for images in told:
            self.tell(*images)

    def counted_wrongly(self) -> set[tuple[str, Address]]:
        """What searches count of papers and their askers may not read: they read notes, then look at the bucket."""
        wrong = set[tuple[str, Address]]()
        for sub in READERS:
            notes = withdrawn(self.table, sub)
            assert notes.complete
            self.reader.refresh()
            asked = Search(sub=sub, clauses=(Word("fox"),), kinds=["paper"], without=notes.addresses, limit=100)
            found = self.reader.serving().search(asked)
            assert found.total == len(found.addresses)
            read = things(self.table, WATCHED, found.addresses)
            wrong |= {(sub, each.address) for each in read if not (each.contents and each.contents.readable(sub))}
        return wrong

    def deploy(self) -> None:
        """A release comes for which all that is in the bucket is of another form. SQS has forgotten what was asked."""
        self.queue.seen.clear()
        found = Bucket("index").read_unless(MANIFEST, None)
        if found:
            manifest = json.loads(found[0])
            for each in manifest["generations"].values():
                each["form"] = "of a release before"
            Bucket("index").write(MANIFEST, json.dumps(manifest).encode())

    def deliver(self, to: Machine) -> None:
        """Let a machine take what waits first; whatever fails is delivered again."""
        batch = self.queue.waiting[: self.random.randint(1, 10)]
        if batch:
            with suppress(Lambda, ChangedError):
                to.take(batch)
                # Another machine may have been sent the same, and be through with it.
                for each in batch:
                    with suppress(ValueError):
                        self.queue.waiting.remove(each)

    def meanwhile(self, by: Machine) -> None:
        """Something may happen between a machine's reads and its write; the queue thinks that it has died."""
        if self.chance(0.5):
            self.change()
        if self.chance(0.5) and not self._busy:
            self._busy = True
            self.deliver(next(each for each in self.machines if each is not by))
            self._busy = False

    def wrong(self) -> set[tuple[Address, str]]:
        """What the index has and should not have, or should have and does not."""
        if notes := [key for key in self.table.items if key.pk.startswith("WITHDRAWN#")]:
            return {(Address("note left", key), "") for key in notes}
        found = Snapshots(Bucket("index"), self._folder / "reader", writes=False)
        found.refresh()
        keys = [Address(each.kind, key) for each, key in self._all()]
        read = things(self.table, WATCHED, list(dict.fromkeys(keys)))
        return set(found.serving().everything()) ^ {(e.address, digest(e.contents)) for e in read if e.contents}

    def _all(self) -> Iterator[tuple[Searchable, Key]]:
        for item in self.table.items.values():
            for each in WATCHED.kinds.values():
                if (of_type := string(item["Type"])) in each.types:
                    yield each, each.types[of_type](item)


@pytest.fixture
def history(tmp_path: Path, aws_env: pytest.MonkeyPatch) -> Iterator[Callable[[int], World]]:
    """Lets everything happen that may, then all that waits be delivered."""

    def run(seed: int) -> World:
        world = World(tmp_path / str(seed), seed)
        Bucket("index").delete(Bucket("index").keys(""))
        for step in range(STEPS):
            if world.random.random() < 0.5:
                world.change()
            else:
                world.deliver(world.random.choice(world.machines))
            if world.chance(0.08):
                world.queue.rebuild(Rebuild(f"generation-{step}"))
            # In half of the histories.
            if seed % 2 and world.chance(0.03):
                world.deploy()
            if step % 4 == 0:
                world.withdrawn |= world.counted_wrongly()
        world.quiet = True
        while world.queue.waiting:
            world.deliver(world.random.choice(world.machines))
        return world

    client.cache_clear()
    with mock_aws():
        client().create_bucket(Bucket="index")
        yield run
    client.cache_clear()


@pytest.mark.parametrize("seed", SEEDS)
def test_after_any_history_the_index_says_what_the_table_holds(seed: int, history: Callable[[int], World]) -> None:
    world = history(seed)
    assert (world.wrong(), world.withdrawn) == (set(), set())


def _unconditional(monkeypatch: pytest.MonkeyPatch) -> None:
    def replace(self: Bucket, key: str, content: bytes, tag: str | None) -> str:
        return str(client().put_object(Bucket=self.name, Key=key, Body=content)["ETag"])

    monkeypatch.setattr(Bucket, "replace", replace)


def _ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Manifest, "begun", lambda self, name: begun(self, name).ended(name))


begun = Manifest.begun


def _removes_too_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Notes are removed before the index is written, as if the removal came first."""

    def noted(table: MemoryTable, keys: Sequence[Key]) -> Any:
        found = withdrawals_noted(table, keys)
        withdrawals.remove(table, list(found))
        return found

    monkeypatch.setattr(withdrawals, "noted", noted)


def _removes_what_an_old_index_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Indexer, "_settle", lambda self, notes, answers: withdrawals.remove(self._table, list(notes)))


withdrawals_noted = withdrawals.noted


# Each with the seed that found it, which is tried first.
@pytest.mark.parametrize(("mutate", "first"), [(_removes_too_early, 1), (_removes_what_an_old_index_needs, 3)])
def test_histories_find_what_lets_searches_count_the_withdrawn(
    mutate: Callable[[pytest.MonkeyPatch], None],
    first: int,
    history: Callable[[int], World],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mutate(monkeypatch)
    assert any(history(seed).withdrawn for seed in (first, *range(20)))


@pytest.mark.parametrize("mutate", [_unconditional, _ends_at_once])
def test_histories_find_what_breaks_it(
    mutate: Callable[[pytest.MonkeyPatch], None], history: Callable[[int], World], monkeypatch: pytest.MonkeyPatch
) -> None:
    mutate(monkeypatch)
    assert any(history(seed).wrong() for seed in range(20))
