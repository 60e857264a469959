"""The methods of maintaining the same numbers, by name: each makes a batch handler for a table."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from benchmarks import engine
from benchmarks.baselines import add, checkpointed, coalesced, idempotent, ledger, ours
from benchmarks.baselines.add import Handler
from benchmarks.baselines.increments import Increments, both_ends, everything
from edgewise.dynamodb.table import Table

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


@dataclass(frozen=True)
class Method:
    """One method: `handler` opens it on a table, which it uses through the client that `client` makes.

    `at_once`: measured with one invocation per shard at a time; otherwise with one invocation at a time. `mirrored`: it
    counts edges at their targets by mirrors; otherwise one record says both.
    """

    handler: Callable[[Table], AbstractContextManager[Handler]]
    client: Callable[[], "DynamoDBClient"]
    at_once: bool = False
    mirrored: bool = False

    def table(self, name: str) -> Table:
        """A new table for the method."""
        return engine.create(name, self.client())


# The cost of these does not depend on the batch size.
ONE_BY_ONE: Mapping[str, Callable[[Table, Increments], Handler]] = {
    "`ADD` per record": add.handler,
    "Powertools per record": idempotent.handler,
    "ledger per record": ledger.handler,
}
# The cost of these does.
COALESCED, CHECKPOINTED = "coalesced `ADD`", "coalesced `ADD` with checkpoints"
BY_BATCH: Mapping[str, Callable[[Table, Increments], Handler]] = {
    COALESCED: coalesced.handler,
    CHECKPOINTED: checkpointed.handler,
}
UNRANKED = Method(lambda table: ours.handler(table, ranked=False), engine.client, mirrored=True)
EVERYTHING = Method(lambda table: ours.handler(table, ranked=True), engine.client, mirrored=True)
OURS, AT_ONCE = "ours", "ours, shards at once"
RANKED, RANKED_AT_ONCE = "ours, ranked twice", "ours, ranked twice, shards at once"
RANKINGS = (RANKED, RANKED_AT_ONCE)


def of_edges() -> dict[str, Method]:
    """Every method of counting the edges of a graph's nodes and adding up their weights, by direction."""
    plain = {OURS: UNRANKED, AT_ONCE: replace(UNRANKED, at_once=True)}
    ranked = {RANKED: EVERYTHING, RANKED_AT_ONCE: replace(EVERYTHING, at_once=True)}
    return _baselines(both_ends) | plain | ranked


def of_items() -> dict[str, Method]:
    """The baselines for everything that a record feeds."""
    return _baselines(everything)


def _baselines(increments: Increments) -> dict[str, Method]:
    return {name: _with(make, increments) for name, make in {**ONE_BY_ONE, **BY_BATCH}.items()}


def _with(make: Callable[[Table, Increments], Handler], increments: Increments) -> Method:
    @contextmanager
    def method(table: Table) -> Iterator[Handler]:
        yield make(table, increments)

    return Method(method, engine.plain_client)
