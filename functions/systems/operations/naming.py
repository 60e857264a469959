"""How people name an aggregate: its kind, and a text, a path or an instant for each dimension."""

from collections.abc import Sequence

from edgewise import AggregateId, InvalidInputError, rfc_3339
from functions.catalog import CATALOG
from functions.systems.operations.models import Named


def named(kind: str, dimensions: Sequence[Named | int]) -> AggregateId:
    """The aggregate that people name; raises InvalidInputError if there can be none of that name."""
    if kind not in CATALOG.kinds:
        raise InvalidInputError.of("kind", f"must be one of {', '.join(sorted(CATALOG.kinds))}")
    try:
        return CATALOG.named_by_people(kind, dimensions)
    except (TypeError, ValueError) as error:
        raise InvalidInputError.of("dimensions", f"name no {kind}: {error}") from error


def spelled(about: AggregateId) -> list[Named]:
    """What an aggregate is about as people write it: the inverse of `named`."""
    return [_spelled(value) for value in about.dimensions]


def _spelled(value: object) -> Named:
    if isinstance(value, int):
        return rfc_3339(value)
    return list(value) if isinstance(value, tuple) else str(value)
