"""Begins and ends the runs of the batch side: the only part of it that writes into the table what a run found.

The state machine invokes it. A command that can't be carried out raises, so that the state machine can tell why.
"""

from dataclasses import replace
from functools import cache
from typing import Any

from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.typing import LambdaContext
from pydantic import BaseModel

from edgewise import Table, clock, rfc_3339
from edgewise.observability import logger, metrics
from edgewise.times import SECOND
from functions import startup
from functions.bucket import Bucket
from functions.handlers.batch_commands import (
    COMMANDS,
    BeginCommand,
    BegunOut,
    Command,
    EndedOut,
    FailedCommand,
    RenewCommand,
    RenewedOut,
    ReportCommand,
)
from functions.settings import BatchRunSettings
from functions.systems.checks import keys, locking, prices, results, store
from functions.systems.checks.entity import LEASE, WHYS, Figures, Lock, Run
from functions.systems.checks.models import Differing


@cache
def settings() -> BatchRunSettings:
    """The function's settings."""
    return BatchRunSettings.from_env()


@cache
def table() -> Table:
    """The table, with its connections."""
    return Table(settings().table_name)


@logger.inject_lambda_context
def handler(event: dict[str, Any], _context: LambdaContext) -> dict[str, Any]:
    """Do what the event says (handlers/batch_commands.py).

    Raises ValidationError, AlreadyRunningError, ConcurrentChangeError, LostLockError, NotFoundError, TornResultError.
    """
    answer = _answer(COMMANDS.validate_python(event)).model_dump(mode="json", by_alias=True)
    logger.info("run", command=event, answer=answer)
    return answer


def _answer(command: Command) -> BaseModel:
    match command:
        case BeginCommand():
            return _begin(command)
        case RenewCommand():
            return _renew(command)
        case ReportCommand():
            return _report(command)
        case FailedCommand():
            return _fail(command.run, command.error)


def _begin(command: BeginCommand) -> BegunOut:
    now = clock.now()
    name = keys.name_of(now)
    run = Run(name, command.kind, "running", began=now)
    begun = locking.begin(table(), run, Lock(name, command.execution, now, now + LEASE))
    if begun.ended_another:
        _tell_failure()
    last, instant, where = store.last_checked(table()), keys.instant(begun.run), results.folder(begun.run)
    return BegunOut(
        run=begun.run,
        kind=command.kind,
        instant=rfc_3339(instant),
        start=rfc_3339(instant - int(settings().before_seconds) * SECOND),
        to=rfc_3339(instant + int(settings().after_seconds) * SECOND),
        full_prefix=f"{where}/full",
        increment_prefix=f"{where}/increment",
        result_prefix=results.result(begun.run),
        previous_prefix=results.result(last) if last else "",
    )


def _renew(command: RenewCommand) -> RenewedOut:
    return RenewedOut(run=command.run, until=rfc_3339(locking.renew(table(), command.run, clock.now()).until))


def _report(command: ReportCommand) -> EndedOut:
    run = store.find(table(), command.run)
    if run.state == "running":
        run = _done(run, command)
    locking.release(table(), run.name)
    return _ended(run)


def _done(run: Run, command: ReportCommand) -> Run:
    """Store what the run found. The metrics come before its end: a repetition tells them twice rather than never."""
    found = results.read(Bucket(settings().bucket), run)
    figures = replace(found.figures, cost=prices.cost(command.used) if command.used else None)
    store.add_differences(table(), run.name, found.differences)
    _tell(run, figures)
    return store.end(table(), run.done(clock.now(), figures))


def _tell(run: Run, figures: Figures) -> None:
    if run.kind == "fill":
        metrics.add_metric("FillsDone", MetricUnit.Count, 1)
    else:
        differing = figures.differences["wrong"] + figures.differences["follows"]
        metrics.add_metric("ReconcilesDone", MetricUnit.Count, 1)
        metrics.add_metric("Differences", MetricUnit.Count, differing)
        metrics.add_metric("Unsettled", MetricUnit.Count, figures.counts["unsettled"])
        metrics.add_metric("NeverAtRest", MetricUnit.Count, figures.counts["busy"])
        metrics.add_metric("UnreadableSources", MetricUnit.Count, figures.counts["unreadable"])
    metrics.flush_metrics()


def _fail(name: str, error: str) -> EndedOut:
    run = store.find(table(), name)
    if run.state == "running":
        _tell_failure()
        run = store.end(table(), run.failed(clock.now(), error))
    locking.release(table(), name)
    return _ended(run)


def _tell_failure() -> None:
    metrics.add_metric("RunsFailed", MetricUnit.Count, 1)
    metrics.flush_metrics()


def _ended(run: Run) -> EndedOut:
    found = run.figures
    differing = {why: found.differences.get(why, 0) for why in WHYS} if found else {}
    unlisted = found.unlisted if found else 0
    return EndedOut(
        run=run.name,
        state=run.state,
        differences=Differing(**differing) if found else None,
        stored=sum(differing.values()) - unlisted,
        unlisted=unlisted,
    )


startup.finish(table)
