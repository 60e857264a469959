"""Publishes the summaries of a fill: stores them beside the current ones, file by file, then lets readers see them.

The state machine invokes it. Every command may be repeated.
"""

from collections.abc import Iterator
from functools import cache, partial
from typing import Annotated, Any, Literal

from aws_lambda_powertools.utilities.typing import LambdaContext
from pydantic import Field, TypeAdapter

from edgewise import InvalidInputError, Table, rfc_3339
from edgewise.observability import logger
from functions import startup
from functions.bucket import Bucket
from functions.errors import TornResultError
from functions.settings import BatchPublishSettings
from functions.systems.checks import keys, locking, results, store
from functions.systems.checks.models import RunName
from functions.systems.graph import generations, publishing
from functions.systems.graph.summary import Generation, Summary
from functions.web.fields import Request

# How much of the function's time must be left to go on.
RESERVE_MS = 60_000


class PublishCommand(Request):
    """Store the summaries in one file of the results of a run, which must hold the lock."""

    do: Literal["publish"]
    run: RunName
    part: str


class CompleteCommand(Request):
    """Make the summaries of a run, all of whose files are published, the current ones."""

    do: Literal["complete"]
    run: RunName


Command = PublishCommand | CompleteCommand
_COMMANDS: TypeAdapter[Command] = TypeAdapter(Annotated[Command, Field(discriminator="do")])
_LINE = TypeAdapter(Summary)


@cache
def settings() -> BatchPublishSettings:
    """The function's settings."""
    return BatchPublishSettings.from_env()


@cache
def table() -> Table:
    """The table, with its connections."""
    return Table(settings().table_name)


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Do what the event says.

    Raises ValidationError, InvalidInputError, LostLockError, TornResultError; `publish` also OutOfTimeError, `complete`
    also NotFoundError and ConcurrentChangeError.
    """
    command = _COMMANDS.validate_python(event)
    locking.held(table(), command.run)
    answer = _publish(command, context) if isinstance(command, PublishCommand) else _complete(command)
    logger.info("published", command=event, answer=answer)
    return answer


def _publish(command: PublishCommand, context: LambdaContext) -> dict[str, Any]:
    if not command.part.startswith(_folder(command.run)):
        raise InvalidInputError.of("part", f"must be in {_folder(command.run)}")
    nodes = publishing.publish(
        table(),
        _generation(command.run),
        command.part,
        partial(_summaries, command.part),
        lambda: context.get_remaining_time_in_millis() > RESERVE_MS,
    )
    return {"run": command.run, "part": command.part, "nodes": nodes}


def _complete(command: CompleteCommand) -> dict[str, Any]:
    bucket, generation = Bucket(settings().bucket), _generation(command.run)
    run = store.find(table(), command.run)
    if run.kind != "fill":
        raise InvalidInputError.of("run", "must be a fill")
    parts = results.parts(bucket, _folder(command.run))
    known = publishing.known_progress(table(), generation, parts)
    if left := [part for part in parts if not known[part].whole]:
        raise TornResultError(left[0], "it is not published")
    nodes, told = sum(each.nodes for each in known.values()), results.read(bucket, run).figures.counts["nodes"]
    if nodes != told:
        raise TornResultError(_folder(command.run), f"it has {nodes} nodes, and the summary says {told}")
    generations.make_current(table(), generation)
    return {"run": command.run, "instant": rfc_3339(generation.at), "nodes": nodes}


def _folder(run: str) -> str:
    return f"{results.result(run)}/nodes/"


def _generation(run: str) -> Generation:
    return Generation(run, keys.instant(run))


def _summaries(part: str, start: int) -> Iterator[Summary]:
    """The summaries of a file after the first `start` ones."""
    yield from Bucket(settings().bucket).parsed(part, _LINE.validate_json, start)


startup.finish(table)
