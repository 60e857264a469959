"""Calls a function on a schedule."""

from typing import Final

from aws_cdk import Duration
from aws_cdk.aws_events import Rule, RuleTargetInput, Schedule
from aws_cdk.aws_events_targets import LambdaFunction
from aws_cdk.aws_lambda import Function
from constructs import Construct

# Of what removes emptied aggregates, and of what sends heartbeats through the stream.
SWEEPS: Final = Duration.hours(1)
BEATS: Final = Duration.minutes(1)


def call_every(
    scope: Construct, construct_id: str, function: Function, interval: Duration, event: object | None = None
) -> None:
    """Invoke the function so often, with this event or a scheduled one.

    The next call handles whatever one leaves, so a failed one is not repeated.
    """
    given = None if event is None else RuleTargetInput.from_object(event)
    target = LambdaFunction(function, event=given, retry_attempts=0)
    Rule(scope, construct_id, schedule=Schedule.rate(interval), targets=[target])
