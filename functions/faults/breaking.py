"""The consumer's table in stages with faults: it does what somebody has asked for, to the batch that is at work.

What is asked for comes with the register, in one request, before anything is written. So where nothing is asked, there
is no further request. A fault is *claimed* by whoever does it: together with its line in the log, it is taken from what
is asked for, so nobody does it twice. Everything that strikes is what happens on AWS: a process that dies, a table that
is slow, an item that a release can't read.
"""

import os
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field
from threading import RLock
from typing import Any, NoReturn, Self

from edgewise import Item, Key, Millis, Put, Table, TransactionRefusedError, clock
from edgewise.aggregates.carriers.groups import ONE_GROUP, Groups
from edgewise.aggregates.catalog import Catalog
from edgewise.dynamodb.attributes import key_item, key_of, n, string
from edgewise.dynamodb.schema import TTL_ATTRIBUTE
from edgewise.dynamodb.writes import Replacement, Reply
from edgewise.errors import MalformedRecordError
from edgewise.freshness.telling import Teller
from edgewise.stream import changes, invocation, quarantine_keys
from edgewise.stream.changes import Record
from edgewise.stream.invocation import Remaining, shard_of
from functions.faults import noting
from functions.keeping import Keeper
from functions.systems.proof import codec, keys, store
from functions.systems.proof.entity import PAUSE, Asked, Batch, Broken, Done, Fault, Watch


def die() -> NoReturn:
    """End this process as if the machine were gone."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("a killed process goes on")


@dataclass
class AtWork:
    """The batch that an invocation is at work on, what is asked of it, and what has been done to it so far."""

    shard: str
    records: Sequence[Record]
    asked: Asked | None = None
    written: int = 0
    kill: Fault | None = None
    poisoned: set[Key] = field(default_factory=set)

    @property
    def has_changes(self) -> bool:
        """Whether it is worth breaking: there is more than heartbeats in it."""
        return len(self.records) > len(changes.heartbeats(self.records))


class BreakableTable(Table):
    """The table as an invocation sees it, and the catalog by which it reads its batch.

    `die`: what ends the process. Outside an invocation, it is the table as everybody sees it.
    """

    catalog: Catalog
    die: Callable[[], object] = staticmethod(die)
    _work: AtWork | None = None
    _known: Catalog
    _lock: RLock

    def at_work(self, catalog: Catalog, shard: str, records: Sequence[Record]) -> Self:
        """The table for the invocation that begins with this batch."""
        table = copy(self)
        table._work, table._lock, table._known = AtWork(shard, changes.in_order(records)), RLock(), catalog
        table.catalog = copy(catalog)
        table.catalog.decoders = {of: table._unless_poisoned(read) for of, read in catalog.decoders.items()}
        return table

    def end(self) -> None:
        """The batch is in, and its answer would be next."""
        work = self._now
        if work.kill:
            told = "one write: nothing to kill between" if work.written else "no write: nothing to kill between"
            self._claim(work.kill, told)
        fault = self._due("lose answer")
        if fault and self._claim(fault, f"killed after {_writes(work.written)}, before its answer"):
            self.die()

    def get(self, key: Key) -> Item | None:
        """One item; with the register comes what is asked for, once in an invocation."""
        if key != quarantine_keys.REGISTER or self._work is None or self._work.asked:
            return super().get(key)
        found = self.get_many([key, keys.ASKED], consistent=True)
        self._work.asked = codec.asked(found.get(keys.ASKED))
        self._note(found.get(key))
        self._work.kill = self._due("kill")
        if poison := self._due("poison"):
            self._poison(poison)
        return found.get(key)

    def replace(self, replacement: Replacement) -> None:
        """Replace one item, unless the process is killed before that."""
        self._before_write(1)
        super().replace(replacement)

    def replace_many(self, replacements: Sequence[Replacement]) -> list[Reply]:
        """Replace some items; if the process is to be killed between two writes, half of them."""
        if self.statements and len(replacements) > 1:  # else each is replaced by itself
            write = super().replace_many
            self._before_write(len(replacements), lambda half: write(replacements[:half]))
        return super().replace_many(replacements)

    @property
    def is_poisoned(self) -> bool:
        """Whether an item of the batch could not be read because somebody has asked for that."""
        return bool(self._now.poisoned)

    @property
    def _now(self) -> AtWork:
        assert self._work, "only an invocation breaks anything"
        return self._work

    def _before_write(self, number: int, write: Callable[[int], object] = lambda _: None) -> None:
        """Wait, or die between two writes of a batch, if that is asked for."""
        if (work := self._work) is None:
            return
        if work.asked and clock.now() < work.asked.slow_until:
            clock.sleep(PAUSE / 1000)
        with self._lock:  # several threads write, and half of a request may be one write
            before, half = work.written, number // 2
            if work.kill and before + half:
                fault, work.kill = work.kill, None
                if half:
                    write(half)
                if self._claim(fault, f"killed after write {before + half} of {before + number} or more"):
                    self.die()
            work.written += number

    def _due(self, kind: Broken) -> Fault | None:
        work = self._now
        asked = work.asked if work.has_changes else None
        return asked.first((kind,), work.shard, clock.now()) if asked else None

    def _claim(self, fault: Fault, what: str) -> bool:
        """Take a fault from what is asked for, and log it, together; whether nobody else had taken it."""
        while fault in (asked := codec.asked(super().get(keys.ASKED))).faults:
            with suppress(TransactionRefusedError):  # somebody else has asked for something, or has taken it
                self.transact(store.taken(asked, Done(fault, clock.now(), self._now.shard, what)))
                return True
        return False

    def _poison(self, fault: Fault) -> None:
        """Let the first of the batch's items that anything counts be unreadable for this invocation."""
        for record in self._now.records:
            with suppress(MalformedRecordError):
                image = record["dynamodb"].get("NewImage")
                if image and image["Type"]["S"] not in self._known.kinds and changes.effects(self._known, record):
                    named = f"{string(image['Type'])} {key_of(image).pk}, record …{str(changes.number(record))[-5:]}"
                    if self._claim(fault, f"this release can't read {named}"):
                        self._now.poisoned.add(key_of(image))
                    return

    def _unless_poisoned(self, read: Callable[[Item], Any]) -> Callable[[Item], Any]:
        def guarded(item: Item) -> Any:
            poisoned = self._now.poisoned
            if poisoned and key_of(item) in poisoned:
                raise ValueError("somebody has asked that this release can't read it")
            return read(item)

        return guarded

    def _note(self, register: Item | None) -> None:
        """Note the batch, and let a plain ADD count it, before anything of it is written."""
        work, now = self._now, clock.now()
        assert work.asked
        if (watch := work.asked.watched(now)) is None:
            return
        groups = Groups.parse(string(register["Groups"])) if register else ONE_GROUP
        if batch := noting.batch(self._known, groups, work.shard, work.records, watch, now):
            self.write(Put(codec.noted_item(watch.id, batch)))
            if watch.plain:
                self._add_plainly(watch, batch)

    def _add_plainly(self, watch: Watch, batch: Batch) -> None:
        """Count as most people do: by an UpdateItem that adds, for each number that the batch changes."""
        for position, amount in noting.sums(batch).items():
            key = key_item(keys.plain(watch.id, position))
            self.add(addition(key, amount, batch.at))

    def add(self, addition: Mapping[str, Any]) -> None:
        """Send an UpdateItem that adds."""
        response = self.client.update_item(TableName=self.name, ReturnConsumedCapacity="TOTAL", **addition)
        self.usage.count(response, write=True)


