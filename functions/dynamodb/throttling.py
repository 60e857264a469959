"""What becomes of requests that the table has no capacity for: the SDK repeats them; what still fails is a value."""

import math
import random
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any

from botocore.exceptions import ClientError

from functions.errors import PassingError

ROUNDS = 8
# Two of DynamoDB's errors spell the name of their reasons with a capital letter, one without.
_REASONS = {
    "ProvisionedThroughputExceededException": "ThrottlingReasons",
    "RequestLimitExceeded": "ThrottlingReasons",
    "ThrottlingException": "throttlingReasons",
}
_HOT_WRITES = frozenset({"TableWriteKeyRangeThroughputExceeded", "IndexWriteKeyRangeThroughputExceeded"})


class UnprocessedError(PassingError):
    """The table did not get to a request, or to part of it; the same request may succeed a little later."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the table is busy: {why}")


@dataclass(frozen=True)
class Shortage:
    """What was short, in DynamoDB's words (`TableWriteKeyRangeThroughputExceeded`), and the ARN of where."""

    reason: str
    resource: str


class ThrottledError(UnprocessedError):
    """DynamoDB refused a request for lack of capacity, and every repetition of it; `shortages` says of what."""

    def __init__(self, shortages: tuple[Shortage, ...]) -> None:
        super().__init__(", ".join(shortage.reason for shortage in shortages) or "a request was throttled")
        self.shortages = shortages

    @property
    def by_hot_keys(self) -> bool:
        """Whether keys that were written lie where more is written than one partition can take."""
        return any(shortage.reason in _HOT_WRITES for shortage in self.shortages)


def throttled(error: ClientError) -> ThrottledError | None:
    """What a throttled request's error says; None for an error of another kind."""
    response: Mapping[str, Any] = error.response
    member = _REASONS.get(response["Error"]["Code"])
    if member is None:
        return None
    reasons = response.get(member) or ()
    return ThrottledError(tuple(Shortage(each.get("reason", ""), each.get("resource", "")) for each in reasons))


def check(until: float) -> None:
    """Raises UnprocessedError once the monotonic clock has reached `until` (seconds)."""
    if monotonic() >= until:
        raise UnprocessedError("no time was left for a request")


def rounds(until: float = math.inf) -> Iterator[int]:
    """Attempts with growing, jittered pauses; raises UnprocessedError when they, or the time, are used up."""
    for attempt in range(ROUNDS):
        if attempt:
            pause = random.uniform(0, 0.05 * 2**attempt)
            check(until - pause)
            time.sleep(pause)
        yield attempt
    raise UnprocessedError(f"something was still not processed after {ROUNDS} rounds")
