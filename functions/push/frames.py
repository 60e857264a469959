"""What clients are sent: each frame says its `type`, and has one line of JSON."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from http import HTTPStatus
from typing import Any

from edgewise import InvalidInputError, Millis, rfc_3339
from edgewise.errors import EdgewiseError
from functions.push import interest
from functions.web.problems import STATUS

# An answer is sent if it fits into one frame of API Gateway, and new items if they fit into a message, of 128 KB. Of
# what is larger it is only said that it changed, and the client reads it.
MOST_BYTES, MOST_ADDED = 32_000, 128_000


def subscribed(address: str) -> str:
    """What changes is sent from now on, or `settles_ms` later at the latest."""
    return _frame("subscribed", address=address, settles_ms=interest.LATEST)


def unsubscribed(address: str) -> str:
    """Nothing more is sent."""
    return _frame("unsubscribed", address=address)


def pong() -> str:
    """The answer to a ping."""
    return _frame("pong")


def added(address: str, items: Sequence[str]) -> str:
    """New items of the list at an address, given as JSON; only that it has changed if they are too large."""
    frame = _with(_frame("added", address=address), "items", f"[{','.join(items)}]")
    return frame if len(frame.encode()) <= MOST_ADDED else changed(address)


def withdrawn(address: str, items: Sequence[str]) -> str:
    """What names items of the list at an address that were taken back, given as JSON."""
    return _with(_frame("withdrawn", address=address), "items", f"[{','.join(items)}]")


def answer(address: str, body: str, at: Millis) -> str:
    """What an address answers, given as JSON, read then or later; only that it has changed if the answer is too large.

    Frames may overtake each other, so a client drops an answer that was read before the one that it shows.
    """
    frame = _with(_frame("answer", address=address, read_at=rfc_3339(at)), "body", body)
    return frame if len(frame.encode()) <= MOST_BYTES else changed(address)


def changed(address: str) -> str:
    """What an address answers has changed."""
    return _frame("changed", address=address)


def problem(error: EdgewiseError, address: str | None) -> str:
    """A request that was refused, as problem details."""
    faults = error.errors if isinstance(error, InvalidInputError) else ()
    status = HTTPStatus.BAD_REQUEST if faults else STATUS[type(error)]
    errors = [asdict(each) for each in faults]
    details = {"type": "about:blank", "title": status.phrase, "status": status, "detail": str(error), "errors": errors}
    details |= error.members
    return _frame("problem", address=address, problem=details)


def _with(frame: str, name: str, value: str) -> str:
    """The frame with one more member, whose value is JSON."""
    return f'{frame[:-1]},"{name}":{value}}}'


def _frame(kind: str, **members: Any) -> str:
    return json.dumps({"type": kind, **members}, ensure_ascii=False, separators=(",", ":"))
