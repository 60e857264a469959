"""Lists whose items are validated separately: an invalid item does not prevent the others from being stored."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from aws_lambda_powertools.metrics import MetricUnit
from pydantic import ValidationError

from edgewise import InvalidInputError
from edgewise.observability import metrics
from functions.web.common import Rejection
from functions.web.problems import field_errors, shortened

T = TypeVar("T")

# More than any valid item has. To find and describe hundreds of thousands of errors would take seconds.
MAX_MEMBERS = 256


def judged(items: Iterable[Any], judge: Callable[[int, Any], T]) -> tuple[list[T], list[Rejection]]:
    """The result of `judge` for each item and its position, and the first error of each item that it refuses.

    `judge` refuses an item by ValidationError or InvalidInputError; any other exception concerns the whole list.
    """
    accepted: list[T] = []
    rejected: list[Rejection] = []
    for index, item in enumerate(items):
        try:
            _refuse_crowds(item)
            accepted.append(judge(index, item))
        except (ValidationError, InvalidInputError) as error:
            faults = error.errors if isinstance(error, InvalidInputError) else field_errors(error.errors())
            rejected.append(Rejection(index=index, field=faults[0].field, error=faults[0].error))
    if rejected:
        metrics.add_metric("ItemsRejected", MetricUnit.Count, len(rejected))
    return accepted, rejected


def _refuse_crowds(item: Any) -> None:
    """Raise InvalidInputError that names the object with too many members, in the item or the item itself."""
    members = item.items() if isinstance(item, dict) else ()
    crowded = [name for name, member in members if isinstance(member, dict | list) and len(member) > MAX_MEMBERS]
    if crowded or len(members) > MAX_MEMBERS:
        raise InvalidInputError.of(shortened(crowded[0]) if crowded else "body", f"has more than {MAX_MEMBERS} members")
