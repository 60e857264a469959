"""The bill, line by line, against sums made by hand."""

import pytest

from benchmarks import cost
from benchmarks.bill import figures
from benchmarks.bill.bill import Deployed, Line, Load, Measured, bill, total
from benchmarks.bill.figures import MissingFigureError
from benchmarks.bill.prices import PRICES, Price
from benchmarks.cost import WrongLoadError
from benchmarks.report import DOCUMENT

MEASURED = Measured(
    stored_units=1,
    write_units=4,
    read_units=3,
    consumer_seconds=0.002,
    request_seconds=0.101,
    further_seconds=0.001,
    item_bytes=300,
)
DEPLOYED = Deployed(alarms=50, metrics=10, http_gb=1, consumer_gb=2)
# 2,592,000 seconds in a month: two readings a second.
LOAD = Load(events=5_184_000, devices=100, per_request=500)
QUANTITIES = {
    "DynamoDB writes": 25_920_000,  # 5,184,000 x (1 + 4)
    "DynamoDB reads": 15_552_000,  # x 3
    "DynamoDB storage": 2.0736,  # x 400 bytes
    "DynamoDB recovery": 2.0736,
    "Lambda requests": 10_585_728,  # 10,368 requests, and 2,592,000 batches of each of 4 shards, 2 % more for windows
    "Lambda duration": 26_956.8,  # x (0.001 x 1 GB + 0.002 x 2 GB), and 10,368 x 0.1 x 1 GB
    "API Gateway": 10_368,
    "SQS": 648_000,  # five polls every 20 seconds
    "CloudWatch logs": 21.1673088,  # 10,368 x 1,600 + 10,575,360 x 2,000 bytes
    "X-Ray": 3_001_536,  # 10,368, then 2,592,000 and a twentieth of the other 7,983,360
}
# Quantities times prices, each rounded to cents: 16.20 is 25.92 million at 0.625.
USD = {
    "DynamoDB writes": 16.20,
    "DynamoDB reads": 1.94,
    "DynamoDB storage": 0.52,
    "DynamoDB recovery": 0.41,
    "DynamoDB streams": 0,
    "Lambda requests": 2.12,
    "Lambda duration": 0.36,
    "API Gateway": 0.01,
    "SQS": 0.26,
    "CloudWatch logs": 10.58,
    "CloudWatch metrics": 4.20,  # 10, and one for each of 4 shards
    "CloudWatch alarms": 5.00,
    "CloudWatch dashboards": 3.00,
    "X-Ray": 15.01,
    "Secrets Manager": 0.40,
}


@pytest.fixture
def lines() -> dict[str, Line]:
    return {line.service: line for line in bill(LOAD, MEASURED, DEPLOYED)}


def test_quantities_follow_from_what_was_measured(lines: dict[str, Line]) -> None:
    assert {name: lines[name].quantity for name in QUANTITIES} == pytest.approx(QUANTITIES)


def test_amounts_are_quantities_times_prices(lines: dict[str, Line]) -> None:
    known = {name: round(line.usd, 2) for name, line in lines.items() if line.usd is not None}
    assert known == USD


def test_what_was_not_looked_up_has_no_amount_and_is_not_in_the_total(lines: dict[str, Line]) -> None:
    unknown = {name for name, price in PRICES.items() if price.usd is None}
    assert {name for name, line in lines.items() if line.usd is None} == unknown
    assert total(list(lines.values())) == pytest.approx(sum(USD.values()), abs=0.05)


def test_every_price_is_new_enough_to_say_where_it_is_from() -> None:
    assert all(price.source for price in PRICES.values())
    assert all((price.usd is None) == (price.source == "not looked up") for price in PRICES.values())


@pytest.mark.parametrize(
    ("events", "batch"), [(1, 1), (2_592_000, 1), (25_920_000, 2.5), (2_592_000_000, 250), (20_736_000_000, 1000)]
)
def test_a_batch_holds_what_comes_in_a_second_up_to_a_thousand(events: int, batch: float) -> None:
    assert Load(events, 1, 1).batch == batch


def test_more_readings_than_one_shard_takes_are_more_batches() -> None:
    one, three = (bill(Load(events, 1, 1000), MEASURED, DEPLOYED) for events in (2_592_000_000, 15_552_000_000))
    batches = [Line("", lines[5].quantity, Price(1, 1, "", "")) for lines in (one, three)]
    assert [line.quantity for line in batches] == pytest.approx([2_592_000 * (1 + 4 * 1.02), 15_552_000 * 2.02])


PAGE = """# Page

## Ingestion, 500 items per request

|  | write units per item | note |
| :-- | --: | --: |
| POST /telemetry | 1,000.5 | exact |

- A note.
"""


def test_figures_are_read_from_the_page() -> None:
    assert figures.rows(PAGE, "Ingestion, 500") == {"POST /telemetry": {"write units per item": 1000.5}}
    with pytest.raises(MissingFigureError, match="no table `Reads`: run make bench"):
        figures.rows(PAGE, "Reads")


def test_the_page_has_every_figure_that_is_needed() -> None:
    folded, alone = cost.measured(DOCUMENT.read_text(), 1000)
    assert 0 < folded.write_units < 1 < alone.write_units
    assert 100 < folded.item_bytes < 1024  # a reading is one write unit
    one_by_one = cost.measured(DOCUMENT.read_text(), 1)[1]
    assert one_by_one.write_units > alone.write_units


@pytest.mark.parametrize(("name", "value"), [("EVENTS", ""), ("DEVICES", "0"), ("PER_REQUEST", "many")])
def test_a_wrong_number_is_named(name: str, value: str) -> None:
    env = {"EVENTS": "1", "DEVICES": "1", "PER_REQUEST": "1"} | {name: value}
    with pytest.raises(WrongLoadError, match=f"{name}={value}: expected a whole number"):
        cost.load(env)
