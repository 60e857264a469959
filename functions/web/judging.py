"""Lists whose items are judged one by one: a wrong one does not keep its neighbours out."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from aws_lambda_powertools.metrics import MetricUnit
from pydantic import ValidationError

from functions.errors import InvalidInputError
from functions.observability import metrics
from functions.web.common import Rejection
from functions.web.problems import field_errors, shortened

T = TypeVar("T")

# More than any item that is taken has. Hundreds of thousands of faults, each found and worded, would take seconds.
MAX_MEMBERS = 256


def judged(items: Iterable[Any], judge: Callable[[int, Any], T]) -> tuple[list[T], list[Rejection]]:
    """What `judge` makes of each item and its position, and the first fault of each that it can't take.

    It says so by pydantic's ValidationError or by InvalidInputError; what else it raises concerns the whole list.
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
    """Raise InvalidInputError that names the object, in the item or the item itself, that has too many members."""
    members = item.items() if isinstance(item, dict) else ()
    crowded = [name for name, member in members if isinstance(member, dict | list) and len(member) > MAX_MEMBERS]
    if crowded or len(members) > MAX_MEMBERS:
        raise InvalidInputError.of(shortened(crowded[0]) if crowded else "body", f"has more than {MAX_MEMBERS} members")
