"""Indexing: what hints name is read from the table as it is now, and that is what the index says of it."""

import uuid
from collections.abc import Iterable, Set
from typing import NamedTuple, Protocol

from edgewise import Table, clock
from functions.search.engine import FORM, Address, Changes
from functions.search.hints import HintQueue, Message, Rebuild
from functions.search.reading import things
from functions.search.watched import Watched


class Index(Protocol):
    """What an index is to its writer: generations, of which one answers while another may be filled."""

    def building(self) -> str | None:
        """The generation that is being filled, read anew."""

    def outdated(self) -> str | None:
        """The generation that answers, if it is of another form and none of this one is being filled, as last read."""

    def apply(self, changes: Changes, begins: str | None, ends: str | None, at: int) -> Set[Address]:
        """Begin a generation, write changes to all of this form, let the one that is full answer.

        `at`: not later than they were read. Returns what the index refuses; of that it then knows nothing.
        """


class Indexed(NamedTuple):
    """What was done: how many things were read, how many of them can't be understood or indexed: nobody finds these."""

    things: int
    set_aside: int


class Indexer:
    """Takes messages of the queue, each whole or not at all: whatever fails is delivered again."""

    def __init__(self, table: Table, watched: Watched, index: Index, queue: HintQueue) -> None:
        self._table, self._watched, self._index, self._queue = table, watched, index, queue

    def take(self, messages: Iterable[Message]) -> Indexed:
        """Index what the messages name; a rebuild asks for its own next part.

        An index that another release has made is filled anew.
        """
        building, begins, ends = self._index.building(), None, None
        outdated = self._index.outdated()
        addresses, after = dict[Address, None](), [_in_place_of(outdated)] if outdated else []
        for each in messages:
            if not isinstance(each, Rebuild):
                # A release that knows more kinds, or fewer, may have sent it.
                addresses |= dict.fromkeys(address for address in each if address.kind in self._watched.kinds)
                continue
            if each.after is None and each.generation != building:
                building, begins, ends, after = each.generation, each.generation, None, []
            if each.generation == building:
                found, key = self._table.keys_after(each.after)
                addresses |= dict.fromkeys(address for item in found for address in self._watched.told_by(item))
                after = [Rebuild(each.generation, key)] if key else after
                ends = ends if key else each.generation
        at = clock.now()
        read = list(things(self._table, self._watched, list(addresses)))
        refused = self._index.apply({each.address: each.contents for each in read}, begins, ends, at)
        for wanted in after:
            self._queue.rebuild(wanted)
        return Indexed(len(read), len(refused) + sum(not each.clear for each in read))


def _in_place_of(outdated: str) -> Rebuild:
    """Always the same one, because it may be asked for with each batch until it begins."""
    return Rebuild(uuid.uuid5(uuid.NAMESPACE_OID, f"{FORM} in place of {outdated}").hex)
