"""Request bodies as JSON, with exact decimals and size limits."""

import json
from collections import Counter
from decimal import Decimal
from typing import Any

from edgewise import InvalidInputError
from functions.web.problems import shortened

# More than any valid object has: a request with hundreds of thousands gets its response before the timeout.
MAX_MEMBERS = 10_000


def parse_json(text: str) -> Any:
    """JSON with exact decimals.

    Raises JSONDecodeError also for NaN, infinities, values that Python can't hold, and more than MAX_MEMBERS members;
    InvalidInputError for an object with two members of one name, of which another reader may take the other.
    """
    try:
        return json.loads(text, parse_float=Decimal, parse_constant=_refuse, object_pairs_hook=_object)
    except json.JSONDecodeError:
        raise
    except (ValueError, ArithmeticError, RecursionError) as error:
        raise json.JSONDecodeError("a number or a nesting is out of all bounds", text, 0) from error


def parse_body(text: str) -> Any:
    """A body that is not a list: Powertools would take a list's first element and drop the others."""
    body = parse_json(text)
    if isinstance(body, list):
        raise json.JSONDecodeError("a list in place of an object", text, 0)
    return body


def _refuse(constant: str) -> Any:
    raise json.JSONDecodeError(f"{constant} is not JSON", constant, 0)


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(members) > MAX_MEMBERS:
        raise json.JSONDecodeError(f"an object has more than {MAX_MEMBERS} members", "", 0)
    found = dict(members)
    if len(found) < len(members):
        counts = Counter(name for name, _ in members)
        twice = next(name for name, count in counts.items() if count > 1)
        # Half of a surrogate pair can't be sent back.
        raise InvalidInputError.of(shortened(twice.encode(errors="replace").decode()) or "body", "must not be repeated")
    return found
