"""Contents of the table, each with a number, and what requests make of them; nothing is done twice."""

from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.schema import INDEXES, PARTITION_KEY
from edgewise.dynamodb.table import RefusedError, TransactionRefusedError
from functions.replay.memory import MemoryTable
from tests.delivery.interleavings.asking import Answer, Request

T = TypeVar("T")
Content = dict[Key, Item]
# What is read or written: an item; or a partition of the table or an index, by the name and value of its key.
Place = Key | tuple[str, str]
_PARTITION_KEYS = (PARTITION_KEY, *(index.partition_key for index in INDEXES))


class Numbered(Generic[T]):
    """Gives equal things equal numbers, from 0 on."""

    def __init__(self) -> None:
        self.all: list[T] = []
        self._numbers: dict[Hashable, int] = {}

    def number(self, thing: T, key: Hashable) -> int:
        """The number of a thing; `key` is the same for equal things only."""
        number = self._numbers.setdefault(key, len(self.all))
        if number == len(self.all):
            self.all.append(thing)
        return number


class AssumedError(Exception):
    """Something was written that had been taken for constant."""


class Tables:
    """The tables met so far. `contents`, `requests` and `answers` give what a number stands for.

    What nobody in a scenario writes is constant, and reading it is no moment of a history's: whether others did
    something before it or after it, all is the same. What is constant is assumed until it is written.
    """

    def __init__(self) -> None:
        self.contents = Numbered[Content]()
        self.requests = Numbered[Request]()
        self.answers = Numbered[Answer]()
        self._items = Numbered[Item]()
        self._done: dict[tuple[int, int], tuple[int, int]] = {}
        self._written: set[Place] = set()
        self._assumed: set[Place] = set()

    def table(self, content: Content) -> int:
        """The number of a content, whatever the order of its items."""
        return self.contents.number(content, frozenset((key, self._item(item)) for key, item in content.items()))

    def request(self, request: Request) -> int:
        """The number of a request."""
        return self.requests.number(request, repr(request))

    def answer(self, answer: Answer) -> int:
        """The number of an answer."""
        error = answer.error
        return self.answers.number(answer, repr(answer.value) if error is None else (repr(error), repr(vars(error))))

    def do(self, table: int, request: int) -> tuple[int, int]:
        """The table after a request, and its answer."""
        done = self._done.get((table, request))
        if done is None:
            done = self._done[table, request] = self._do(table, self.requests.all[request])
        return done

    def changed(self, table: int, key: Key, item: Item | None) -> int:
        """The table after an item was put, or taken out (None)."""
        before = self.contents.all[table]
        rest = {k: i for k, i in before.items() if k != key}
        return self._after(before, rest if item is None else rest | {key: item})

    def constant(self, request: int) -> bool:
        """Whether a request only reads what nobody writes; AssumedError is raised should somebody do so later."""
        places = _read(self.requests.all[request])
        if not places or not self._written.isdisjoint(places):
            return False
        self._assumed |= places
        return True

    def forget_assumed(self) -> None:
        """Begin anew, knowing more of what is written."""
        self._assumed.clear()

    def _do(self, table: int, request: Request) -> tuple[int, int]:
        memory, before = MemoryTable(), self.contents.all[table]
        memory.items = dict(before)
        try:
            answer = Answer(getattr(memory, request.method)(*request.arguments))
        except (RefusedError, TransactionRefusedError) as error:
            answer = Answer(error=error)
        return self._after(before, memory.items) if request.writes else table, self.answer(answer)

    def _after(self, before: Content, after: Content) -> int:
        changed = [key for key in before.keys() | after.keys() if before.get(key) is not after.get(key)]
        self._written.update(place for key in changed for place in _of(key, before.get(key), after.get(key)))
        if not self._assumed.isdisjoint(self._written):
            raise AssumedError
        return self.table(after)

    def _item(self, item: Item) -> int:
        return self._items.number(item, repr(item))


def _read(request: Request) -> set[Place]:
    """What a request reads; nothing if it does more than that."""
    match request:
        case Request("get", (key,)):
            return {key}
        case Request("get_many", (wanted,)):
            return set(wanted)
        case Request("query", (query,)):
            return {(query.partition_key, query.partition)}
        case _:
            return set()


def _of(key: Key, *images: Item | None) -> Iterator[Place]:
    """The item's own place, and those of the table's and the indexes' partitions in which it is or was."""
    yield key
    for image in images:
        yield from ((name, image[name]["S"]) for name in _PARTITION_KEYS if image and name in image)
