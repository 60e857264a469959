"""The Lambda function that keeps the aggregates of a table that was there before.

It is one function for all that keeping them takes: the table's stream invokes it, EventBridge for records that the
mapping gave up, and a schedule for sweeping. What operators ask for, a second function does: whoever may invoke the one
that reads the stream may not discard, repair or mark anything.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Protocol

from edgewise.aggregates.catalog import Catalog, DeclarationError
from edgewise.aggregates.checkpoints import shard_name
from edgewise.aggregates.kinds import Kind
from edgewise.clock import MayGoOn
from edgewise.dynamodb import existing
from edgewise.dynamodb.existing import ExistingTable
from edgewise.dynamodb.schema import STREAM_VIEW
from edgewise.dynamodb.table import Table
from edgewise.failures import unless_passing
from edgewise.freshness.heartbeats import of_stream
from edgewise.freshness.telling import Teller
from edgewise.observability import logger, metrics
from edgewise.own import collisions, declaring, former, late
from edgewise.own.backfill import annotated, refuse_undeclared, tell_declared
from edgewise.own.closed import unended
from edgewise.own.errors import WrongKeysError, WrongStreamError
from edgewise.own.fills import Starts, kinds_filled
from edgewise.own.freshness import beat
from edgewise.own.operating import Operator
from edgewise.own.table import BESIDE, Items, OwnTable
from edgewise.stream import last_line
from edgewise.stream.changes import Record
from edgewise.stream.dialect import Dialect
from edgewise.stream.finishing import finish
from edgewise.stream.follow_ups import FollowUps
from edgewise.stream.invocation import RESERVE_MS, Remaining, absorb, end, shard_of
from edgewise.stream.register import Register, register

# What the shard is called of an event that names none: its mapping has no window, so no invocation took it.
UNNAMED = "unnamed"
# The environment variables with the ARNs of the streams of the table, and of the one beside it (empty: there is none).
STREAM, STREAM_BESIDE = "STREAM_ARN", "AGGREGATES_STREAM_ARN"
# What schedules ask for.
SWEEP, BEAT = {"do": "sweep"}, {"do": "beat"}
Handler = Callable[[dict[str, Any], Any], dict[str, Any] | None]


@dataclass(frozen=True)
class Consumer:
    """A handler that Lambda calls, and what is to be known of it where it is deployed.

    `items`: the sets of items that it counts, which recounts read. `run`: the name of the backfill that its views are
    declared with, empty if there is none. `operators`: the handler
    of the function that does what operators ask for (edgewise/own/operating.py).
    """

    table: OwnTable
    items: Sequence[Items]
    run: str
    handler: Handler
    operators: Handler

    def __call__(self, event: dict[str, Any], context: Any) -> dict[str, Any] | None:
        """Do what an event is for."""
        return self.handler(event, context)


class Keeps(Protocol):
    """What a function keeps of some items: a view."""

    @property
    def items(self) -> Items:
        """The items that it counts."""

    @property
    def name(self) -> str:
        """What its aggregates are called."""

    @property
    def kinds(self) -> Sequence[Kind]:
        """What the engine keeps for it."""

    @property
    def backfill(self) -> str:
        """The name of the backfill that fills it; empty if none does."""


def keep(declared: Sequence[Keeps], table: Callable[[], Table] | None = None) -> Consumer:
    """The handler of the function that keeps all of this, of items of one table; raises DeclarationError.

    Its event source mapping must have a tumbling window, or it raises UnknownShardError, and the stream must have old
    and new images, or it raises WrongStreamError. Once in a process, it asks whether the table has what collides with
    the engine's items, and raises CollisionError if so. The environment names the table (edgewise/own/table.py);
    `table` opens another one.
    """
    own, items, run = _only(declared)
    catalog = Catalog(kind for each in declared for kind in each.kinds)

    @cache
    def unchecked() -> Table:
        return table() if table else own.open(items=items)

    @cache
    def opened() -> Table:
        collisions.check(unchecked(), own)
        return unchecked()

    @cache
    def counting() -> Table:
        tell_declared(opened(), run, catalog)
        return opened()

    starts = Starts(kinds_filled(catalog))
    keeper = _Keeper(FollowUps(catalog, ()), own, own.existing(items), run, starts, opened, unchecked, counting)

    @logger.inject_lambda_context
    @metrics.log_metrics
    def handler(event: dict[str, Any], context: Any) -> dict[str, Any] | None:
        return keeper.handle(event, context)

    @logger.inject_lambda_context
    @metrics.log_metrics
    def operators(command: dict[str, Any], context: Any) -> dict[str, Any]:
        return keeper.operate(command, context)

    return Consumer(own, items, run, handler, operators)


def _only(declared: Sequence[Keeps]) -> tuple[OwnTable, Sequence[Items], str]:
    """The one table of all, their items, and the one backfill, if there is any; raises DeclarationError."""
    tables = {each.items.table for each in declared}
    items = list(dict.fromkeys(each.items for each in declared))
    runs = {each.backfill for each in declared if each.backfill}
    if not declared:
        raise DeclarationError("consumer needs the views that it is to keep")
    if len(tables) > 1:
        told = ", ".join(sorted(map(str, tables)))
        raise DeclarationError(f"one consumer keeps the views of one table, and these are of {told}")
    if len(runs) > 1:
        raise DeclarationError(f"only one backfill runs at a time, and these are declared: {', '.join(sorted(runs))}")
    return tables.pop(), items, runs.pop() if runs else ""


@dataclass(frozen=True)
class _Keeper:
    follow_ups: FollowUps
    own: OwnTable
    existing: ExistingTable
    run: str
    starts: Starts
    table: Callable[[], Table]
    unchecked: Callable[[], Table]
    counting: Callable[[], Table]
    teller: Teller = field(default_factory=Teller)

    def handle(self, event: dict[str, Any], context: Remaining) -> dict[str, Any] | None:
        """Do what the event is for: records, an object with records that were given up, or what a schedule asks for."""
        if "Records" in event:
            return self._absorb(event, context)
        if "detail" in event:
            self._give_up(event["detail"], _while_time(context))
            return None
        if event == SWEEP:
            self._end_closed(context)
            return self.operate(event, context)
        if event == BEAT:
            return {"beats": beat(self.table(), _open_shards)}
        return {"error": "operators have a function of their own"}

    def operate(self, command: dict[str, Any], context: Remaining) -> dict[str, Any]:
        """Do what an operator asks for."""
        dialect = Dialect(self._read_again, self._told)
        return Operator(self.table(), self.follow_ups, dialect, self.run, _while_time(context)).do(command)

    def _absorb(self, event: dict[str, Any], context: Remaining) -> dict[str, Any]:
        """Absorb a batch, then finish what it entails: a table may have other readers, so this is its only one."""
        for record in event["Records"][:1]:
            _check_view(record)
            if not _is_beside(record):
                _check_keys(record, self.own)
        table, dialect = self.counting(), self._dialect
        answer = absorb(self.follow_ups.catalog, table, self.teller, _shard, event, context, dialect)
        self._finish(table, event["Records"])
        return answer

    def _end_closed(self, context: Remaining) -> None:
        """End the last windows of closed shards that nothing else may end; the next sweep goes on where one fails."""
        catalog, table, dialect = self.follow_ups.catalog, self.counting(), self._dialect
        for stream in filter(None, map(os.environ.get, (STREAM, STREAM_BESIDE))):
            with unless_passing(lambda error: logger.warning("unended", error=str(error))):
                for shard in unended(table, stream, _shard):
                    end(catalog, table, self.teller, _shard, shard, context, dialect)

    def _give_up(self, detail: Any, may_go_on: MayGoOn) -> None:
        """Note what lacks records that were given up: also if that was because of what the reader's check refuses."""
        table = self.unchecked()
        lost = last_line.given_up(detail)
        shard = shard_name(lost.shard or UNNAMED)
        shard = _apart(shard) if _names_beside(lost.stream) else shard
        found = replace(lost, records=self._read_from(table, lost.records))
        declaring.heed(table, self.follow_ups.catalog, register(table))
        last_line.deprive(table, self.follow_ups.catalog, found, shard, may_go_on)
        self._finish(table, lost.records)

    def _finish(self, table: Table, records: Sequence[Record]) -> None:
        """Finish what changes of the engine's own items entail; those of others entail nothing."""
        of_engine = (record for record in records if _is_beside(record) or self.existing.is_of_engine(record))
        finish(table, self.follow_ups, [self._plain(record) for record in of_engine])

    @property
    def _dialect(self) -> Dialect:
        return Dialect(self._read, self._told, self._heed)

    def _read(self, records: Sequence[Record]) -> Sequence[Record]:
        return self._read_from(self.table(), records)

    def _read_from(self, table: Table, records: Sequence[Record]) -> Sequence[Record]:
        found = self.starts.annotated(table, list(map(self._plain, records)))
        return annotated(table, self.run, found) if self.run else found

    def _read_again(self, records: Sequence[Record]) -> Sequence[Record]:
        refuse_undeclared(self.table(), self.run, self.follow_ups.catalog, list(map(self._plain, records)))
        found = former.without_removed(self.table(), self._read(records))
        return late.as_by_now(self.table(), found) if self.starts.kinds else found

    def _heed(self, known: Register) -> None:
        self.starts.heed(known.kept)
        declaring.heed(self.table(), self.follow_ups.catalog, known)

    def _plain(self, record: Record) -> Record:
        return self._of(record).record(record)

    def _told(self, record: Record) -> Record:
        return self._of(record).as_delivered(record)

    def _of(self, record: Record) -> ExistingTable:
        """The table that a record is of."""
        return existing.BESIDE if _is_beside(record) else self.existing


