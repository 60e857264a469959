"""Throttled requests: the SDK retries them; a request that still fails raises an error that says what was short."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from botocore.exceptions import ClientError

from edgewise import clock, surroundings
from edgewise.errors import PassingError

ROUNDS = 8
# Two of DynamoDB's errors spell the member with their reasons with a capital letter, one without.
_REASONS = {
    "ProvisionedThroughputExceededException": "ThrottlingReasons",
    "RequestLimitExceeded": "ThrottlingReasons",
    "ThrottlingException": "throttlingReasons",
}
# Part of the message of a throttled action of a transaction, which has no reasons: as DynamoDB's API documents it.
_BY_INDEX = "one or more global secondary indexes"
_HOT_ENTRIES = "IndexWriteKeyRangeThroughputExceeded"
_HOT_WRITES = frozenset({"TableWriteKeyRangeThroughputExceeded", _HOT_ENTRIES})


class UnprocessedError(PassingError):
    """The table did not process a request, or part of it; the same request may succeed a little later."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the table is busy: {why}")


class NoTimeLeftError(UnprocessedError):
    """The time of a request to the API ended before all of its requests to the table had begun."""

    def __init__(self) -> None:
        super().__init__("no time was left for a request")


@dataclass(frozen=True)
class Shortage:
    """What was short, in DynamoDB's words (`TableWriteKeyRangeThroughputExceeded`), and the ARN of the resource."""

    reason: str
    resource: str


class ThrottledError(UnprocessedError):
    """DynamoDB refused a request and all its retries for lack of capacity; `shortages` says of what."""

    def __init__(self, shortages: tuple[Shortage, ...]) -> None:
        super().__init__(", ".join(shortage.reason for shortage in shortages) or "a request was throttled")
        self.shortages = shortages

    @property
    def by_hot_keys(self) -> bool:
        """Whether the keys written are in a partition that gets more writes than it can take."""
        return any(shortage.reason in _HOT_WRITES for shortage in self.shortages)

    def by_hot_entries(self, index: str) -> bool:
        """Whether the entries in this index are in a partition that gets more writes than it can take."""
        return any(
            shortage.reason == _HOT_ENTRIES and shortage.resource.endswith(f"/index/{index}")
            for shortage in self.shortages
        )


class CrowdedError(UnprocessedError):
    """A transaction was canceled, however often it was sent: an index has no capacity for entries of some `actions`.

    DynamoDB says this in words only. It tells neither which index, nor whether one key range of it is too hot.
    """

    def __init__(self, actions: frozenset[int]) -> None:
        super().__init__("an index has no capacity for a transaction")
        self.actions = actions


def crowding(reasons: Sequence[Mapping[str, Any]]) -> frozenset[int]:
    """The positions of the actions that were throttled by an index, of those that a canceled transaction names."""
    return frozenset(
        position
        for position, reason in enumerate(reasons)
        if reason["Code"] == "ThrottlingError" and _BY_INDEX in reason.get("Message", "")
    )


def throttled(error: ClientError) -> ThrottledError | None:
    """The ThrottledError for the error of a throttled request; None for an error of another kind."""
    response: Mapping[str, Any] = error.response
    member = _REASONS.get(response["Error"]["Code"])
    if member is None:
        return None
    reasons = response.get(member) or ()
    return ThrottledError(tuple(Shortage(each.get("reason", ""), each.get("resource", "")) for each in reasons))


def check(until: float) -> None:
    """Raises NoTimeLeftError once the monotonic clock has reached `until` (seconds)."""
    if monotonic() >= until:
        raise NoTimeLeftError


def rounds(until: float = math.inf) -> Iterator[int]:
    """Attempts with growing, jittered pauses; raises UnprocessedError when the attempts or the time are used up."""
    for attempt in range(ROUNDS):
        if attempt:
            pause = surroundings.uniform(0, 0.05 * 2**attempt)
            check(until - pause)
            clock.sleep(pause)
        yield attempt
    raise UnprocessedError(f"a request was still not fully processed after {ROUNDS} attempts")
