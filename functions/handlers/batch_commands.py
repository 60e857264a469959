"""The commands that the state machine of the batch side sends to its function, and their answers."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, TypeAdapter

from functions.systems.checks.entity import RunKind, State
from functions.systems.checks.models import Differing, RunName
from functions.systems.checks.prices import Used
from functions.web.fields import Request


class BeginCommand(Request):
    """Begin a run, unless another one is running; `execution` names the one that begins it, and may repeat this."""

    do: Literal["begin"]
    kind: RunKind
    execution: Annotated[str, Field(min_length=1)]


class RenewCommand(Request):
    """Keep the lock of a run for another lease."""

    do: Literal["renew"]
    run: RunName


class ReportCommand(Request):
    """Store what a run's job found, and end the run; without `used`, its cost is not estimated."""

    do: Literal["report"]
    run: RunName
    used: Used | None = None


class FailedCommand(Request):
    """End a run that failed."""

    do: Literal["failed"]
    run: RunName
    error: str


Command = BeginCommand | RenewCommand | ReportCommand | FailedCommand
COMMANDS: TypeAdapter[Command] = TypeAdapter(Annotated[Command, Field(discriminator="do")])


class BegunOut(BaseModel):
    """The run: the instant of its full export, the period of its incremental one, and where all of it is put.

    `previous_prefix`: where the results of the last reconcile are; empty: nowhere.
    """

    run: str
    kind: RunKind
    instant: str
    start: Annotated[str, Field(serialization_alias="from")]
    to: str
    full_prefix: str
    increment_prefix: str
    result_prefix: str
    previous_prefix: str


class RenewedOut(BaseModel):
    """Until when the run holds the lock."""

    run: str
    until: str


class EndedOut(BaseModel):
    """How a run ended, and how many aggregates differ; `unlisted` of them are not stored."""

    run: str
    state: State
    differences: Differing | None
    stored: int
    unlisted: int
