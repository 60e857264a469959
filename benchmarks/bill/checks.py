"""What a check of the whole table costs, by the table's size: measured CPU seconds for each item, and prices."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from benchmarks.bill.prices import OF_CHECKS, PRICES
from functions.systems.checks.prices import Used, cost
from infra.batch.bucket import KEPT
from infra.batch.exports import LATE_SECONDS
from infra.batch.settings import VCPUS_A_WORKER
from infra.batch.sizing import START_SECONDS, wanted
from infra.batch.spark_job import DISK_GB, MEMORY_GB
from infra.batch.stack import AROUND, NAME, POLL, VERIFY
from infra.functions import FUNCTIONS

GIB: Final = 1024**3


@dataclass(frozen=True)
class Measured:
    """A check on Spark: CPU seconds of all processes, those before the first item among them."""

    items: int
    cpu_seconds: float
    start_cpu_seconds: float
    item_bytes: int


# `make bench-batch`: chat, telemetry and a graph, with all their aggregates. Bytes as DynamoDB bills them.
MEASURED: Final = Measured(items=4_993_424, cpu_seconds=1852.7, start_cpu_seconds=8.1, item_bytes=266)
# Assumed: the share of the table that is written in a day; the size of a file in the bucket.
WRITTEN_A_DAY: Final = 0.1
FILE_BYTES: Final = 10_000_000
# EMR Serverless bills the disk of a worker beyond these.
FREE_DISK_GB: Final = 20
DAY_SECONDS, MONTH_DAYS = 86_400, 30
# Begin, renew, report; count anew what is in doubt.
CALLS: Final = {NAME: 3, VERIFY: 1}
# For each look at an export, and besides.
LOOK_STATES, STATES = 3, 20


@dataclass(frozen=True)
class Check:
    """A check of a table of so many GB (2^30 bytes, without indexes). Amounts in USD."""

    gigabytes: int

    @property
    def items(self) -> float:
        """How many items the table has."""
        return self.gigabytes * GIB / MEASURED.item_bytes

    @property
    def vcpus(self) -> int:
        """How many the job takes, if the setting `vcpus` lets it have them."""
        return wanted(self.items * _an_item())

    @property
    def table(self) -> float:
        """The export of the table."""
        return _exported(self.gigabytes)

    @property
    def changes(self) -> float:
        """The export of the changes around the instant."""
        return _exported(self.gigabytes * WRITTEN_A_DAY * 2 * AROUND.to_seconds() / DAY_SECONDS)

    @property
    def job(self) -> float:
        """The job, which is billed for all its processors until it ends."""
        hours = self._seconds(self.vcpus) / 3600
        workers = self.vcpus / VCPUS_A_WORKER
        hours_of = (self.vcpus, workers * MEMORY_GB, workers * (DISK_GB - FREE_DISK_GB))
        return float(cost(Used(0, *(Decimal(hours * each) for each in hours_of))))

    @property
    def kept(self) -> float:
        """What the bucket keeps for some days, at most: as if exports were not compressed."""
        months = float(KEPT.to_days()) / MONTH_DAYS
        files = self.gigabytes * GIB / FILE_BYTES
        return OF_CHECKS["S3 storage"].of(self.gigabytes * months) + OF_CHECKS["S3 writes"].of(files)

    @property
    def machine(self) -> float:
        """The state machine and its functions, at most: if exports take as long as they may, and so does each call."""
        looks = 2 * LATE_SECONDS / POLL.to_seconds()
        gb_seconds = sum(
            number * FUNCTIONS[name].timeout_s * FUNCTIONS[name].memory_mb / 1024 for name, number in CALLS.items()
        )
        transitions = OF_CHECKS["Step Functions"].of(looks * LOOK_STATES + STATES)
        return transitions + PRICES["Lambda duration"].of(gb_seconds)

    @property
    def total(self) -> float:
        """All of it."""
        return sum((self.table, self.changes, self.job, self.kept, self.machine))

    @property
    def recovery(self) -> float:
        """A month of point-in-time recovery."""
        return PRICES["DynamoDB recovery"].of(self.gigabytes)

    def _seconds(self, vcpus: int) -> float:
        """How long the job takes with so many processors, of which the driver has some for itself."""
        return START_SECONDS + self.items * _an_item() / (vcpus - VCPUS_A_WORKER)


def _an_item() -> float:
    """CPU seconds."""
    return (MEASURED.cpu_seconds - MEASURED.start_cpu_seconds) / MEASURED.items


def rows(checks: tuple[Check, ...]) -> Iterator[tuple[str, ...]]:
    """The rows of the table in docs/costs.md: a column for each check."""
    yield "items", *(f"{each.items / 1e6:,.0f} million" for each in checks)
    yield "processors of the job (`vcpus`)", *(f"{each.vcpus:,}" for each in checks)
    for name, amounts in (
        ("export of the table", [each.table for each in checks]),
        ("export of the changes", [each.changes for each in checks]),
        ("job", [each.job for each in checks]),
        ("bucket, at most", [each.kept for each in checks]),
        ("state machine and functions, at most", [each.machine for each in checks]),
        ("**a check**", [each.total for each in checks]),
        ("every night, a month", [each.total * MONTH_DAYS for each in checks]),
        ("every week, a month", [each.total * MONTH_DAYS / 7 for each in checks]),
        ("point-in-time recovery, a month", [each.recovery for each in checks]),
    ):
        yield name, *(f"{amount:,.2f}" for amount in amounts)


def _exported(gigabytes: float) -> float:
    return float(cost(Used(round(gigabytes * GIB), Decimal(0), Decimal(0))))
