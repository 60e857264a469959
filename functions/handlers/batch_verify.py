"""Verifies directly what a check could not compare several times in a row: aggregates that are never at rest.

The state machine invokes it after the job. It reads the table, and writes one file beside the job's results.
"""

import time
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext
from pydantic import BaseModel, TypeAdapter

from edgewise import AggregateId, Table
from edgewise.aggregates import keys
from edgewise.observability import logger
from edgewise.stream.register import register
from edgewise.stream.verification import Verification
from edgewise.stream.watching import Watched, watch
from edgewise.times import SECOND
from functions import startup
from functions.bucket import Bucket
from functions.catalog import CATALOG
from functions.settings import BatchVerifySettings
from functions.systems.checks import locking, results
from functions.systems.checks.entity import Difference, Why, kept
from functions.systems.checks.models import RunName
from functions.systems.checks.results import Direct
from functions.web.fields import Request

# How much of the function's time must be left to verify another aggregate, and how long it waits between two looks.
RESERVE_MS, LOOK_SECONDS = 60_000, 1


class VerifyCommand(Request):
    """Verify what the job of a run could not, which must hold the lock."""

    run: RunName


class Named(BaseModel):
    """An aggregate by its plain name."""

    about: list[Any]


_COMMAND, _LINE = TypeAdapter(VerifyCommand), TypeAdapter(Named)


@cache
def settings() -> BatchVerifySettings:
    """The function's settings."""
    return BatchVerifySettings.from_env()


@cache
def table() -> Table:
    """The table, with its connections."""
    return Table(settings().table_name)


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Verify the aggregates that the job has named; raises LostLockError, TornResultError."""
    run = _COMMAND.validate_python(event).run
    locking.held(table(), run)
    bucket = Bucket(settings().bucket)
    found = watch(
        table(),
        list(results.lines(bucket, results.doubtful(run), _named)),
        int(settings().rest_seconds) * SECOND,
        lambda: time.sleep(LOOK_SECONDS),
        lambda: context.get_remaining_time_in_millis() > RESERVE_MS,
    )
    direct = _direct(found)
    bucket.write(results.direct(run), direct.model_dump_json().encode())
    answer = {"run": run, "verified": direct.verified, "busy": direct.busy, "wrong": len(direct.differences)}
    logger.info("verified", answer=answer)
    return answer


def _direct(found: Watched) -> Direct:
    """What is told: while a record is in quarantine, an aggregate at rest may lack it."""
    if register(table()).count:
        return Direct(verified=found.right, busy=len(found.busy) + len(found.wrong), differences=[])
    return Direct(verified=found.right, busy=len(found.busy), differences=list(map(_difference, found.wrong)))


def _difference(of: Verification) -> Difference:
    about, (expected, stored) = of.stored.id, of.differing
    key = keys.of(about)
    why: Why = "noted" if of.stored.lacks else "wrong"
    return kept(Difference(about.kind.name, why, about.plain, key.pk, key.sk, expected, stored, of.reached))


def _named(line: bytes) -> AggregateId:
    return CATALOG.named(_LINE.validate_json(line).about)


startup.finish(table)
