"""One invocation of the consumer: a batch of one shard is absorbed, and told of."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from aws_lambda_powertools.metrics import MetricUnit, single_metric

from edgewise import clock
from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.checkpoints import shard_name
from edgewise.aggregates.keys import AggregateId
from edgewise.dynamodb.table import Table
from edgewise.errors import PassingError, UnknownShardError
from edgewise.failures import unless_passing
from edgewise.freshness.shards import Heartbeat
from edgewise.freshness.telling import Teller
from edgewise.freshness.watermarks import absorbed_until, reached
from edgewise.observability import logger, metrics, spent
from edgewise.stream import again, changes, doubting, windows
from edgewise.stream.again import Rereading
from edgewise.stream.consumer import Consumed, consume, has_state
from edgewise.stream.dialect import PLAIN, Dialect
from edgewise.stream.dispatch import position
from edgewise.stream.follow_ups import SHARD as FOLLOW_UPS
from edgewise.stream.quarantine import Entry
from edgewise.stream.register import double_groups, register
from edgewise.stream.telling import delivered, set_aside, untold
from edgewise.stream.windows import MOST_BROUGHT
from edgewise.times import LATEST, Millis, rfc_3339

# How much of the function's time must be left to begin a write: as long as one may take with all its retries.
RESERVE_MS = 40_000
# The same to read on in a shard: what was read must be written then.
READING_MS = 55_000
# If carriers bring more than that at once, their groups are too large: most of it must wait for one write.
MUCH_BROUGHT = MOST_BROUGHT * 2 // 3
# The window of a shard that is read to its end.
ENDLESS = dict.fromkeys(("start", "end"), rfc_3339(LATEST))


class UnfinishedRereadingError(PassingError):
    """A window's state was lost, and not all that waited in it could be taken on at once: the rest comes again."""

    def __init__(self, why: str) -> None:
        super().__init__(f"a window's state was lost: a part of what waited in it is in, the rest comes again ({why})")


# How aggregates call the shard that an event is of.
Name = Callable[[Mapping[str, Any]], str]


