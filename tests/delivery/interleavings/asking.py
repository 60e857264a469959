"""A table whose requests are answered from a list; who asks for more than that stands there."""

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

from edgewise.dynamodb.attributes import Item, key_of
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.queries import Page, Query
from edgewise.dynamodb.table import Table
from edgewise.dynamodb.usage import Usage
from edgewise.dynamodb.writes import Action, Write
from functions.replay.memory import target


@dataclass(frozen=True)
class Request:
    """One request: the table's method and its arguments."""

    method: str
    arguments: tuple[Any, ...]

    @property
    def writes(self) -> bool:
        """Whether it may change the table."""
        return self.method in ("write", "transact", "put_many")

    @property
    def written(self) -> list[Key]:
        """What it may change, in this order."""
        match self.method, self.arguments:
            case "write", (write,):
                return [target(write)]
            case "transact", (actions,):
                return [target(action) for action in actions]
            case "put_many", (items,):
                return [key_of(item) for item in items]
            case _:
                return []


@dataclass(frozen=True)
class Answer:
    """What a request came to: a value, or an error that is raised."""

    value: Any = None
    error: Exception | None = None

    def given(self) -> Any:
        """The value, or the error raised: a copy, since programs may do with it as they like."""
        if self.error is not None:
            raise pickle.loads(self._packed)
        return pickle.loads(self._packed)

    @cached_property
    def _packed(self) -> bytes:
        return pickle.dumps(self.error or self.value)


class StandsError(BaseException):
    """The program has come to a request without an answer. No part of it may take this for a fault of its own."""

    def __init__(self, request: Request) -> None:
        super().__init__(request.method)
        self.request = request


class AskingTable(Table):
    """Gives the answers in their order."""

    def __init__(self, answers: Sequence[Answer]) -> None:
        self.name, self.usage = "Memory", Usage()
        self._answers: Iterator[Answer] = iter(answers)

    def ask(self, method: str, *arguments: Any) -> Any:
        """The next answer; raises StandsError if there is none."""
        answer = next(self._answers, None)
        if answer is None:
            self._stand(Request(method, arguments))
        return answer.given()

    def query(self, query: Query) -> Page:
        return self.ask("query", query)  # type: ignore[no-any-return]

    def get(self, key: Key) -> Item | None:
        return self.ask("get", key)  # type: ignore[no-any-return]

    def get_many(self, wanted: Sequence[Key], *, consistent: bool = False) -> dict[Key, Item]:
        return self.ask("get_many", tuple(wanted))  # type: ignore[no-any-return]

    def put_many(self, items: Sequence[Item]) -> None:
        self.ask("put_many", list(items))

    def write(self, write: Write) -> None:
        self.ask("write", write)

    def transact(self, actions: Sequence[Action]) -> None:
        self.ask("transact", tuple(actions))

    def _stand(self, request: Request) -> NoReturn:
        raise StandsError(request)
