"""An access pattern: the route, an example of its use, the requests that it sends and what they cost."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from edgewise.dynamodb.keys import Key, Partitions
from edgewise.dynamodb.queries import Query
from edgewise.dynamodb.table import Table
from functions import directory


@dataclass(frozen=True)
class BatchGet:
    """One BatchGetItem; strongly consistent reads cost twice as much."""

    keys: Sequence[Key]
    consistent: bool = False


Request = Query | Key | BatchGet  # a key alone is a GetItem


def nothing(_: Table) -> None:
    """Store nothing: the example needs no data."""


@dataclass(frozen=True)
class Read:
    """A read route, an example of its use, the requests it sends and the read units they take.

    `units` are those of the example on what `given` stores (as DynamoDB Local reports them); `bound` says how many
    requests there can be where that depends on the data. `kept` says what its entries cost when something is written.
    `user` and `groups` are the caller's.
    """

    question: str
    route: str
    path: Mapping[str, str]
    query: Mapping[str, str]
    requests: Sequence[Request]
    units: float
    given: Callable[[Table], None] = nothing
    bound: str = ""
    kept: str = ""
    user: str = "amy"
    groups: tuple[str, ...] = ()


def directory_read(question: str, route: str, of: Partitions, given: Callable[[Table], None], new: str) -> Read:
    """A read of all entities with these partitions; `new`: what costs a write when it is stored, in words."""
    return Read(question, route, {}, {}, [directory.entries(of)], units=0.5, given=given, kept=f"1 for {new}")


@dataclass(frozen=True)
class Write:
    """A write route, an example, the operations it sends, and its write units in words.

    `operations` counts requests by their name in the DynamoDB API.
    """

    what: str
    route: str
    path: Mapping[str, str]
    body: Any
    operations: Mapping[str, int]
    units: str
    given: Callable[[Table], None] = nothing
    user: str = "amy"
    groups: tuple[str, ...] = field(default=("write",))
    headers: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
