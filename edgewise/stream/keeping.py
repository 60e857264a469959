"""Notes what a batch reads and writes, so that another release can compute it again without the table.

An aggregate is decided by what was read last before it was replaced: so that is kept, and what was read for tries that
were refused is not. If somebody else wrote an item between two writes of the batch, no one state of the table explains
both: then nothing is kept. Nor if a try was refused, and something was put whatever was there: it may have been for
that try alone.
"""

from collections.abc import Callable, Iterator, Sequence
from threading import Lock

from edgewise.dynamodb.attributes import Item, key_of
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.queries import Page, Query
from edgewise.dynamodb.table import RefusedError, Table, TransactionRefusedError
from edgewise.dynamodb.writes import Action, Check, Put, Replacement, Reply, Write
from edgewise.stream import again
from edgewise.stream.again import Reread, Rereading, Until
from edgewise.stream.changes import Record

# A batch that recounts much reads so many items that to keep them takes more memory than the function has.
MOST_ITEMS = 20_000


class NotedTable(Table):
    """A table for one batch, through which its requests go to the one that is given.

    `read`: each item as it was before the batch's own writes, None: there was none. `written`: as the batch left it.
    """

    def __init__(self, of: Table) -> None:
        self.name, self.usage, self.statements, self.consistent = of.name, of.usage, of.statements, of.consistent
        self.read: dict[Key, Item | None] = {}
        self.written: dict[Key, Item | None] = {}
        self._torn, self._refused, self._ahead = "", False, False
        self._of, self._lock = of, Lock()

    @property
    def torn(self) -> str:
        """Why no one state of the table explains the batch; empty if one does."""
        return self._torn or ("a try was refused that may have put something" if self._refused and self._ahead else "")

    def query(self, query: Query) -> Page:
        """One page of the table itself: what an index has of an item is not the item."""
        page = self._of.query(query)
        if query.index is not None:
            self._torn = f"it asked {query.index.name}"
            return page
        for item in page.items:
            self._has_read(key_of(item), item)
        return page

    def get(self, key: Key) -> Item | None:
        """One item."""
        item = self._of.get(key)
        self._has_read(key, item)
        return item

    def get_many(self, wanted: Sequence[Key], *, consistent: bool = False) -> dict[Key, Item]:
        """The items that exist under these keys."""
        found = self._of.get_many(wanted, consistent=consistent)
        for key in wanted:
            self._has_read(key, found.get(key))
        return found

    def put_many(self, items: Sequence[Item]) -> None:
        """Write items, whatever is there."""
        self._of.put_many(items)
        for item in items:
            self._has_written(key_of(item), item)

    def replace(self, replacement: Replacement) -> None:
        """Replace one item; raises RefusedError."""
        try:
            self._noting_refusal(key_of(replacement.item), lambda: self._of.replace(replacement))
        except RefusedError:
            self._refused = True
            raise
        self._has_replaced(replacement)

    def replace_many(self, replacements: Sequence[Replacement]) -> list[Reply]:
        """Replace items, each on its own."""
        found = self._of.replace_many(replacements)
        for replacement, reply in zip(replacements, found, strict=True):
            if reply is Reply.TAKEN:
                self._has_replaced(replacement)
            self._refused |= reply is Reply.REFUSED
        return found

    def write(self, write: Write) -> None:
        """One put or delete; raises RefusedError."""
        self._noting_refusal(_key(write), lambda: self._of.write(write))
        self._has_done(write)
        self._ahead |= write.condition is None

    def transact(self, actions: Sequence[Action]) -> None:
        """All of these, or none; raises TransactionRefusedError."""
        try:
            self._of.transact(actions)
        except TransactionRefusedError as refusal:
            for position, item in refusal.found.items():
                self._has_read(_key(actions[position]), item)
            raise
        for action in actions:
            self._has_done(action)

    def _noting_refusal(self, key: Key, write: Callable[[], None]) -> None:
        try:
            write()
        except RefusedError as refusal:
            self._has_read(key, refusal.item)
            raise

    def _has_done(self, action: Action) -> None:
        if not isinstance(action, Check):
            self._has_written(_key(action), action.item if isinstance(action, Put) else None)

    def _has_replaced(self, replacement: Replacement) -> None:
        key = key_of(replacement.item)
        self._has_read(key, replacement.former)
        self._has_written(key, replacement.item)

    def _has_read(self, key: Key, item: Item | None) -> None:
        with self._lock:
            if len(self.read) >= MOST_ITEMS:
                self._torn = f"it reads {MOST_ITEMS} items or more"
                self.read.clear()
            if self._torn:
                return
            if key not in self.written:
                self.read[key] = item
            elif self.written[key] != item:
                self._torn = f"somebody else wrote {key.pk} {key.sk} meanwhile"

    def _has_written(self, key: Key, item: Item | None) -> None:
        with self._lock:
            if not self._torn:
                self.read.setdefault(key, None)
                self.written[key] = item


class NotedRereading:
    """What a batch read of its stream besides, by shard and by the number behind which it read; in these calls' order.

    `parents`: the shards that others continue, by these others.
    """

    def __init__(self) -> None:
        self.records: dict[tuple[str, int | None], list[Record]] = {}
        self.parents: dict[str, str | None] = {}
        self._of = again.FROM_STREAM

    @property
    def noting(self) -> Rereading:
        """What reads shards again, and is noted."""
        return Rereading(self._behind, self._parent)

    def _behind(self, arn: str, shard_id: str, may_go_on: Callable[[], bool]) -> Reread:
        reread = self._of.behind(arn, shard_id, may_go_on)

        def read(after: int | None, until: Until) -> Iterator[Record]:
            found = self.records[shard_id, after] = []
            for record in reread(after, until):
                found.append(record)
                yield record

        return read

    def _parent(self, arn: str, shard_id: str) -> str | None:
        self.parents[shard_id] = self._of.parent(arn, shard_id)
        return self.parents[shard_id]


def _key(action: Action) -> Key:
    return key_of(action.item) if isinstance(action, Put) else action.key
