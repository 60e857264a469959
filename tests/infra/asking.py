"""A table in memory that remembers who asked it for what, as IAM would see it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import local
from typing import Any

from edgewise.dynamodb.attributes import Item, key_of
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.queries import Page, Query
from edgewise.dynamodb.writes import Action, Check, Put, Replacement, Reply, Write
from functions.replay.memory import target
from tests.delivery.simulated import SimulatedMemory
from tests.infra.iam import Request


@dataclass
class Asked:
    """What each function asked for. `asker` is the function that runs now; None: the test itself."""

    requests: dict[str, set[Request]] = field(default_factory=dict)
    asker: str | None = None

    @contextmanager
    def by(self, asker: str | None) -> Iterator[None]:
        """Meanwhile this function runs, then again the one that ran before."""
        before, self.asker = self.asker, asker
        try:
            yield
        finally:
            self.asker = before

    def wrapped(self, asker: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, known as this asker."""

        def call(*arguments: Any, **named: Any) -> Any:
            with self.by(asker):
                return function(*arguments, **named)

        return call


def _statement(replacement: Replacement) -> str:
    return "PartiQLInsert" if replacement.former is None else "PartiQLUpdate"


def _action(action: Action) -> str:
    return "PutItem" if isinstance(action, Put) else "ConditionCheckItem" if isinstance(action, Check) else "DeleteItem"


class AskedTable(SimulatedMemory):
    """What the table does beneath an operation, such as reading what its stream will tell, nobody asked for."""

    def __init__(self, asked: Asked, shards: int = 2) -> None:
        super().__init__(shards)
        self.asked, self._beneath = asked, local()

    def query(self, query: Query) -> Page:
        resource = f"table/index/{query.index.name}" if query.index else "table"
        with self._noted(Request("Query", (query.partition,), resource)):
            return super().query(query)

    def get(self, key: Key) -> Item | None:
        with self._noted(Request("GetItem", (key.pk,))):
            return super().get(key)

    def get_many(self, wanted: Sequence[Key], *, consistent: bool = False) -> dict[Key, Item]:
        with self._noted(*([Request("BatchGetItem", _partitions(wanted))] if wanted else ())):
            return super().get_many(wanted, consistent=consistent)

    def replace_many(self, replacements: Sequence[Replacement]) -> list[Reply]:
        if not self.statements or len(replacements) == 1:
            return super().replace_many(replacements)
        asked = {(_statement(each), (key_of(each.item).pk,)) for each in replacements}
        with self._noted(*(Request(*each) for each in asked)):
            return super().replace_many(replacements)

    def put_many(self, items: Sequence[Item]) -> None:
        with self._noted(Request("BatchWriteItem", _partitions(map(key_of, items)))):
            super().put_many(items)

    def write(self, write: Write) -> None:
        with self._noted(Request(_action(write), (target(write).pk,))):
            super().write(write)

    def transact(self, actions: Sequence[Action]) -> None:
        """Each action is asked for with the keys of all: whichever way AWS looks at it, it is allowed."""
        keys = _partitions(map(target, actions))
        with self._noted(*(Request(_action(action), keys) for action in actions)):
            super().transact(actions)

    @contextmanager
    def _noted(self, *requests: Request) -> Iterator[None]:
        beneath = getattr(self._beneath, "one", False)
        if self.asked.asker and not beneath:
            self.asked.requests.setdefault(self.asked.asker, set()).update(requests)
        self._beneath.one = True
        try:
            yield
        finally:
            self._beneath.one = beneath


def _partitions(keys: Any) -> tuple[str, ...]:
    return tuple(sorted({key.pk for key in keys}))
