"""Sends the requests of a run's shares concurrently, and adds up their cost."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from decimal import Decimal
from itertools import zip_longest
from random import Random

from ops.api import Answer, Api
from ops.errors import LocalError
from ops.threads import PARALLEL
from verify.share import Request, Share
from verify.target import Target

Cost = Counter[str]


class RefusedError(LocalError):
    """The deployment refused a request."""


def rounds(shares: Sequence[Share], rng: Random) -> Iterator[list[Request]]:
    """The rounds of all shares together, each in its own order."""
    for together in zip_longest(*(share.rounds for share in shares), fillvalue=()):
        requests = [request for of_share in together for request in of_share]
        yield rng.sample(requests, len(requests))


def send_all(api: Api, requests: Sequence[Request], done: Callable[[int], None]) -> Cost:
    """Send requests, each `times` times; returns their cost. Raises RefusedError, ApiError."""
    cost: Cost = Counter()
    with _finishing() as pool:
        for answers in pool.map(lambda request: _send(api, request), requests):
            for answer in answers:
                cost += _cost(answer)
            done(1)
    return cost


@contextmanager
def _finishing() -> Iterator[ThreadPoolExecutor]:
    """A few threads. If the block fails, requests in flight end first, so nothing is stored after the removal."""
    with ThreadPoolExecutor(PARALLEL) as pool:
        try:
            yield pool
        except BaseException:  # also on an interrupt
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def enqueue(target: Target, shares: Sequence[Share]) -> None:
    """Send each queued body twice, because a queue may deliver a message twice."""
    queue, url = target.client("sqs"), target.outputs["TelemetryQueueUrl"]
    for share in shares:
        for body in share.queued:
            for _ in range(2):
                queue.send_message(QueueUrl=url, MessageBody=json.dumps(body))


def _send(api: Api, request: Request) -> list[Answer]:
    answers = [
        api.call(request.method, *request.path, body=request.body, headers=request.headers)
        for _ in range(request.times)
    ]
    for answer in answers:
        if request.accepted is not None and answer.body["accepted"] != request.accepted:
            raise RefusedError(
                f"{answer.asked}: accepted {answer.body['accepted']} of {request.accepted}: {answer.body}"
            )
    return answers


def _cost(answer: Answer) -> Cost:
    """In thousandths, as counters count whole numbers."""
    units = {"read units": answer.read_units, "write units": answer.write_units}
    return Counter({name: int(Decimal(text) * 1000) for name, text in units.items()}) + Counter({"requests": 1000})
