"""Indexing: what hints name is read from the table as it is now, and that is what the index says of it."""

import uuid
from collections.abc import Iterable, Mapping, Set
from typing import NamedTuple, Protocol

from edgewise import Key, Table, clock
from functions.search import withdrawals
from functions.search.engine import FORM, Address, Changes
from functions.search.hints import HintQueue, Message, Rebuild
from functions.search.reading import things
from functions.search.watched import Watched


class Index(Protocol):
    """What an index is to its writer: generations, of which one answers while another may be filled."""

    def building(self) -> str | None:
        """The generation that is being filled, read anew."""

    def outdated(self) -> str | None:
        """The generation that answers, if it is of another form, as last read: nothing is written to it."""

    def apply(self, changes: Changes, begins: str | None, ends: str | None, at: int) -> Set[Address]:
        """Begin a generation, write changes to all of this form, let the one that is full answer.

        `at`: not later than they were read. Returns what the index refuses; of that it then knows nothing.
        """

    def show(self) -> None:
        """Let searches that begin from now on see what was written."""


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
        hinted, after = dict[Address, None](), [_in_place_of(outdated)] if outdated and building is None else []
        for each in messages:
            if not isinstance(each, Rebuild):
                hinted |= dict.fromkeys(each)
                continue
            if each.after is None and each.generation != building:
                building, begins, ends, after = each.generation, each.generation, None, []
            if each.generation == building:
                found, key = self._table.keys_after(each.after)
                hinted |= dict.fromkeys(address for item in found for address in self._watched.told_by(item))
                after = [Rebuild(each.generation, key)] if key else after
                ends = ends if key else each.generation
        notes = self._noted(hinted)
        at = clock.now()
        read = list(things(self._table, self._watched, self._known([*hinted, *notes.values()])))
        refused = self._index.apply({each.address: each.contents for each in read}, begins, ends, at)
        if notes:
            self._settle(notes, answers=not outdated)
        for wanted in after:
            self._queue.rebuild(wanted)
        return Indexed(len(read), len(refused) + sum(not each.clear for each in read))

    def _noted(self, hinted: Iterable[Address]) -> Mapping[Key, Address]:
        """The notes among what is hinted at, each with the thing that was withdrawn, if this release knows its kind."""
        notes = [each.key for each in hinted if each.kind == withdrawals.TYPE]
        found = withdrawals.noted(self._table, notes) if notes else {}
        return {key: thing for key, thing in found.items() if thing.kind in self._watched.kinds}

    def _known(self, hinted: Iterable[Address]) -> list[Address]:
        """The things among what is hinted at, each once; a release that knows more kinds may have sent the hints."""
        return [each for each in dict.fromkeys(hinted) if each.kind in self._watched.kinds]

    def _settle(self, notes: Mapping[Key, Address], *, answers: bool) -> None:
        """Remove notes once searches see what was written. They do if the index that `answers` was written to.

        If not, the notes are hinted at again, until the one that is being filled answers.
        """
        if answers:
            self._index.show()
            withdrawals.remove(self._table, list(notes))
        else:
            self._queue.send([Address(withdrawals.TYPE, key) for key in notes])


def _in_place_of(outdated: str) -> Rebuild:
    """Always the same one, because it may be asked for with each batch until it begins."""
    return Rebuild(uuid.uuid5(uuid.NAMESPACE_OID, f"{FORM} in place of {outdated}").hex)
