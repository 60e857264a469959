"""Whole bills by hand: plain arithmetic, service by service, from prices and from what docs/benchmarks.md measured.

Nothing of benchmarks/bill is used for what is expected: neither its prices nor its quantities.
"""

import re
from collections.abc import Callable, Mapping

import pytest

from benchmarks import cost
from benchmarks.bill.bill import Load, bill, total
from benchmarks.report import DOCUMENT

PAGE = DOCUMENT.read_text()
MONTH = 30 * 24 * 3600
CLOSE = 0.1
# A reading of three metrics: 208 bytes of names and values, and 100 that DynamoDB adds for each item.
READING_GB = 308 / 1e9
CONSUMER_GB = 1769 / 1024


def measured(table: str, row: str, column: str) -> float:
    """One number of the page."""
    text = PAGE[PAGE.index(f"## {table}") :]
    head, cells = (re.findall(r"[^|]+", line) for line in (_line(text, ""), _line(text, row)))
    return float(cells[[name.strip() for name in head].index(column)].replace(",", ""))


def _line(text: str, row: str) -> str:
    found = re.search(rf"^\| *{re.escape(row)} \|.*$" if row else r"^\|.*$", text, re.MULTILINE)
    assert found, row
    return found[0]


FLEET = "A fleet as it arrives, for each reading"
POSTED = "Ingestion, 500 items per request"
SECONDS_OF_500 = measured(POSTED, "POST /telemetry", "wall ms") / 1000
SECONDS_OF_ONE = measured(POSTED, "POST /telemetry, one item", "wall ms") / 1000

# What a stage costs that has all alarms, whatever comes: 28 metrics and 4 of shards, alarms on 35 metrics and 2 on
# alarms, a dashboard, a secret, five polls of two empty queues in 20 seconds, five heartbeats a minute that are sent
# and received, one user. Nothing busy is traced.
STANDING = {
    "CloudWatch metrics": 32 * 0.30,
    "CloudWatch alarms": 35 * 0.10,
    "CloudWatch composite alarms": 2 * 0.50,
    "CloudWatch dashboards": 3.00,
    "Secrets Manager": 0.40,
    "SQS": (2 * 648_000 + 2 * 216_000) * 0.40 / 1e6,
    "Cognito": 0.02,
    "X-Ray": 0.0,
    "DynamoDB streams": 0.0,
}


# Six heartbeats a minute. In each of four shards: a write of its own, and one of each reader that tells how far it is;
# one read of the consumer, three of the cascade; and one of the function that sends them.
BEATS = 6 * 30 * 24 * 60
BEAT_WRITES, BEAT_READS = 12 * BEATS / 1e6 * 0.625, 17 * BEATS / 1e6 * 0.125
# 20 ms of the function that sends them, with 256 MB; in each shard 15 ms of the consumer, and of the cascade with 1 GB.
BEAT_DURATION = BEATS * (0.020 * 0.25 + 4 * 0.015 * (CONSUMER_GB + 1)) * 0.0000133334
# The cascade is called for each of them in each shard, and leaves 350 bytes of log; the function that sends them a KB.
FOLLOWED = 4 * BEATS
BEAT_LOGS = BEATS * 1_000 + FOLLOWED * 350


