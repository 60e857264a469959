"""What a month's bill does not show: what it grows to, which peaks fit under the stage's bound, what settings cost."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from benchmarks.bill.bill import MONTH_SECONDS, Deployed, Load, Measured, batches_of, bill, total
from benchmarks.bill.prices import OF_CHECKS, OF_SETTINGS, PRICES
from edgewise.dynamodb.schema import INDEXES
from functions.routes import ROUTES
from functions.systems.proof.system import SYSTEM as PROOF
from functions.systems.push.system import SYSTEM as PUSH
from functions.systems.search.system import SYSTEM as SEARCH
from infra.backup.copies import KEPT_HERE
from infra.backup.settings import BackupSettings
from infra.console.web_acl import MANAGED
from infra.functions import FUNCTIONS
from infra.kept_batches import KEPT

# Until one month, one year and three years of readings are stored.
MONTHS = (1, 12, 36)
# What is billed by all that was ever stored.
STORED = ("DynamoDB storage", "DynamoDB recovery")
# The table, and each index.
PARTS = 1 + len(INDEXES)
# Of each part: those keys that are read or written most, with and without their sort keys.
RULES = 2 * PARTS
# DynamoDB and SQS ask for a key again after five minutes, for each function that uses them (their guides).
KEY_SECONDS = 300
# From what a new table takes at once to twice as much.
WARMED_FROM, WARMED_TO = 4_000, 8_000
# Of an event that comes alone: messages sent, received and deleted, and how long both functions are assumed to take.
QUEUE_REQUESTS, SECONDS = 3, {"cascade": 0.02, "outlet": 0.05}
# Of a batch that is kept the most that was measured, with a thousand records of as many devices: seconds that keeping
# it adds, and bytes. What it reads and writes besides is a watermark.
KEEPING_SECONDS, KEPT_BYTES, KEEPING_UNITS = 0.3, 137_000, 1
# The functions of the API that every stage has.
SNAPPED = ROUTES.keys() - {PROOF.name, PUSH.name, SEARCH.name}


def of_outlet(changes: float) -> float:
    """What it costs to tell so many changes, each of which comes alone, in USD."""
    gigabyte_seconds = changes * sum(FUNCTIONS[name].memory_mb / 1024 * each for name, each in SECONDS.items())
    return (
        OF_SETTINGS["EventBridge"].of(changes)
        + PRICES["SQS"].of(changes * QUEUE_REQUESTS)
        + PRICES["Lambda requests"].of(changes * len(SECONDS))
        + PRICES["Lambda duration"].of(gigabyte_seconds)
    )


class Grown(NamedTuple):
    """A month's bill when so many months of readings are stored, in USD, and what of it is storage and recovery."""

    month: int
    usd: float
    stored: float


def grown(load: Load, measured: Measured, deployed: Deployed) -> Iterator[Grown]:
    """The bills of MONTHS, for a load that stays the same, and of which nothing expires."""
    for month in MONTHS:
        lines = bill(replace(load, months=month), measured, deployed)
        yield Grown(month, total(lines), sum(line.usd for line in lines if line.service in STORED))


class Peak(NamedTuple):
    """Write units a second on average, and how many times as many the table takes before it throttles."""

    mean: float
    times: float


def peak(load: Load, measured: Measured, deployed: Deployed, write_units: int) -> Peak:
    """The peaks that fit under `write_units`, if all units were the table's: its indexes have bounds of their own."""
    (writes,) = (line for line in bill(load, measured, deployed) if line.service == "DynamoDB writes")
    mean = writes.quantity / MONTH_SECONDS
    return Peak(mean, write_units / mean)


def rehearsed(load: Load, deployed: Deployed, one_in: int) -> float:
    """What it costs in USD a month, at most, to keep one batch in so many."""
    kept = batches_of(load) / one_in
    stored = kept * KEPT_BYTES / 1e9 * KEPT.to_seconds() / MONTH_SECONDS
    units = kept * KEEPING_UNITS
    seconds = kept * KEEPING_SECONDS
    of_table = PRICES["DynamoDB writes"].of(units) + PRICES["DynamoDB reads"].of(units)
    of_bucket = OF_CHECKS["S3 writes"].of(kept) + OF_CHECKS["S3 storage"].of(stored)
    return of_table + of_bucket + PRICES["Lambda duration"].of(seconds * deployed.consumer_gb)


def settings(
    load: Load, measured: Measured, few: Deployed, every: Deployed, one_in: int
) -> Iterator[tuple[str, float]]:
    """What settings of a stage add to the bill, in USD a month. `few`, `every`: the stage with few alarms, with all.

    Neither is traced. `one_in`: one batch in how many is kept.
    """
    bare = total(bill(load, measured, few))
    yield 'alarms = "all"', total(bill(load, measured, every)) - bare
    yield 'traces = "all"', total(bill(load, measured, replace(few, traced=True))) - bare
    yield "production = true (sign-ins)", load.users * (PRICES["Cognito"].usd - OF_SETTINGS["sign-ins"].usd)
    warmed = OF_SETTINGS["warm write units"].of(PARTS * (WARMED_TO - WARMED_FROM))
    yield f"warm_write_units = {WARMED_TO} (once)", warmed
    yield "contributor_insights = true", OF_SETTINGS["rules"].of(RULES)
    asked = 2 * len(FUNCTIONS) * MONTH_SECONDS / KEY_SECONDS
    yield "customer_key = true (at most)", OF_SETTINGS["keys"].of(1) + OF_SETTINGS["key requests"].of(asked)
    rules = OF_SETTINGS["web ACL rules"].of(len(MANAGED) + 1)
    yield 'console.web_acl = "own" (and requests)', OF_SETTINGS["web ACLs"].of(1) + rules
    yield "[backup], as by default", copies(load, measured, few, BackupSettings(region="eu-west-1"))
    yield "outlet, for a million changes one by one", of_outlet(1_000_000)
    gigabyte_seconds = sum(FUNCTIONS[name].memory_mb for name in SNAPPED) / 1024 * MONTH_SECONDS
    yield "snap_start = true", OF_SETTINGS["snapshots"].of(gigabyte_seconds)
    yield f"rehearsed = {one_in}", rehearsed(load, few, one_in)


def copies(load: Load, measured: Measured, deployed: Deployed, backup: BackupSettings) -> float:
    """What copies in another region cost in USD a month, of the table as it is at the month's end; each is whole."""
    (gigabytes,) = (line.quantity for line in bill(load, measured, deployed) if line.service == "DynamoDB storage")
    a_day = 24 / backup.interval_hours
    kept = backup.kept + a_day * KEPT_HERE.to_days()
    sent = a_day * MONTH_SECONDS / 86_400
    return gigabytes * (OF_SETTINGS["copies kept"].of(kept) + OF_SETTINGS["copies sent"].of(sent))
