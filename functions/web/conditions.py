"""Conditional requests (RFC 9110, section 13): the entity tag of a versioned resource is its version in quotes."""

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from aws_lambda_powertools.event_handler.openapi.params import Header
from pydantic import AfterValidator, WithJsonSchema

from edgewise import FieldError, InvalidInputError
from functions.preconditions import ANY, NONE, Expected

_TAG = re.compile(r'"([1-9][0-9]{0,8})"', re.ASCII)
_ANY = "*"
_HEADERS = ("If-Match", "If-None-Match")


def _tag(text: str) -> str:
    if text != _ANY and not _TAG.fullmatch(text):
        raise ValueError('must be one version in quotes, such as "3", or *')
    return text


def _any(text: str) -> str:
    if text != _ANY:
        raise ValueError("must be * here: nothing may be stored yet")
    return text


_OneTag = Annotated[
    str, AfterValidator(_tag), WithJsonSchema({"type": "string", "pattern": r'^("[1-9][0-9]{0,8}"|\*)$'})
]
_Anything = Annotated[str, AfterValidator(_any), WithJsonSchema({"type": "string", "const": _ANY})]

IfMatch = Annotated[
    _OneTag | None,
    Header(alias="If-Match", description='write only if this is the current version, such as "3"; *: if any exists'),
]
IfAbsent = Annotated[_Anything | None, Header(alias="If-None-Match", description="*: store it only if none exists yet")]
IfChanged = Annotated[
    _OneTag | None,
    Header(alias="If-None-Match", description='respond with 304 if this is still the version, such as "3"; *: any'),
]


def expected(if_match: str | None, if_absent: str | None) -> Expected | None:
    """The version that a write expects, if any; raises InvalidInputError for two conditions."""
    if if_match and if_absent:
        raise InvalidInputError.of("If-None-Match", "can't be combined with If-Match")
    if if_absent:
        return NONE
    if if_match is None:
        return None
    found = _TAG.fullmatch(if_match)
    return Expected(int(found[1])) if found else ANY


def tag(version: int) -> str:
    """The entity tag of a version."""
    return f'"{version}"'


def is_known(version: int, if_changed: str | None) -> bool:
    """Whether the caller of a GET already has this version."""
    return if_changed in (_ANY, tag(version))


def must_be_heeded(headers: Mapping[str, Any], taken: Iterable[str]) -> None:
    """Raise InvalidInputError that names each condition that a writing route would ignore."""
    heeded = {name.lower() for name in taken}
    unheeded = [name for name in _HEADERS if name.lower() in headers and name.lower() not in heeded]
    if unheeded:
        raise InvalidInputError([FieldError(name, "is not taken by this route") for name in unheeded])
