"""The operators' function: lists the quarantine, applies its records after a fix, recounts aggregates, widens lists.

It is invoked by hand (`make redrive`), never by an event; docs/operations.md says when.
"""

import time
from collections.abc import Sequence
from functools import cache
from typing import Any

from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.typing import LambdaContext
from pydantic import BaseModel, ValidationError

from edgewise import InvalidInputError, ShardedList, Table, rfc_3339
from edgewise.clock import MayGoOn
from edgewise.errors import EdgewiseError
from edgewise.observability import logger, metrics
from edgewise.sharding import relief
from edgewise.stream import incomplete, levels, quarantine, redrive, verification
from edgewise.stream.quarantine import QuarantinedRecord
from edgewise.stream.register import register
from edgewise.stream.verification import RepairRefusedError
from functions import startup
from functions.catalog import FOLLOW_UPS, LISTS
from functions.handlers.commands import (
    COMMANDS,
    AppliedOut,
    ApplyAllCommand,
    Command,
    IncompleteOut,
    ListCommand,
    ListOut,
    QuarantinedOut,
    RecordCommand,
    RecountCommand,
    RecountOut,
    RefusedOut,
    ShardsOut,
    WidenCommand,
)
from functions.settings import RedriveSettings
from functions.systems.operations import naming, telling

# How much of the function's time must be left to begin another record or page.
RESERVE_MS = 60_000
# A change takes a second or two through the stream, and this long at most if it waits for the end of a window.
SETTLING_SECONDS = 60
NOTES = 1000


@cache
def settings() -> RedriveSettings:
    """The function's settings."""
    return RedriveSettings.from_env()


@cache
def table() -> Table:
    """The table, with its connections."""
    return Table(settings().table_name)


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Do what the event says (handlers/commands.py); an answer with `error` means that nothing was done."""

    def may_go_on() -> bool:
        return context.get_remaining_time_in_millis() > RESERVE_MS

    try:
        command = COMMANDS.validate_python(event)
        answer = _answer(command, may_go_on)
    except (ValidationError, EdgewiseError, RepairRefusedError) as error:
        answer = RefusedOut(error=str(error))
    logger.info("operated", command=event, answer=answer.model_dump(include={"done", "count", "equal", "error"}))
    return answer.model_dump(mode="json")


def _answer(command: Command, may_go_on: MayGoOn) -> BaseModel:
    match command:
        case ListCommand():
            return _list(command)
        case ApplyAllCommand():
            return _apply_all(may_go_on)
        case RecordCommand():
            return _one(command)
        case RecountCommand():
            return _recount(command, may_go_on)
        case WidenCommand():
            return _widen(command)


def _list(command: ListCommand) -> ListOut:
    found, after = quarantine.page(table(), command.limit, command.after)
    count = register(table()).count
    noted = incomplete.page(table(), NOTES, None)[0] if command.after is None else []
    return ListOut(
        records=list(map(_quarantined, found)),
        count=count,
        incomplete=[IncompleteOut(kind=each.kind, dimensions=each.dimensions, why=each.why) for each in noted],
        after=None if after is None else dict(after),
    )


def _apply_all(may_go_on: MayGoOn) -> AppliedOut:
    done, malformed, finished = 0, [], True

    def goes_on() -> bool:
        nonlocal finished
        finished = may_go_on()
        return finished

    for record, error in redrive.redriven(table(), FOLLOW_UPS, goes_on):
        done += error is None
        malformed += [_quarantined(record, str(error))] if error else []
    return AppliedOut(done=done, malformed=malformed, count=register(table()).count, finished=finished)


def _one(command: RecordCommand) -> AppliedOut:
    sequence = command.sequence.zfill(40)
    if command.do == "apply":
        redrive.redrive(table(), FOLLOW_UPS, command.shard, sequence)
    else:
        redrive.discard(table(), FOLLOW_UPS, command.shard, sequence)
    return AppliedOut(done=1, malformed=[], count=register(table()).count, finished=True)


def _recount(command: RecountCommand, may_go_on: MayGoOn) -> RecountOut:
    aggregate_id = naming.named(command.kind, command.dimensions)
    found = levels.descend(table(), aggregate_id, may_go_on)
    metrics.add_metric("WrongAggregates", MetricUnit.Count, sum(level.wrong for level in found.levels))
    metrics.flush_metrics()
    repaired = False
    if command.repair:
        below = found.lowest_wrong
        if below and below.kind != aggregate_id.kind:
            raise RepairRefusedError(
                f"aggregates below it are wrong ({below.kind}): first repair those that recount names"
            )
        done = verification.repair(table(), aggregate_id, lambda: time.sleep(SETTLING_SECONDS), may_go_on)
        repaired = done.wants_repair
    assert found.asked
    told = telling.descended(found, telling.compared(found.asked))
    return RecountOut(**told.model_dump(), repaired=repaired)


def _widen(command: WidenCommand) -> ShardsOut:
    widened = relief.widen(table(), _list_named(command.of), command.shards)
    last = widened.history[-1]
    return ShardsOut(of=command.of, shards=last.shards, since=rfc_3339(last.since))


def _list_named(of: Sequence[str]) -> ShardedList:
    family, *components = of or ("",)
    if family not in LISTS:
        raise InvalidInputError.of("of", f"must begin with one of {', '.join(sorted(LISTS))}")
    partitions, names = LISTS[family]
    if len(components) != len(names):
        raise InvalidInputError.of("of", f"must be {' '.join((family, *(name.upper() for name in names)))}")
    for (name, texts), component in zip(names.items(), components, strict=True):
        if texts and component not in texts:
            expected = ", ".join(sorted(texts))
            raise InvalidInputError.of("of", f"{family} has no {name} {component!r}: expected {expected}")
    return ShardedList(partitions, tuple(components))


def _quarantined(record: QuarantinedRecord, error: str | None = None) -> QuarantinedOut:
    return QuarantinedOut(shard=record.shard, sequence=record.sequence, at=record.at, error=error or record.error)


startup.finish(table)
