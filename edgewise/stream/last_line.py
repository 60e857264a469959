"""The last line: what becomes of records that no invocation of the stream's reader took for 23 hours.

By then later records of their shard pass them, so they can't be absorbed any more. The aggregates that they concern say
that they lack something, until somebody repairs them.
"""

from collections.abc import Sequence
from typing import Any

from aws_lambda_powertools.metrics import MetricUnit

from edgewise import clock
from edgewise.aggregates.catalog import Catalog
from edgewise.clock import MayGoOn
from edgewise.dynamodb.table import Table
from edgewise.observability import logger, metrics
from edgewise.stream import changes, doubting, lost, register
from edgewise.stream.changes import Record, Unclear
from edgewise.stream.lost import Lost
from edgewise.stream.windows import State, UnreadableStateError, Waiting, unpacked

WHY = "no invocation took its changes for 23 hours"


class UnreadableError(Exception):
    """Some records can't be understood, so nobody knows which aggregates lack them; all other records are noted."""

    def __init__(self, records: int, first: Exception) -> None:
        super().__init__(f"{records} records can't be understood: fix the code, then copy the object onto itself")
        self.__cause__ = first


def given_up(detail: Any) -> Lost:
    """The event in the object that EventBridge tells of, counted and logged."""
    bucket, key = detail["bucket"]["name"], detail["object"]["key"]
    found = lost.read(bucket, key)
    metrics.add_metric("LostRecords", MetricUnit.Count, len(found.records))
    logger.error("lost", object=key, shard=found.shard, records=len(found.records))
    return found


def deprive(table: Table, catalog: Catalog, found: Lost, shard: str, may_go_on: MayGoOn) -> None:
    """Note on the aggregates that they lack these records, and count those that are noted now.

    It may be repeated, in full or after any step. Raises UnreadableError or UnreadableStateError at its end, and what
    `writer.apply` raises.
    """
    changed = changes.changes(catalog, found.records)
    waiting, unreadable = _waiting(found.state)
    waiting = waiting.with_batch(changed.shared, changed.brought, None)
    batch = {**changed.own, **unpacked(catalog, waiting.brought)}
    noted = lost.note(table, catalog, shard, batch, WHY, may_go_on)
    noted += lost.note_shared(table, shard, unpacked(catalog, waiting.packed), WHY, may_go_on)
    metrics.add_metric("IncompleteAggregates", MetricUnit.Count, noted)
    _doubt(table, shard, found.records, changed.unclear, may_go_on)
    if unreadable:
        raise unreadable
    if changed.unclear:
        raise UnreadableError(len(changed.unclear), changed.unclear[0][1])


def _doubt(table: Table, shard: str, records: Sequence[Record], unclear: Sequence[Unclear], may_go_on: MayGoOn) -> None:
    """Let readers doubt what those concern that can't be understood, as far as that is known.

    Nobody will set any of these records aside, though an invocation may have announced it: what lacks those that can be
    understood is noted.
    """
    doubts = frozenset(each for _, error in unclear for each in error.doubts)
    numbers = {f"{number:040}" for record in records if (number := changes.number(record)) is not None}
    doubting.lack(table, shard, clock.now(), doubts, WHY, may_go_on)
    register.change(
        table,
        lambda known: known.lacking_also(doubting.names(doubts)).without_doubts(
            shard, known.announced(shard) & numbers
        ),
    )


def _waiting(state: State) -> tuple[Waiting, UnreadableStateError | None]:
    """What waited for the window's end, which is lost too; or nothing and the error, if this release can't read it."""
    try:
        return Waiting.of(state), None
    except UnreadableStateError as error:
        return Waiting(), error
