"""The one place that tells transient errors from poison.

A transient error has its cause in the table, the network or this process: the same work succeeds later, so the error is
raised, and the batch is delivered again. Poison has its cause in the input: the work fails however often it is
repeated, so the input is set aside, and everything else goes on.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from botocore.exceptions import BotoCoreError, ClientError

from edgewise.errors import PassingError

# DynamoDB's error codes for requests that it will never accept. All its other errors may pass: throttling and outages
# do, and so do missing permissions and tables after a deployment went wrong.
_INVALID = frozenset({"ValidationException", "SerializationException", "ItemCollectionSizeLimitExceededException"})
_INVALID_ACTION = "ValidationError"


class PoisonError(Exception):
    """Work that fails because of its input; `reason` says how, in one line."""

    def __init__(self, error: Exception) -> None:
        self.reason = f"{type(error).__name__}: {error}".replace("\n", " ")
        super().__init__(self.reason)


@contextmanager
def sorted_out() -> Iterator[None]:
    """Re-raises transient errors unchanged, and raises PoisonError for every other error inside the block."""
    try:
        yield
    except Exception as error:  # the one place that catches everything: an input may cause any error
        if is_passing(error):
            raise
        raise PoisonError(error) from error


@contextmanager
def unless_passing(told: Callable[[Exception], None]) -> Iterator[None]:
    """Goes on after a transient error inside the block, of which `told` is told; re-raises every other error."""
    try:
        yield
    except Exception as error:
        if not is_passing(error):
            raise
        told(error)


def is_passing(error: Exception) -> bool:
    """Whether the same work may succeed later."""
    if isinstance(error, ClientError):
        response = error.response
        reasons = response.get("CancellationReasons", ())
        invalid = response["Error"]["Code"] in _INVALID or any(each["Code"] == _INVALID_ACTION for each in reasons)
        return not invalid
    return isinstance(error, PassingError | BotoCoreError | OSError | MemoryError)


def code_of(error: Exception) -> str:
    """DynamoDB's code of an error, also of poison's; the name of the error if DynamoDB did not answer."""
    cause = error.__cause__ if isinstance(error, PoisonError) else error
    return str(cause.response["Error"]["Code"]) if isinstance(cause, ClientError) else type(cause).__name__