def absorb(
    table: BreakableTable,
    catalog: Catalog,
    teller: Teller,
    event: dict[str, Any],
    context: Remaining,
    keeper: Keeper | None = None,
) -> dict[str, Any]:
    """Absorb one batch of one shard, as the consumer does (edgewise/stream/invocation.py), on such a table.

    `keeper` keeps it, unless this release could not read one of its items because of a fault.
    """
    at_work = table.at_work(catalog, shard_of(event), event["Records"])
    if keeper:
        answer = keeper.absorb(at_work.catalog, at_work, teller, event, context, lambda: at_work.is_poisoned)
    else:
        answer = invocation.absorb(at_work.catalog, at_work, teller, shard_of, event, context)
    at_work.end()
    return answer


def addition(key: Item, amount: int, at: Millis) -> Mapping[str, Any]:
    """The request that adds to a plain sum."""
    names: Mapping[str, str] = {"#sum": "Sum", "#type": "Type", "#expiry": TTL_ATTRIBUTE}
    kept = codec.plain_expiry(at)
    values = {":amount": n(amount), ":type": kept["Type"], ":expiry": kept[TTL_ATTRIBUTE]}
    return {
        "Key": key,
        "UpdateExpression": "ADD #sum :amount SET #type = :type, #expiry = :expiry",
        "ExpressionAttributeNames": names,
        "ExpressionAttributeValues": values,
    }


def _writes(number: int) -> str:
    return "one write" if number == 1 else f"{number} writes"
