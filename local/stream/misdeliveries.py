"""What somebody has asked to go wrong with a stream (functions/systems/proof/): it waits, happens, and is written."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import reduce

from delivery import Clock
from edgewise.dynamodb.attributes import key_item
from edgewise.dynamodb.decoding import ForeignItemError, decoded
from edgewise.dynamodb.table import Table, TransactionRefusedError
from edgewise.times import SECOND, Millis
from functions.systems.proof import codec, keys, store
from functions.systems.proof.entity import Asked, Done, Fault, Misdelivered
from local.stream.tail import Form

_KEY = key_item(keys.ASKED)


class Misdeliveries:
    """The faults that wait for a delivery of a table's stream, and those that happened and are to be written.

    They are written once they have happened, so that the log says what did. They happen once all the same: nobody else
    delivers the stream. What is asked for comes by the stream itself, so that nothing is read where nothing is asked.
    """

    def __init__(self, table: Table, clock: Clock, tell: Callable[[str], None]) -> None:
        self._table, self._clock, self._tell = table, clock, tell
        self._asked = Asked()
        self._done: list[Done] = []
        self._outdated: int | None = None

    @property
    def waiting(self) -> Asked:
        """What is asked for and has not happened."""
        return reduce(Asked.without, (each.fault for each in self._done), self._asked)

    def note(self, form: Form) -> None:
        """Take a record of the table, which may tell what is asked for now."""
        change = form["dynamodb"]
        if change["Keys"] != _KEY:
            return
        try:
            told = decoded(codec.asked, change.get("NewImage"))
        except ForeignItemError as error:  # of a release that asks for other things
            self._tell(f"not understood what is asked for: {error}")
            return
        # What this program has written itself, it knows before its record comes. Version 0: the item is removed.
        if told.version > self._asked.version or not told.version:
            self._asked = told

    def due(self, shards: Iterable[str], kinds: Sequence[Misdelivered]) -> Fault | None:
        """The first fault of these kinds that is due in a shard, by its name and those of the shards that it continues.

        What was asked of a shard is still asked of those that it split into.
        """
        waiting, now = self.waiting, self._now()
        found = (waiting.first(tuple(kinds), shard, now) for shard in shards)
        return next((fault for fault in found if fault), None)

    def happened(self, fault: Fault, shard: str, what: str) -> None:
        """A fault has happened in a shard; `what`: in words."""
        self._done.append(Done(fault, self._now(), shard, what))

    def write(self) -> None:
        """Write down what has happened; raises botocore's errors and PassingError.

        If somebody has asked for something else meanwhile, the record of that is on its way: it is tried again then.
        """
        while self._done and self._asked.version != self._outdated:
            done, known = self._done[0], self._asked
            try:
                self._table.transact(store.taken(known, done))
            except TransactionRefusedError:
                self._outdated = known.version
            else:
                self._done.pop(0)
                self._asked = replace(known.without(done.fault), version=known.version + 1)

    def _now(self) -> Millis:
        return int(self._clock.now * SECOND)
