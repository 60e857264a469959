"""Kinds that have a part more, or less, for the time of a test."""

from dataclasses import replace
from unittest.mock import _patch_dict, patch

from edgewise.aggregates.kinds import Feature, Kind


def with_part(kind: Kind, part: Feature) -> _patch_dict:
    """The kind has a part more, which is in place of its own of that class."""
    return _patched(kind, (*(each for each in kind.parts if not isinstance(each, type(part))), part))


def without(kind: Kind, of: type[Feature]) -> _patch_dict:
    """The kind lacks its part of a class, if it has one."""
    return _patched(kind, tuple(part for part in kind.parts if not isinstance(part, of)))


def _patched(kind: Kind, parts: tuple[Feature, ...]) -> _patch_dict:
    # Also what the kind has computed of its parts is computed anew.
    return patch.dict(vars(kind), vars(replace(kind, parts=parts)), clear=True)
