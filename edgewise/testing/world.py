"""A table as its owner's test has it: plain values, all that may happen to its stream, and in the end a plain count."""

import io
import itertools
import logging
import secrets
import warnings
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, redirect_stdout
from datetime import UTC, datetime
from random import Random
from types import TracebackType
from typing import Any, Self

from boto3.dynamodb.types import TypeSerializer
from moto import mock_aws

from delivery import HOSTILE, Faults
from edgewise.aggregates.catalog import DeclarationError
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.existing import MAP
from edgewise.dynamodb.table import Table
from edgewise.observability import logger, metrics
from edgewise.own.freshness import Freshness
from edgewise.testing.comparing import TOLD, disagreements
from edgewise.testing.delivered import Delivered, environment
from edgewise.testing.requests import Indexes
from edgewise.views.view import View

# Whatever points clients at other places, and what opens nothing.
_NOWHERE: Mapping[str, str | None] = {
    **{"AWS_PROFILE": None, "AWS_ENDPOINT_URL": None, "AWS_ENDPOINT_URL_DYNAMODB": None, "AWS_SESSION_TOKEN": None},
    **{"AWS_DEFAULT_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"},
    # What the consumer measures of itself goes nowhere.
    **{"POWERTOOLS_METRICS_DISABLED": "true", "POWERTOOLS_METRICS_NAMESPACE": "Edgewise"},
}
# How many deliveries are made at most between two changes; how many lines of a log, and what is wrong, are told.
_MEANWHILE, _LINES, _FOUND = 3, 20, 10


class WrongError(AssertionError):
    """A view does not say what a plain count of the items says."""


class _Quiet(Delivered):
    """A table whose consumer tells nobody what it has measured of itself."""

    def _handle(self, event: Any, context: Any) -> Any:
        with _untold():
            return super()._handle(event, context)

    def command(self, steps: int = 1000, **command: Any) -> Any:
        with _untold():
            return super().command(steps, **command)


