"""How people name an aggregate: its kind, and a text, a path or an instant for each part of what it is about."""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_origin

from edgewise import AggregateId, InvalidInputError, Kind, rfc_3339
from edgewise.aggregates.keys import summarized
from functions.catalog import CATALOG
from functions.systems.operations.models import Named

Form = Literal["text", "path", "instant"]
_PATH, _INSTANT = "path", "block"


@dataclass(frozen=True)
class Part:
    """One part of an aggregate's name: what it is, and the form in which people write it."""

    name: str
    form: Form


def parts(kind: Kind) -> list[Part]:
    """What names an aggregate of a kind: the entity that it is the summary of, or the parameters of its key."""
    if kind.parse is summarized:
        return [Part(kind.partitions.name.lower(), "text")]
    return [_part(each) for each in inspect.signature(kind.key).parameters.values()]


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
    known = parts(about.kind)
    return [_spelled(part, value) for part, value in zip(known, about.dimensions, strict=True)]


def _part(parameter: inspect.Parameter) -> Part:
    name = parameter.name.removesuffix("_id").removesuffix("_name")
    if name == _INSTANT:
        return Part(name, "instant")
    written = get_origin(parameter.annotation) or parameter.annotation
    is_path = name == _PATH or (isinstance(written, type) and issubclass(written, tuple))
    return Part(name, "path" if is_path else "text")


def _spelled(part: Part, value: object) -> Named:
    if part.form == "instant":
        assert isinstance(value, int)
        return rfc_3339(value)
    return list(value) if isinstance(value, tuple) else str(value)
