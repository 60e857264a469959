"""The lines that the consumer logs: one line for each invocation tells what Lambda delivered, and when."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from verify.target import Target

MESSAGE = "absorbed"


@dataclass(frozen=True)
class Line:
    """One invocation of the consumer: times in milliseconds, and the first and last sequence number of its records.

    `failures`: its requests with many statements that failed as a whole, by the code of the error.
    """

    shard: str
    ended: int
    took: int
    records: int
    first: int | None
    last: int | None
    age: int | None
    window_end: int | None
    final: bool
    state_came: int
    state_left: int
    failures: Mapping[str, int] = field(default_factory=dict)

    @property
    def began(self) -> int:
        """The time at which the invocation began."""
        return self.ended - self.took


def lines_since(target: Target, since: int) -> list[Line]:
    """All lines since a time in milliseconds, in the order in which the invocations ended."""
    function = target.outputs["EdgeAggregatorFunctionName"]
    configuration = target.client("lambda").get_function_configuration(FunctionName=function)
    pages = target.client("logs").get_paginator("filter_log_events")
    group = configuration["LoggingConfig"]["LogGroup"]
    found = pages.paginate(logGroupName=group, startTime=since, filterPattern=f'"{MESSAGE}"')
    return sorted(parsed(event for page in found for event in page["events"]), key=lambda line: line.ended)


def parsed(events: Iterable[Mapping[str, Any]]) -> Iterator[Line]:
    """The lines of the consumer itself among the events of its log group."""
    for event in events:
        try:
            text = json.loads(event["message"])
        except ValueError:
            continue
        if isinstance(text, dict) and text.get("message") == MESSAGE and "took_ms" in text:
            yield _line(text, event["timestamp"])


def _line(text: Mapping[str, Any], logged: int) -> Line:
    # The consumer leaves null values out of a line.
    return Line(
        shard=text["shard"],
        ended=logged,
        took=text["took_ms"],
        records=text["records"],
        first=_number(text.get("first")),
        last=_number(text.get("last")),
        age=text.get("age_ms"),
        window_end=_millis(text.get("window_end")),
        final=text["final"],
        state_came=text["state_came"],
        state_left=text["state_left"],
        failures=text.get("failures", {}),
    )


def _number(text: str | None) -> int | None:
    return None if text is None else int(text)


def _millis(text: str | None) -> int | None:
    return None if text is None else round(datetime.fromisoformat(text).timestamp() * 1000)
