"""Repeats a request to a busy server: not before the server allows it, and as long as the server gets anywhere."""

import random
import time
from collections.abc import Callable
from http import HTTPStatus

import requests
from requests.exceptions import ChunkedEncodingError, ContentDecodingError
from urllib3.exceptions import NewConnectionError

# Answers that say nothing of the request: the server, or what is behind it, has no time for it. The local cloud says
# 502 of a function whose time has run out.
BUSY = frozenset({429, 502, 503, 504})
# What an attempt ends with instead of an answer: nobody is there, nothing came in time, or only the half of it.
BROKEN = (requests.ConnectionError, requests.Timeout, ChunkedEncodingError, ContentDecodingError)
# Which attempt in a row that failed in the same way is the last: what is no lack of time will not pass.
LAST = 3
# Seconds without an answer to any request after which nobody waits any longer.
PATIENCE = 600.0
# Seconds: the first pause if the answer names none (those of API Gateway itself name none), and the longest pause.
FIRST, LONGEST = 1.0, 30.0
# Pauses differ, so clients that were refused together do not retry together.
SPREAD = 0.5

Send = Callable[[], requests.Response]
Outcome = requests.Response | requests.RequestException


class Retries:
    """The retries of all requests to one server, from several threads: while it answers one of them, all may go on."""

    def __init__(self) -> None:
        self._answered = time.monotonic()

    def persistent(self, send: Send, attempts: float) -> requests.Response:
        """The first whole answer to a repeatable request that is neither "busy" nor a fault, or else the last one.

        The last one comes after so many busy attempts, when the server has answered nothing for PATIENCE, or when the
        same fault comes for the third time in a row. If it is no whole answer, its error of `requests` is raised.
        """
        began, attempt, same, before = time.monotonic(), 0, 0, None
        while True:
            attempt += 1
            outcome = _tried(send)
            fault = _fault(outcome)
            if fault is None and not _is_busy(outcome):
                self._answered = time.monotonic()
                return _answer(outcome)
            same, before = same + 1 if fault == before else 1, fault
            ends = attempt >= attempts if fault is None else same == LAST
            if ends or time.monotonic() - max(began, self._answered) > PATIENCE:
                return _answer(outcome)
            time.sleep(_pause(attempt, outcome))


def is_refused(error: requests.RequestException) -> bool:
    """Whether no program listens at the address."""
    return isinstance(getattr(error.args[0] if error.args else None, "reason", None), NewConnectionError)


def _tried(send: Send) -> Outcome:
    try:
        answer = send()
    except BROKEN as error:
        return error
    return answer if _is_whole(answer) else ChunkedEncodingError("the answer ends before its body", response=answer)


def _is_whole(answer: requests.Response) -> bool:
    """Whether an answer says where it ends; `requests` raises an error if it ends before that."""
    told = answer.headers.get("content-length", "").isdecimal() or "transfer-encoding" in answer.headers
    return told or answer.status_code in (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED)


def _answer(outcome: Outcome) -> requests.Response:
    if isinstance(outcome, requests.RequestException):
        raise outcome
    return outcome


def _is_busy(outcome: Outcome) -> bool:
    return isinstance(outcome, requests.RequestException) or outcome.status_code in BUSY


def _fault(outcome: Outcome) -> object:
    """What failed, if it was not for lack of time: equal for what failed in the same way; None if nothing did."""
    if isinstance(outcome, requests.RequestException):
        return NewConnectionError if is_refused(outcome) else None
    return outcome.content if outcome.status_code == HTTPStatus.INTERNAL_SERVER_ERROR else None


def _pause(attempt: int, outcome: Outcome) -> float:
    asked = "" if isinstance(outcome, requests.RequestException) else outcome.headers.get("Retry-After", "")
    seconds = float(asked) if asked.isdecimal() else FIRST * 2.0 ** min(attempt - 1, 9)
    return min(seconds, LONGEST) * random.uniform(1, 1 + SPREAD)