class Remaining(Protocol):
    """Who knows how much time an invocation has left: the context that Lambda passes."""

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until the function is stopped."""


def shard_of(event: Mapping[str, Any]) -> str:
    """The name of the shard that an event is of; raises UnknownShardError."""
    shard = event.get("shardId")
    if not shard:
        raise UnknownShardError
    return shard_name(str(shard))


def absorb(
    catalog: Catalog,
    table: Table,
    teller: Teller,
    name: Name,
    event: dict[str, Any],
    context: Remaining,
    dialect: Dialect = PLAIN,
    rereading: Rereading | None = None,
) -> dict[str, Any]:
    """Absorb one batch of one shard, which has this `name`; returns what Lambda is answered.

    Transient errors are raised, and so is an error when the function's time is about to end: Lambda delivers the batch
    again, and nothing is counted twice.
    Records that can't be understood are set aside last: when a record is in quarantine, everything before it in its
    shard must have been absorbed. The answer carries the window's state: the effects that wait for its end.
    `rereading`: how records that were delivered are read again; None: from the stream.
    """
    began, shard = time.monotonic(), name(event)
    rereading = rereading or again.FROM_STREAM
    table.usage.reset()
    place = None if has_state(event) else position(table, shard)
    if not (place or has_state(event)):
        _end_parent(catalog, table, teller, name, event, context, dialect, rereading)
    known = register(table)
    dialect.heed(known)
    event = {**event, "Records": dialect.read(changes.in_order(event["Records"]))}
    beats = changes.heartbeats(event["Records"])
    if len(event["Records"]) > len(beats):
        metrics.add_metric("RecordsDelivered", MetricUnit.Count, len(event["Records"]) - len(beats))
    behind = rereading.behind(*_of_stream(event), lambda: _may_go_on(context, READING_MS))
    consumed = consume(
        catalog,
        table,
        known,
        shard,
        event,
        lambda: _may_go_on(context),
        place,
        lambda after, until: (each for record in behind(after, until) for each in dialect.read([record])),
    )
    if consumed.unclear:
        unclear = ((dialect.told(record), str(error), error.doubts) for record, error in consumed.unclear)
        set_aside(table, shard, *(Entry(record, why, doubting.names(doubts)) for record, why, doubts in unclear))
    if consumed.unread:
        raise UnfinishedRereadingError(consumed.unread)
    read_again_behind = (place.sequence if place else 0) if consumed.again else None
    doubting.settle(table, known, shard, consumed.taken, read_again_behind)
    # Where readers ask for no doubts, nobody can tell what lacks a record that is set aside: nothing new is claimed.
    if catalog.has_sets or not (consumed.unclear or known.shards.keys() - {FOLLOW_UPS}):
        _tell_how_far(table, teller, shard, event, beats, consumed)
    # Of what an idle table's heartbeats are, nobody needs a line each.
    if not 0 < len(event["Records"]) == len(beats) or consumed.written.written:
        _tell(table, event, shard, consumed, began)
    if consumed.brought > MUCH_BROUGHT:
        double_groups(table, known)
    return {"state": consumed.state, "batchItemFailures": []}


def _end_parent(
    catalog: Catalog,
    table: Table,
    teller: Teller,
    name: Name,
    event: dict[str, Any],
    context: Remaining,
    dialect: Dialect,
    rereading: Rereading,
) -> None:
    """If a shard begins, end the last window of the one that it continues: that may have had no last call."""
    parent = rereading.parent(*_of_stream(event))
    if parent:
        end(catalog, table, teller, name, {**event, "shardId": parent}, context, dialect, rereading)


def end(
    catalog: Catalog,
    table: Table,
    teller: Teller,
    name: Name,
    of: dict[str, Any],
    context: Remaining,
    dialect: Dialect = PLAIN,
    rereading: Rereading | None = None,
) -> None:
    """End the last window of a closed shard `of` a stream, as an event names them. Raises what `absorb` raises.

    If the state of that window was lost when its shard had been read to its end, no call of that shard would ever
    notice. What has been taken on already is dropped, as always.
    """
    # A closed shard is read to its end, whatever the window.
    last = {"Records": [], "state": {}, "isFinalInvokeForWindow": True, "window": ENDLESS}
    absorb(catalog, table, teller, name, {**of, **last}, context, dialect, rereading)


def _of_stream(event: Mapping[str, Any]) -> tuple[str, str]:
    """The stream that an event is of, and the shard, as AWS calls them."""
    return str(event.get("eventSourceARN", "")), str(event.get("shardId", ""))


def _tell(table: Table, event: dict[str, Any], shard: str, consumed: Consumed, began: float) -> None:
    """Log one invocation, and count it."""
    written = consumed.written
    _tell_of(written.lacking)
    logger.info(
        "absorbed",
        **delivered(event),
        shard=shard,
        written=written.written,
        current=written.current,
        conflicts=written.conflicts,
        state_left=windows.size(consumed.state),
        read_again=consumed.again,
        **spent(began, table.usage.figures()),
    )
    _tell_freshness(shard, consumed.oldest)
    metrics.add_metric("AggregatesWritten", MetricUnit.Count, written.written)


def _may_go_on(context: Remaining, reserve: int = RESERVE_MS) -> bool:
    return context.get_remaining_time_in_millis() > reserve


def _tell_how_far(
    table: Table, teller: Teller, shard: str, event: dict[str, Any], beats: Sequence[Heartbeat], consumed: Consumed
) -> None:
    """Move the shard's watermark with each heartbeat; without them, if that was long ago.

    What has been absorbed need not come again because the table did not take this: a later heartbeat tells as much.
    """
    last, now = changes.last_time(event["Records"]), clock.now()
    if last is not None and (beats or teller.is_due(shard, now)):
        absorbed = absorbed_until(last, [each.at for each in beats])
        moment = reached(now, absorbed, consumed.waits, consumed.brings)
        with unless_passing(untold):
            teller.tell(table, shard, moment, sorted({each.name for each in beats}))


def _tell_freshness(shard: str, oldest: Millis | None) -> None:
    """How old the oldest change is now that it is in its aggregates; the stream tells its time to the second.

    It is counted twice, for all shards together and for the one.
    """
    if oldest is None:
        return
    age = clock.now() - oldest
    metrics.add_metric("Freshness", MetricUnit.Milliseconds, age)
    with single_metric("ShardFreshness", MetricUnit.Milliseconds, age) as of_shard:
        of_shard.add_dimension("service", metrics.service or "")
        of_shard.add_dimension("shard", shard)


def _tell_of(lacking: Mapping[AggregateId, str]) -> None:
    if lacking:
        metrics.add_metric("IncompleteAggregates", MetricUnit.Count, len(lacking))
    for aggregate_id, reason in lacking.items():
        logger.warning("incomplete", aggregate=aggregate_id.plain, error=reason)
