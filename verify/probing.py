"""What a probe says of one assumption, and the names under which docs/exactly-once.md lists them."""

from dataclasses import dataclass
from typing import Literal

Says = Literal["holds", "differs", "not observable here"]

# In the order of docs/exactly-once.md.
ASSUMPTIONS = (
    "each-change-once",
    "nothing-for-no-change",
    "order-of-one-item",
    "numbers-grow",
    "in-order-the-first-time",
    "shard-id",
    "one-invocation-a-shard",
    "conditional-write",
    "statement-alone",
    "mapping-kept",
    "stream-rights",
    "batch-and-age",
    "window-end",
    "state-kept",
    "shards-described",
    "parents-before-children",
    "transaction-units",
    "refused-units",
    "answer-size",
)


@dataclass(frozen=True)
class Seen:
    """What was seen of an assumption."""

    name: str
    verdict: Says
    what: str


def seen(name: str, holds: bool, what: str) -> Seen:
    """An assumption that was looked at."""
    return Seen(name, "holds" if holds else "differs", what)


def unseen(name: str, why: str) -> Seen:
    """An assumption that could not be looked at."""
    return Seen(name, "not observable here", why)
