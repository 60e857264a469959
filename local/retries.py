"""Sending a request again to a server that is busy: not before it says, spread a little, and not for ever."""

import random
import time
from collections.abc import Callable

import requests

BUSY = frozenset({429, 503})
# In all, and of those in a row that nobody answered.
ATTEMPTS, LOST = 10, 3
# Seconds: first and longest pause where the answer names none (API Gateway's own do not), and the longest it may name.
FIRST, LONGEST = 1.0, 30.0
# Clients that were refused together do not come again together.
SPREAD = 0.5


def persistent(send: Callable[[], requests.Response]) -> requests.Response:
    """The answer to a request that may be sent again: the first that is not "busy", or the tenth as it is.

    A connection that was lost is taken for a busy server twice; raises requests' error at the third time in a row.
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
