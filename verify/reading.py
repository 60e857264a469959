"""Reads through the API: a missing resource is None, and lists are complete."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from local.api import Api, ApiError

NOT_FOUND = 404


def pages(api: Api, *path: str, **parameters: str | int) -> Iterator[dict[str, Any]]:
    """The pages of a list; none if the owner of the list does not exist."""
    try:
        yield from api.pages(*path, **parameters)
    except ApiError as error:
        if error.status != NOT_FOUND:
            raise


def get(api: Api, *path: str, **parameters: str | int) -> dict[str, Any] | None:
    """One response; None if the resource does not exist."""
    try:
        return api.get(*path, **parameters)
    except ApiError as error:
        if error.status != NOT_FOUND:
            raise
        return None


def fields(answer: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Some fields of a response."""
    return {name: answer[name] for name in names}


def rounded(mean: Decimal | float) -> float:
    """A mean to twelve significant digits, because a quotient may have no exact decimal form."""
    return float(f"{mean:.12g}")
