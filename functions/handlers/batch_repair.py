"""Applies the plan of a run, one file of it at a time: a lane of the stream's writer, beside the stream.

The state machine invokes it for one file after the other, if a repair was asked for. It may be invoked again with the
same file: whatever has been added is not added again.
"""

from functools import cache
from typing import Any, Literal

from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.typing import LambdaContext
from pydantic import BaseModel, TypeAdapter

from edgewise import Table
from edgewise.aggregates import additions, knew
from edgewise.observability import logger, metrics
from edgewise.stream import put_right, repairs
from edgewise.stream.register import register
from edgewise.stream.repairs import Line
from functions import startup
from functions.bucket import Bucket
from functions.catalog import CATALOG, DERIVATIONS
from functions.settings import STATEMENTS, BatchRepairSettings
from functions.systems.checks import keys, locking
from functions.systems.checks.models import RunName
from functions.web.fields import Request

# How much of the function's time must be left to begin another request.
RESERVE_MS = 60_000


class Planned(BaseModel):
    """A repairs.Line as JSON: an aggregate by its plain name, what is added to each cell, and what the plan knew."""

    about: list[Any]
    adds: dict[str, tuple[int, str, str | None, int]]
    knew: list[tuple[str, list[str]]]
    close: bool
    together: int


class Wrong(BaseModel):
    """A put_right.Line as JSON."""

    wrong: Literal["entries", "shard", "copy", "ranking", "roster"]
    key: tuple[str, str] | None = None
    type: str | None = None
    ranking: list[Any] | None = None
    members: list[str] | None = None
    about: list[Any] | None = None


class RepairCommand(Request):
    """Apply one file of the plan of a run, which must hold the lock."""

    run: RunName
    part: str


_LINE, _COMMAND = TypeAdapter[Planned | Wrong](Planned | Wrong), TypeAdapter(RepairCommand)


@cache
def settings() -> BatchRepairSettings:
    """The function's settings."""
    return BatchRepairSettings.from_env()


@cache
def table() -> Table:
    """The table, with its connections."""
    return Table(settings().table_name, statements=settings().writes == STATEMENTS)


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Apply a file of a plan; raises LostLockError, TornResultError, RepairRefusedError, UnfinishedError."""
    command = _COMMAND.validate_python(event)
    locking.held(table(), command.run)
    plan = list(Bucket(settings().bucket).parsed(command.part, _line))
    counted, derived = (
        [each for each in plan if isinstance(each, Line)],
        [each for each in plan if isinstance(each, dict)],
    )

    def may_go_on() -> bool:
        return context.get_remaining_time_in_millis() > RESERVE_MS

    written = repairs.apply(table(), register(table()), keys.instant(command.run), counted, may_go_on)
    put_right.apply(table(), CATALOG, DERIVATIONS, derived, may_go_on)
    metrics.add_metric("AggregatesRepaired", MetricUnit.Count, written.written)
    metrics.flush_metrics()
    answer = {"run": command.run, "part": command.part, "aggregates": len(counted), "derived": len(derived)}
    answer |= {"written": written.written, "current": written.current}
    logger.info("repaired", answer=answer)
    return answer


def _line(line: bytes) -> Line | put_right.Line:
    """What is added to an aggregate, or the name of what is derived wrongly."""
    planned = _LINE.validate_json(line)
    if not isinstance(planned, Planned):
        return planned.model_dump(exclude_defaults=True)
    about, adds = CATALOG.named(planned.about), additions.of_plain(planned.adds)
    return Line(about, adds, planned.close, knew.of_plain(about, planned.knew), planned.together)


startup.finish(table)
