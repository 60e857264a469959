"""How Lambda interprets a function's answer."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from delivery.mapping import STATE, Mapping
from delivery.records import Record


class InvalidAnswerError(Exception):
    """The answer makes the whole batch count as failed."""


@dataclass(frozen=True)
class Accepted:
    """A valid answer: the first `done` records succeeded.

    `state` is the window's state from now on; `oversized`: it is larger than Lambda keeps.
    """

    done: int
    state: Any
    oversized: bool


def accept(answer: Any, records: Sequence[Record], mapping: Mapping) -> Accepted:
    """Read the answer to these records; raises InvalidAnswerError."""
    try:
        text = json.dumps(answer)
    except (TypeError, ValueError) as error:
        raise InvalidAnswerError(f"not JSON: {error}") from error
    answer = json.loads(text)
    state = _state(answer) if mapping.tumbling_window else None
    done = _done(answer, records) if mapping.report_batch_item_failures else len(records)
    return Accepted(done, state, state is not None and len(json.dumps(state)) > STATE)


def _state(answer: Any) -> Any:
    if not isinstance(answer, dict) or "state" not in answer:
        raise InvalidAnswerError("in a tumbling window the answer must carry the state")
    return answer["state"]


def _done(answer: Any, records: Sequence[Record]) -> int:
    """How many records come before the first one reported."""
    failures = answer.get("batchItemFailures") if isinstance(answer, dict) else None
    if not failures:
        return len(records)
    positions = {str(record.sequence): position for position, record in enumerate(records)}
    try:
        return min(positions[failure["itemIdentifier"]] for failure in failures)
    except (KeyError, TypeError) as error:
        raise InvalidAnswerError(f"no such item identifier: {error}") from error
