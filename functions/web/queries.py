"""The query string: no parameter in it is ignored. An unknown parameter is usually misspelt."""

import re
from collections.abc import Iterator, Set
from urllib.parse import parse_qs, unquote_plus

from edgewise import FieldError, InvalidInputError

_HALF_ESCAPE = re.compile("%(?![0-9A-Fa-f]{2})")


def sent(query: str) -> dict[str, list[str]]:
    """The parameters of a query string, with all their values."""
    return parse_qs(query, keep_blank_values=True)


def check(query: str, known: Set[str]) -> None:
    """Raise InvalidInputError unless each parameter is known, given once, and text."""
    if faults := list(_faults(query, known)):
        raise InvalidInputError(faults)


def _faults(query: str, known: Set[str]) -> Iterator[FieldError]:
    for name, values in sent(query).items():
        if name not in known:
            yield FieldError(name, "is not a parameter of this route")
        elif len(values) > 1:
            yield FieldError(name, "must not be repeated")
    for pair in query.split("&"):
        if not _is_text(pair):
            yield FieldError(unquote_plus(pair.partition("=")[0]), "must be UTF-8, percent-encoded")


def _is_text(escaped: str) -> bool:
    try:
        unquote_plus(escaped, errors="strict")
    except UnicodeDecodeError:
        return False
    return not _HALF_ESCAPE.search(escaped)
