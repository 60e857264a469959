"""Puts events on the stage's bus, of which AWS may take some and refuse others."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from botocore.exceptions import BotoCoreError, ClientError

from edgewise import aws
from edgewise.dynamodb.table import CONFIG
from edgewise.failures import PoisonError, sorted_out
from edgewise.observability import logger
from functions.portions import portions

# What rules of the bus match: events have the name of the entity as `detail-type`.
SOURCE: Final = "edgewise"
# PutEvents takes no more in one request, and 1 MB of them since January 2026, 256 KB before.
_AT_ONCE, _MOST_BYTES = 10, 256_000
# An event is its position among those that were given, and what AWS is told.
_Entry = tuple[int, dict[str, str]]


class Bus:
    """A bus of Amazon EventBridge."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._client = aws.client("events", CONFIG)

    def put(self, events: Sequence[str]) -> list[int]:
        """Put events on the bus; returns the positions of those that it did not take, also for what may pass."""
        entries = list(self._entries(events))
        left = set(range(len(events))) - {position for position, _ in entries}
        for some in _requests(entries):
            left |= self._put(some)
        return sorted(left)

    def _entries(self, events: Sequence[str]) -> Iterator[_Entry]:
        """All that can be read; the others are logged."""
        for position, text in enumerate(events):
            try:
                with sorted_out():
                    told = {"Source": SOURCE, "DetailType": json.loads(text)["entity"], "Detail": text}
            except PoisonError as poison:
                logger.error("no event", reason=poison.reason)
                continue
            yield position, told | {"EventBusName": self._name}

    def _put(self, entries: Sequence[_Entry]) -> set[int]:
        """The positions of those that the bus did not take."""
        try:
            answer = self._client.put_events(Entries=[told for _, told in entries])
        except (BotoCoreError, ClientError):
            logger.exception("no events taken", events=len(entries))
            return {position for position, _ in entries}
        refused = [(position, each) for (position, _), each in zip(entries, answer["Entries"], strict=True)]
        faults = {position: each for position, each in refused if "ErrorCode" in each}
        if faults:
            logger.error("events not taken", events=len(faults), reasons=_reasons(faults.values()))
        return set(faults)


def _requests(entries: Sequence[_Entry]) -> Iterator[list[_Entry]]:
    for some in portions(entries, _bytes_of, _MOST_BYTES):
        for start in range(0, len(some), _AT_ONCE):
            yield some[start : start + _AT_ONCE]


def _bytes_of(entry: _Entry) -> int:
    """As AWS counts them (eb-putevent-size in the user guide); all is ASCII."""
    told = entry[1]
    return sum(len(told[each]) for each in ("Source", "DetailType", "Detail"))


def _reasons(faults: Any) -> list[str]:
    return sorted({f"{each['ErrorCode']}: {each.get('ErrorMessage', '')}" for each in faults})
