"""The verdict of a probe on one assumption, and the names of the assumptions in docs/exactly-once.md."""

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
    "statements-allowed",
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
    """The observation of one assumption."""

    name: str
    verdict: Says
    what: str


def seen(name: str, holds: bool, what: str) -> Seen:
    """The observation of an assumption that holds or does not."""
    return Seen(name, "holds" if holds else "differs", what)


def unseen(name: str, why: str) -> Seen:
    """An assumption that could not be observed, and the reason."""
    return Seen(name, "not observable here", why)
