"""Repeats a request to a busy server: not before the server allows it, and as long as the server gets anywhere."""

import random
import time
from collections.abc import Callable

import requests

# Answers that say nothing of the request: the server, or what is behind it, has no time for it.
BUSY = frozenset({429, 503, 504})
# Attempts in a row that met no server at all.
LOST = 3
# Seconds without an answer to any request after which nobody waits any longer.
PATIENCE = 600.0
# Seconds: the first pause if the answer names none (those of API Gateway itself name none), and the longest pause.
FIRST, LONGEST = 1.0, 30.0
# Pauses differ, so clients that were refused together do not retry together.
SPREAD = 0.5

Send = Callable[[], requests.Response]


class Retries:
    """The retries of all requests to one server, from several threads: while it answers one of them, all may go on."""

    def __init__(self) -> None:
        self._answered = time.monotonic()

    def persistent(self, send: Send, attempts: float) -> requests.Response:
        """The first answer to a repeatable request that is not "busy", or else the last one.

        The last one comes after so many attempts, or when the server has answered nothing for PATIENCE. The third
        attempt in a row that meets no server raises the error of `requests`; an answer that does not come in time is a
        busy one.
        """
        began, attempt, lost = time.monotonic(), 0, 0
        while True:
            attempt += 1
            try:
                answer = send()
            except (requests.ConnectionError, requests.Timeout) as error:
                lost = 0 if isinstance(error, requests.ReadTimeout) else lost + 1
                if lost == LOST or self._ends(attempt, attempts, began):
                    raise
                time.sleep(_pause(attempt, ""))
                continue
            lost = 0
            if answer.status_code not in BUSY:
                self._answered = time.monotonic()
                return answer
            if self._ends(attempt, attempts, began):
                return answer
            time.sleep(_pause(attempt, answer.headers.get("Retry-After", "")))

    def _ends(self, attempt: int, attempts: float, began: float) -> bool:
        return attempt >= attempts or time.monotonic() - max(began, self._answered) > PATIENCE


def _pause(attempt: int, asked: str) -> float:
    seconds = float(asked) if asked.isdecimal() else FIRST * 2.0 ** min(attempt - 1, 9)
    return min(seconds, LONGEST) * random.uniform(1, 1 + SPREAD)
