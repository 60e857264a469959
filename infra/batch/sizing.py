"""The states that size a job by the table's items, and refuse a check that can't end before anything is exported."""

import math
from dataclasses import dataclass
from typing import Final

from infra.batch.settings import VCPUS_A_WORKER, BatchSettings
from infra.batch.states import REQUEST_SECONDS, State, States, catch, choice, retry

# CPU of a check for each item (`make bench-batch`, docs/batch.md), until the job's processes work, and the longest that
# a job should take: about half of what it may.
ITEM_MICROSECONDS: Final = 369
START_SECONDS: Final = 60
LONGEST_SECONDS: Final = 3600
# With fewer a job takes longer, and costs no less.
LEAST_VCPUS: Final = BatchSettings().vcpus
# What a worker does in an hour.
_A_WORKER: Final = VCPUS_A_WORKER * (LONGEST_SECONDS - START_SECONDS)


def wanted(cpu_seconds: float) -> int:
    """How many processors do so much work in an hour; those of the driver, which does none of it, among them."""
    return max(LEAST_VCPUS, VCPUS_A_WORKER * (math.ceil(cpu_seconds / _A_WORKER) + 1))


def most_items(vcpus: int, seconds: int) -> int:
    """How many items a check can have that ends in so many seconds."""
    return int((vcpus - VCPUS_A_WORKER) * (seconds - START_SECONDS) * 1e6 / ITEM_MICROSECONDS)


@dataclass(frozen=True)
class Sizing:
    """The table's ARN, how many processors a job may take at once, and how many seconds.

    `vcpus` becomes how many it does take: as many as end it in an hour.
    """

    table: str
    most: int
    seconds: int

    def states(self, then: str) -> States:
        """From `How large?` on. DynamoDB counts the items every six hours."""
        too_large = f"$run.kind = 'reconcile' and $items > {most_items(self.most, self.seconds)}"
        return {
            "How large?": {
                "Type": "Task",
                "Resource": "arn:aws:states:::aws-sdk:dynamodb:describeTable",
                "Arguments": {"TableName": self.table},
                "TimeoutSeconds": REQUEST_SECONDS,
                "Assign": {"items": "{% $states.result.Table.ItemCount %}", "vcpus": self._wanted()},
                "Retry": [retry("States.ALL")],
                "Catch": catch("Failed"),
                "Next": "Can it end?",
            },
            "Can it end?": choice(too_large, "Too large", then),
            "Too large": {"Type": "Pass", "Assign": {"error": self._error()}, "Next": "Failed"},
        }

    def _wanted(self) -> str:
        """As `wanted`, and no more than the stage lets a job have."""
        return f"{{% $min([$max([{LEAST_VCPUS}, {_needed('$states.result.Table.ItemCount')}]), {self.most}]) %}}"

    def _error(self) -> State:
        """What to set is what ends it in an hour."""
        set_to = f"$string({_needed('$items')})"
        told = f"' items can not end with {self.most} processors: set vcpus = ' & {set_to} & ' in [batch]'"
        return {"Error": "TableTooLarge", "Cause": f"{{% 'a check of ' & $string($items) & {told} %}}"}


def _needed(items: str) -> str:
    """How many processors end a check of so many items in an hour, in JSONata."""
    return f"{VCPUS_A_WORKER} * ($ceil({items} * {ITEM_MICROSECONDS} / {_A_WORKER * 1_000_000}) + 1)"
