"""The settings of an event source mapping, with the names, defaults and limits of the Lambda API."""

from collections.abc import Mapping as Dictionary
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

INFINITE = -1
DAY = 24 * 3600
PAYLOAD = 6 * 1024 * 1024
STATE = 1024 * 1024
FILTERS = 10  # five, or ten on request
SQS, S3 = "sqs", "s3"


@dataclass(frozen=True)
class Mapping:
    """How Lambda reads the stream. Times in seconds; -1 means no limit. Raises ValueError outside the limits.

    - `batch_size`, `batching_window`: how many records an event may have, and how long it may wait for them
    - `tumbling_window`: 0, or the length of the windows with state
    - `parallelization_factor`: concurrent invocations for each shard
    - `report_batch_item_failures`, `bisect_batch_on_function_error`, `maximum_retry_attempts`, `maximum_record_age`:
      what happens after a failure
    - `on_failure`: `sqs` (SNS is the same) or `s3`, whose documents also contain the event
    - `filters`: patterns; a record must match one of them
    """

    batch_size: int = 100
    batching_window: int = 0
    tumbling_window: int = 0
    parallelization_factor: int = 1
    report_batch_item_failures: bool = False
    bisect_batch_on_function_error: bool = False
    maximum_retry_attempts: int = INFINITE
    maximum_record_age: int = INFINITE
    on_failure: str | None = None
    filters: Sequence[Dictionary[str, Any]] = ()

    def __post_init__(self) -> None:
        _within("batch_size", self.batch_size, 1, 10_000)
        _within("batching_window", self.batching_window, 0, 300)
        _within("tumbling_window", self.tumbling_window, 0, 900)
        _within("parallelization_factor", self.parallelization_factor, 1, 1 if self.tumbling_window else 10)
        _within("maximum_retry_attempts", self.maximum_retry_attempts, INFINITE, 10_000)
        if self.maximum_record_age != INFINITE:
            _within("maximum_record_age", self.maximum_record_age, 60, 7 * DAY)
        _within("the number of filters", len(self.filters), 0, FILTERS)
        if self.on_failure not in (None, SQS, S3):
            raise ValueError(f"on_failure is {self.on_failure}, but can only be {SQS} or {S3}")


def _within(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise ValueError(f"{name} is {value}, but must be from {low} to {high}")