def _open_shards() -> Mapping[str, str]:
    """The open shards of the table's stream, each with its parent."""
    return of_stream(os.environ[STREAM])


def _while_time(context: Remaining) -> MayGoOn:
    return lambda: context.get_remaining_time_in_millis() > RESERVE_MS


def _check_view(record: Record) -> None:
    """Raise WrongStreamError if records don't have old and new images."""
    view = (record.get("dynamodb") or {}).get("StreamViewType", STREAM_VIEW)
    if view != STREAM_VIEW:
        raise WrongStreamError(view)


def _check_keys(record: Record, own: OwnTable) -> None:
    """Raise WrongKeysError if records are of a table with other keys: no item would be read."""
    found = (record.get("dynamodb") or {}).get("Keys")
    if found and {name: next(iter(value)) for name, value in found.items()} != own.keys:
        raise WrongKeysError(found, own)


def _shard(event: Mapping[str, Any]) -> str:
    """How aggregates call the shard that an event is of; raises UnknownShardError."""
    shard = shard_of(event)
    return _apart(shard) if _is_beside(event) or any(map(_is_beside, event["Records"][:1])) else shard


def _is_beside(delivered: Mapping[str, Any]) -> bool:
    """Whether a record, or an event, is of the table of aggregates, if that is another one."""
    return _names_beside(delivered.get("eventSourceARN", ""))


def _names_beside(stream: str) -> bool:
    beside = os.environ.get(BESIDE)
    return bool(beside) and f":table/{beside}/" in stream


def _apart(shard: str) -> str:
    """The name of a shard of that table's stream: nothing says that no two streams have shards of one name."""
    return f"beside {shard}"
