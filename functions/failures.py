"""The one place that tells passing faults from poison.

A passing fault has its cause in the table, the network or this process: the same work succeeds later, so it is raised,
and the batch is delivered again. Poison has its cause in the input: the work fails again however often it is repeated,
so it is set aside, and everything beside it goes on.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from botocore.exceptions import BotoCoreError, ClientError

from functions.errors import PassingError

# What DynamoDB says of a request that it will never take. Whatever else it says may change: throttles and outages do,
# and so do rights and tables that are missing because a deployment went wrong.
_INVALID = frozenset({"ValidationException", "SerializationException", "ItemCollectionSizeLimitExceededException"})
_INVALID_ACTION = "ValidationError"


class PoisonError(Exception):
    """Work that fails by its input; `reason` says how, in one line."""

    def __init__(self, error: Exception) -> None:
        self.reason = f"{type(error).__name__}: {error}".replace("\n", " ")
        super().__init__(self.reason)


@contextmanager
def sorted_out() -> Iterator[None]:
    """Raises what passes as it is, and PoisonError for everything else that goes wrong inside."""
    try:
        yield
    except Exception as error:  # the one place where all are caught: nobody foresees what an input may cause
        if is_passing(error):
            raise
        raise PoisonError(error) from error


def is_passing(error: Exception) -> bool:
    """Whether the same work may succeed later."""
    if isinstance(error, ClientError):
        response = error.response
        reasons = response.get("CancellationReasons", ())
        invalid = response["Error"]["Code"] in _INVALID or any(each["Code"] == _INVALID_ACTION for each in reasons)
        return not invalid
    return isinstance(error, PassingError | BotoCoreError | OSError | MemoryError)
