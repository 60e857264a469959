"""Lists whose items are judged one by one: a wrong one does not keep its neighbours out."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from pydantic import ValidationError

from functions.domain.errors import InvalidInputError
from functions.handlers.models.common import Rejection
from functions.handlers.problems import field_errors

T = TypeVar("T")


def judged(items: Iterable[Any], judge: Callable[[int, Any], T]) -> tuple[list[T], list[Rejection]]:
    """What `judge` makes of each item and its position, and the first fault of each that it can't take.

    It says so by pydantic's ValidationError or by InvalidInputError; what else it raises concerns the whole list.
    """
    accepted: list[T] = []
    rejected: list[Rejection] = []
    for index, item in enumerate(items):
        try:
            accepted.append(judge(index, item))
        except (ValidationError, InvalidInputError) as error:
            faults = error.errors if isinstance(error, InvalidInputError) else field_errors(error.errors())
            rejected.append(Rejection(index=index, field=faults[0].field, error=faults[0].error))
    return accepted, rejected
