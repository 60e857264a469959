"""What a stage promises over a month, and how fast that may be used up before somebody is told (decision 77).

Of each objective, the dashboard shows how much of what is asked, or of the time, is not as it should be.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

# Half of what a request may take, in milliseconds. Answers take some, those of a function that starts a second or two.
TOO_SLOW_MS: Final = 5_000
# How many times faster than evenly a month's budget is spent: a fiftieth of it in an hour, a twentieth in six.
FAST, SLOW = 14.4, 6


@dataclass(frozen=True)
class Objective:
    """What holds for so many percent. `bad`: of how many percent it does not, as math on metrics by their names."""

    says: str
    percent: float
    bad: str

    def burning(self, times: float) -> float:
        """What `bad` is while the budget of a month is spent so many times faster than evenly."""
        return round((100 - self.percent) * times, 4)


DOOR: Final = Objective("the API answers without 5xx, within five seconds", 99.9, "100 * failed / requests + slow")
OBJECTIVES: Final[Mapping[str, Objective]] = {
    "api": DOOR,
    "queue": Objective("readings in the queue wait less than ten minutes", 99.9, "IF(waiting >= 600, 100, 0)"),
    "push": Objective("what subscribers are told reaches them", 99, "100 * missed / (sent + missed)"),
    "aggregates": Objective("numbers have changes of 15 minutes ago", 99.9, "IF(consumer >= 900000, 100, 0)"),
    "follow-ups": Objective(
        "what follows from changes is there after 15 minutes", 99.9, "IF(cascade >= 900000, 100, 0)"
    ),
    "search": Objective("what has changed is found after 15 minutes", 99, "IF(waiting >= 900, 100, 0)"),
    "complete": Objective("no number lacks a change", 100, "lacking"),
    "exact": Objective("no check finds a number that is wrong", 100, "differing"),
}
