"""Repeats a request to a busy server: not before the server allows it, after pauses that differ, and not forever."""

import random
import time
from collections.abc import Callable

import requests

BUSY = frozenset({429, 503})
# The greatest number of attempts, and of attempts in a row without an answer.
ATTEMPTS, LOST = 10, 3
# Seconds: the first pause if the answer names none (those of API Gateway itself name none), and the longest pause.
FIRST, LONGEST = 1.0, 30.0
# Pauses differ, so clients that were refused together do not retry together.
SPREAD = 0.5


def persistent(send: Callable[[], requests.Response]) -> requests.Response:
    """The first answer to a repeatable request that is not "busy", or else the tenth answer.

    The first two lost connections in a row count as a busy server; the third raises the error of `requests`.
    """
    lost = 0
    for attempt in range(ATTEMPTS - 1):
        answer = _unless_lost(send)
        if answer is not None and answer.status_code not in BUSY:
            return answer
        lost = lost + 1 if answer is None else 0
        time.sleep(_pause(attempt, answer))
        if lost == LOST - 1:
            break
    return send()


def _unless_lost(send: Callable[[], requests.Response]) -> requests.Response | None:
    try:
        return send()
    except (requests.ConnectionError, requests.Timeout):
        return None


def _pause(attempt: int, answer: requests.Response | None) -> float:
    asked = "" if answer is None else answer.headers.get("Retry-After", "")
    seconds = float(asked) if asked.isdecimal() else FIRST * 2**attempt
    return min(seconds, LONGEST) * random.uniform(1, 1 + SPREAD)