class World:
    """Somebody's table with the views of its items; a context manager, within which no other one may be.

    `views`: what the consumer keeps, of one table. It is in memory, or where DynamoDB answers at `endpoint`, and has
    these `indexes`: of each, the forms of its keys by name. What happens follows from `seed`: what is delivered twice,
    late or in part, which of the consumer's processes die, which writes are throttled, as often as `faults` says. While
    the block runs, the engine has the time of this world, which passes only as the stream needs it, and with `wait`.
    """

    def __init__(
        self,
        *views: type[View],
        seed: int = 0,
        faults: Faults = HOSTILE,
        indexes: Indexes | None = None,
        endpoint: str | None = None,
    ) -> None:
        if not views:
            raise DeclarationError("World needs the views that it is to keep: World(Customers, ...)")
        self.views, self.seed, self._faults = views, seed, faults
        self._indexes, self._endpoint = indexes, endpoint
        self._random = Random(f"{seed} meanwhile")
        self._stack = ExitStack()
        self._made: Delivered | None = None

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            if self._endpoint is None:
                stack.enter_context(mock_aws())
            stack.enter_context(environment(_NOWHERE))
            stack.enter_context(_terse())
            self._made = self._table(stack)
            stack.enter_context(self._made.surrounded())
            self._made.deploy(*self.views)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if error is not None:
            error.add_note(self._story())
        self._stack.close()

    @property
    def table(self) -> Table:
        """The table, from which rows are read."""
        return self._shop.table

    @property
    def now(self) -> datetime:
        """The time in this world, in UTC."""
        return datetime.fromtimestamp(self._shop.clock.now, UTC)

    @property
    def items(self) -> list[Item]:
        """The items that its owner has in the table, as DynamoDB sends them."""
        return self._shop.all(lambda item: MAP not in item)

    @property
    def log(self) -> list[str]:
        """The last invocations of the consumer, each with what struck it and how it ended."""
        return [str(each) for simulator in self._shop.simulators for each in simulator.history.entries]

    def put(self, item: Mapping[str, Any]) -> None:
        """The owner puts an item of plain Python values; numbers are int or Decimal."""
        self._shop.owner.put_item(TableName=self._shop.name, Item=_typed(item))
        self._meanwhile()

    def delete(self, key: Mapping[str, Any]) -> None:
        """The owner removes the item with this key; other attributes may stand beside it."""
        self._shop.owner.delete_item(TableName=self._shop.name, Key=self._key(key))
        self._meanwhile()

    def expire(self, key: Mapping[str, Any]) -> None:
        """The table's time to live removes the item with this key."""
        self._shop.expire(self._key(key))
        self._meanwhile()

    @contextmanager
    def before(self) -> Iterator[None]:
        """What is put inside was there before the consumer: views have it by a backfill only."""
        with self._shop.before():
            yield

    def deploy(self, *views: type[View]) -> None:
        """Let the next release, with these views, take over."""
        self.views = views
        self._shop.deploy(*views)

    def wait(self, seconds: float) -> None:
        """Let time pass; nothing is delivered in it."""
        self._shop.wait(seconds)

    def step(self) -> None:
        """Let the stream be delivered a little further."""
        self._shop.step()

    def deliver(self) -> None:
        """Deliver all that was written, and what the engine writes for it; raises EndlessError if that has no end."""
        self._shop.drain()

    def beat(self) -> Freshness:
        """Deliver all, and send heartbeats, if the table has them; returns what `fresh=` of a reader takes.

        Where the engine's items are apart there are no heartbeats: that all is delivered is known otherwise.
        """
        self.deliver()
        return self._shop.beat() if self._shop.own.has_room else TOLD

    def command(self, do: str, **command: Any) -> Any:
        """What the function for operators answers to a command (docs/own-table.md), such as `list` or `apply`."""
        return self._shop.command(do=do, **command)

    def check(self) -> None:
        """Deliver all; then each row must be what a plain GROUP BY of the items says, and complete.

        So must lists of groups, rankings, and different values. Raises WrongError, with what is wrong and what has
        happened.
        """
        fresh = self.beat()
        if found := list(itertools.islice(self._wrong(fresh), _FOUND)):
            raise WrongError("\n".join(found))

    def _wrong(self, fresh: Freshness) -> Iterator[str]:
        if any(simulator.forgotten for simulator in self._shop.simulators):
            yield "records were not delivered for a day, so the stream has forgotten them: deliver before you wait"
        aside = self.command("list")["records"]
        yield from (f"a record is set aside: {each['error']}" for each in aside)
        items = self.items
        for view in self.views if not aside else ():
            yield from disagreements(view.declared, self.table, items, fresh)

    @property
    def _shop(self) -> Delivered:
        if self._made is None:
            raise RuntimeError("a world is there within a block: with World(...) as world")
        return self._made

    def _table(self, stack: ExitStack) -> Delivered:
        """The table, which is removed in the end."""
        own = self.views[0].declared.table
        made = _Quiet(
            own, self.seed, self._faults, self._indexes, name=f"world-{secrets.token_hex(4)}", endpoint=self._endpoint
        )
        for name in made.streams:
            stack.callback(made.owner.delete_table, TableName=name)
        return made

    def _key(self, item: Mapping[str, Any]) -> Item:
        return _typed({name: item[name] for name in self._shop.keys})

    def _meanwhile(self) -> None:
        for _ in range(self._random.randint(0, _MEANWHILE)):
            self._shop.step()

    def _story(self) -> str:
        """What a failed test shows."""
        if self._made is None:
            return f"World(seed={self.seed})"
        lines = self.log
        return "\n".join([f"World(seed={self.seed}), the last of {len(lines)} invocations:", *lines[-_LINES:]])


def _typed(item: Mapping[str, Any]) -> Item:
    serializer = TypeSerializer()
    return {name: serializer.serialize(value) for name, value in item.items()}


@contextmanager
def _untold() -> Iterator[None]:
    try:
        with redirect_stdout(io.StringIO()):
            yield
    finally:
        metrics.clear_metrics()


@contextmanager
def _terse() -> Iterator[None]:
    """The consumer logs warnings only, and nobody is told that an invocation has measured nothing of itself."""
    level = logger.log_level
    logger.setLevel(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "No application metrics to publish")
            yield
    finally:
        logger.setLevel(level)
