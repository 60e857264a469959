"""What a month of open sockets costs on AWS, from what was measured."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from benchmarks.bill.prices import OF_PUSH, PRICES

DAYS: Final = 30
HOURS, MINUTES = DAYS * 24, DAYS * 24 * 60
# A token lasts a quarter of an hour, and with it a socket.
SOCKETS_AN_HOUR: Final = 4
SUBSCRIPTIONS: Final = 2
# The ticket and its deletion; the connection with its entry in the list, and both deleted; the user's item, changed for
# each of these and for each subscription; each subscription with its entry, and both deleted.
WRITES_A_SOCKET: Final = 2 + 4 + 2 + SUBSCRIPTIONS + SUBSCRIPTIONS * 4
SENDER_GB: Final = 1.769
# A frame in so many seconds for each connection; each notice is for so many subscribers.
SECONDS_A_FRAME, SUBSCRIBERS_A_NOTICE = 10, 10
# A notice is sent to the queue, received and deleted, ten at a time.
QUEUE_REQUESTS_A_NOTICE: Final = 0.3
# What a notice reads, strongly consistent: its subscriptions, and the answer.
READS_A_NOTICE: Final = 2


@dataclass(frozen=True)
class Sockets:
    """So many connections around the clock; `cpu_ms` of the sender for each frame, as measured."""

    connections: int
    cpu_ms: float


def costs(load: Sockets) -> Mapping[str, float]:
    """USD a month by what is billed."""
    frames = load.connections * DAYS * 86_400 / SECONDS_A_FRAME
    notices, sockets = frames / SUBSCRIBERS_A_NOTICE, load.connections * HOURS * SOCKETS_AN_HOUR
    return {
        "open connections": _usd("connection minutes", load.connections * MINUTES),
        "frames": _usd("socket messages", frames + sockets * (1 + SUBSCRIPTIONS)),
        "the sender": _usd("Lambda duration", frames * load.cpu_ms / 1000 * SENDER_GB)
        + _usd("Lambda requests", notices / 10),
        "notices in the queue": _usd("SQS", notices * QUEUE_REQUESTS_A_NOTICE),
        "reads for notices": _usd("DynamoDB reads", notices * READS_A_NOTICE),
        "tickets, connections, subscriptions": _usd("DynamoDB writes", sockets * WRITES_A_SOCKET)
        + _usd("Lambda requests", sockets * (3 + SUBSCRIPTIONS)),
    }


def _usd(of: str, amount: float) -> float:
    return {**PRICES, **OF_PUSH}[of].of(amount)
