"""One system's part of a run: the requests, the expected numbers, how to read them, how to remove the data."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ops.recounting.facts import Name
from verify.facts import Check


@dataclass(frozen=True)
class Request:
    """One request, sent so many `times`. `accepted`: how many of its items must be taken, if it has several."""

    method: str
    path: tuple[str, ...]
    body: dict[str, Any] | None = None
    accepted: int | None = None
    times: int = 1
    headers: dict[str, str] | None = None


@dataclass(frozen=True)
class Left:
    """Data that no request of the API removes: its name, its number, and its partitions."""

    what: str
    count: int
    where: str


@dataclass(frozen=True)
class Share:
    """One system's part of a run.

    `rounds` follow each other; what is in one is sent side by side, in any order, together with the other shares'
    rounds of the same number. `queued` are bodies for the queue, each of which is sent twice. `checks` and `recounts`
    are about what must be there after the last round; `recounts` are named as for `make redrive DO="recount ..."`.
    """

    name: str
    rounds: Sequence[Sequence[Request]]
    checks: Sequence[Check]
    recounts: Sequence[Name]
    queued: Sequence[dict[str, Any]] = ()
    removal: Sequence[Request] = ()
    left: Sequence[Left] = ()

    @property
    def writes(self) -> int:
        """How many items are sent, repeated ones each time."""
        posted = sum(times(request) for requests in self.rounds for request in requests)
        return posted + sum(2 * len(body["events"]) for body in self.queued)


def times(request: Request) -> int:
    """How many items a request sends, over all repetitions."""
    return request.times * (1 if request.accepted is None else request.accepted)