def ten_million_in_a_month() -> tuple[Load, Mapping[str, float]]:
    """5,000 devices, 500 readings in each of 20,000 requests, one in two minutes: 3.9 readings a second.

    Each request reaches 4 shards, which is 80,000 batches of readings and as many of edges; no two share a window, so
    80,000 batches are of what windows bring. A window always follows another, because of heartbeats.
    """
    batches, beaten = 3 * 80_000 + 4 * MONTH / 50, 4 * BEATS
    row = "500 devices"  # the smallest that was measured has two in a batch
    return Load(10_000_000, 5_000, 500), {
        "DynamoDB writes": 10 * (1 + measured(FLEET, row, "write units")) * 0.625 + BEAT_WRITES,
        "DynamoDB reads": 10 * measured(FLEET, row, "read units") * 0.125 + BEAT_READS,
        "DynamoDB storage": 10e6 * READING_GB * 0.25,
        "DynamoDB recovery": 10e6 * READING_GB * 0.20,
        "Lambda requests": (20_000 + batches + beaten + FOLLOWED + BEATS) * 0.20 / 1e6,
        "Lambda duration": 0.0000133334
        * (20_000 * SECONDS_OF_500 + 10e6 / measured(FLEET, row, "readings/s") * CONSUMER_GB)
        + BEAT_DURATION,
        "API Gateway": 20_000 * 1.00 / 1e6,
        "CloudWatch logs": (20_000 * 1_600 + batches * 2_000 + beaten * 350 + BEAT_LOGS) / 1e9 * 0.50,
        "Data to the internet": 20_000 * 350 / 1e9 * 0.09,
    }


def ten_million_one_by_one() -> tuple[Load, Mapping[str, float]]:
    """The same readings, each posted by its device: 10 M requests, and readings in every second of every shard."""
    load, together = ten_million_in_a_month()
    batches = 4 * MONTH + 4 * MONTH / 50
    consumer = 10e6 / measured(FLEET, "500 devices", "readings/s") * CONSUMER_GB
    return Load(load.events, load.devices, 1), {
        **together,
        "Lambda requests": (10e6 + batches + FOLLOWED + BEATS) * 0.20 / 1e6,
        "Lambda duration": 0.0000133334 * (10e6 * SECONDS_OF_ONE + consumer) + BEAT_DURATION,
        "API Gateway": 10.00,
        "CloudWatch logs": (10e6 * 1_600 + batches * 2_000 + BEAT_LOGS) / 1e9 * 0.50,
        "Data to the internet": 10e6 * 350 / 1e9 * 0.09,
    }


def a_hundred_million_in_a_day() -> tuple[Load, Mapping[str, float]]:
    """69,444 devices once a minute: 3,000 M readings, 500 in each of 6 M requests, 1,157 readings a second.

    Two shards would take as many, a new table has four: each has a batch in every second, and an end in every 50.
    """
    row = "5,000 devices"  # the largest that was measured
    batches = 4 * MONTH * 51 / 50
    return Load(3_000_000_000, 69_444, 500), {
        "DynamoDB writes": 3_000 * (1 + measured(FLEET, row, "write units")) * 0.625 + BEAT_WRITES,
        "DynamoDB reads": 3_000 * measured(FLEET, row, "read units") * 0.125 + BEAT_READS,
        "DynamoDB storage": 3e9 * READING_GB * 0.25,
        "DynamoDB recovery": 3e9 * READING_GB * 0.20,
        "Lambda requests": (6e6 + batches + FOLLOWED + BEATS) * 0.20 / 1e6,
        "Lambda duration": 0.0000133334
        * (6e6 * SECONDS_OF_500 + 3e9 / measured(FLEET, row, "readings/s") * CONSUMER_GB)
        + BEAT_DURATION,
        "API Gateway": 6.00,
        "CloudWatch logs": (6e6 * 1_600 + batches * 2_000 + BEAT_LOGS) / 1e9 * 0.50,
        "Data to the internet": 6e6 * 350 / 1e9 * 0.09,
    }


@pytest.mark.parametrize("by_hand", [ten_million_in_a_month, ten_million_one_by_one, a_hundred_million_in_a_day])
def test_the_bill_is_that_by_hand(by_hand: Callable[[], tuple[Load, Mapping[str, float]]]) -> None:
    load, expected = by_hand()
    _, fleet = cost.measured(PAGE, load.batch)
    lines = bill(load, fleet, cost.deployed(cost.traces({})))
    expected = {**STANDING, **expected}
    assert {line.service: line.usd for line in lines} == pytest.approx(expected, rel=CLOSE)
    assert total(lines) == pytest.approx(sum(expected.values()), rel=CLOSE)
