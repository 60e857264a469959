"""The bill, line by line, against sums made by hand."""

from dataclasses import replace

import pytest

from benchmarks import cost
from benchmarks.bill import bill as made
from benchmarks.bill import figures, outlook
from benchmarks.bill.bill import Deployed, Line, Load, Measured, batches_of, bill, total
from benchmarks.bill.figures import MissingFigureError
from benchmarks.bill.paths import Path
from benchmarks.bill.prices import PRICES
from benchmarks.cost import WrongLoadError
from benchmarks.report import DOCUMENT
from ops.paths import ROOT
from tests.support.http import Client
from tests.support.queue import event

OUTLET = (ROOT / "docs" / "outlet.md").read_text()
MEASURED = Measured(
    request_units=1.5,
    further_units=1,
    write_units=4,
    read_units=3,
    consumer_seconds=0.002,
    request_seconds=0.101,
    further_seconds=0.001,
    item_bytes=300,
)
DEPLOYED = Deployed(alarms=50, composites=3, metrics=10, http_gb=1, consumer_gb=2, traced=True)
# 2,592,000 seconds in a month: two readings a second.
LOAD = Load(events=5_184_000, devices=100, per_request=500, users=7)
QUANTITIES = {
    # 5,184,000 x (1 + 4), and 10,368 requests x 0.5; 259,200 heartbeats in 4 shards, of each of which two readers tell
    "DynamoDB writes": 29_035_584,
    "DynamoDB reads": 19_958_400,  # x 3, and 259,200 x (1 + 4 + 12)
    "DynamoDB storage": 2.0736,  # x 400 bytes
    "DynamoDB recovery": 2.0736,
    # 10,368 requests; each brings something to 4 shards, which is two batches, and what the end of a window brings is
    # another; 259,200 heartbeats are as many in each of 4 shards for each reader, and 51,840 windows end in each
    "Lambda requests": 2_674_944,
    # x (0.001 x 1 GB + 0.002 x 2 GB), and 10,368 x 0.1 x 1 GB; 259,200 x (0.02 x 0.25 GB + 4 x 0.015 x (2 + 1) GB)
    "Lambda duration": 74_908.8,
    "API Gateway": 10_368,
    "SQS": 1_728_000,  # five polls of each of two queues every 20 seconds, and 216,000 messages sent and received
    "CloudWatch logs": 1.6651008,  # 10,368 x 1,600 + 331,776 x 2,000 + 2,073,600 x 350 + 259,200 x 1,000 bytes
    "X-Ray": 2_674_944,  # less than one a second: each of them
    "Cognito": 7,
    "Data to the internet": 0.0036288,  # 10,368 x 350 bytes
}
# The same readings, each in a request of its own: what is not here is as above.
ONE_BY_ONE = {
    "DynamoDB writes": 31_622_400,  # 5,184,000 x (1.5 + 4), and heartbeats
    # a second of each of 4 shards has one batch, 10,368,000 in all; 51,840 windows of 50 seconds end in each
    "Lambda requests": 17_055_360,
    "Lambda duration": 592_272,  # 5,184,000 x (0.101 x 1 GB + 0.002 x 2 GB), and heartbeats
    "API Gateway": 5_184_000,
    # 5,184,000 x 1,600 + 10,575,360 x 2,000 + 1,036,800 x 350 + 259,200 x 1,000 bytes
    "CloudWatch logs": 30.0672,
    # 2,592,000 of each of both, and 1,036,800 and 259,200 heartbeats; of the other 2,592,000 and 7,983,360 a twentieth
    "X-Ray": 7_008_768,
    "Data to the internet": 1.8144,  # 5,184,000 x 350 bytes
}
# Quantities times prices, each rounded to cents: 18.15 is 29.035584 million at 0.625.
USD = {
    "DynamoDB writes": 18.15,
    "DynamoDB reads": 2.49,
    "DynamoDB storage": 0.52,
    "DynamoDB recovery": 0.41,
    "DynamoDB streams": 0,
    "Lambda requests": 0.53,
    "Lambda duration": 1.00,
    "API Gateway": 0.01,
    "SQS": 0.69,
    "CloudWatch logs": 0.83,
    "CloudWatch metrics": 4.20,  # 10, and one for each of 4 shards
    "CloudWatch alarms": 5.00,
    "CloudWatch composite alarms": 1.50,
    "CloudWatch dashboards": 3.00,
    "X-Ray": 13.37,
    "Secrets Manager": 0.40,
    "Cognito": 0.14,
    "Data to the internet": 0,
}


@pytest.fixture
def lines() -> dict[str, Line]:
    return by_service(LOAD)


def by_service(load: Load, deployed: Deployed = DEPLOYED) -> dict[str, Line]:
    return {line.service: line for line in bill(load, MEASURED, deployed)}


def test_quantities_follow_from_what_was_measured(lines: dict[str, Line]) -> None:
    assert {name: lines[name].quantity for name in QUANTITIES} == pytest.approx(QUANTITIES)


def test_what_a_request_carries_changes_what_requests_take_and_nothing_else(lines: dict[str, Line]) -> None:
    alone = by_service(replace(LOAD, per_request=1))
    assert {name: alone[name].quantity for name in ONE_BY_ONE} == pytest.approx(ONE_BY_ONE)
    same = lines.keys() - ONE_BY_ONE.keys()
    assert {name: alone[name].quantity for name in same} == {name: lines[name].quantity for name in same}


def test_months_of_readings_are_stored_and_nothing_else_grows(lines: dict[str, Line]) -> None:
    later = by_service(replace(LOAD, months=12))
    grown = {name for name in lines if later[name].quantity != lines[name].quantity}
    assert grown == {"DynamoDB storage", "DynamoDB recovery"}
    assert later["DynamoDB storage"].quantity == pytest.approx(12 * 2.0736)
    months = list(outlook.grown(LOAD, MEASURED, DEPLOYED))
    assert [each.month for each in months] == [1, 12, 36]
    # 2.0736 GB at 0.45 USD, beside what is the same in each month.
    assert [each.stored for each in months] == pytest.approx([each.month * 0.93312 for each in months])
    assert [each.usd - each.stored for each in months] == pytest.approx([months[0].usd - months[0].stored] * 3)


def test_peaks_fit_up_to_the_bound() -> None:
    """29,035,584 units in 2,592,000 seconds are 11.2 a second."""
    found = outlook.peak(LOAD, MEASURED, DEPLOYED, write_units=112)
    assert (found.mean, found.times) == pytest.approx((11.202, 9.998), rel=1e-3)


def test_what_settings_add() -> None:
    few = replace(DEPLOYED, alarms=14, composites=1, traced=False)
    every = replace(DEPLOYED, traced=False)
    found = dict(outlook.settings(LOAD, MEASURED, few, every, one_in=1000))
    assert found['alarms = "all"'] == pytest.approx(36 * 0.10 + 2 * 0.50)
    assert found['traces = "all"'] == pytest.approx(2.674944 * 5)
    assert found["production = true (sign-ins)"] == pytest.approx(7 * 0.005)
    assert found["contributor_insights = true"] == pytest.approx(8 * 0.50)
    # An event, three requests to the queue, two invocations, 0.02 s of 1 GB and 0.05 s of a quarter.
    told = 1 + 3 * 0.40 + 2 * 0.20 + (0.02 + 0.05 / 4) * 13.3334
    assert found["outlet, for a million changes one by one"] == pytest.approx(told)
    assert f"About {told:.2f} USD for a million changes" in OUTLET
    # As docs/deploying.md has it, without push and search.
    assert round(found["snap_start = true"]) == 72 - 4 - 7
    assert 0 < found["rehearsed = 1000"] < 0.10  # as docs/rehearsing.md has it


def test_a_batch_that_is_kept_is_put_and_lies_there_for_a_week() -> None:
    """A million at 0.005 USD a thousand, 137 kB each for 7 of 30 days at 0.023; 0.3 s of 1.5 GB, two units."""
    each = outlook.rehearsed(LOAD, replace(DEPLOYED, consumer_gb=1.5), one_in=1) / batches_of(LOAD)
    bucket = 5 + 137 * 7 / 30 * 0.023
    assert each * 1e6 == pytest.approx(bucket + 0.45 * 1e6 * 0.0000133334 + 0.625 + 0.125, rel=1e-6)


def test_what_is_not_traced_costs_no_traces() -> None:
    untraced = by_service(LOAD, replace(DEPLOYED, traced=False))
    assert untraced["X-Ray"].quantity == 0


@pytest.mark.parametrize(("given", "traced"), [("", False), ("few", False), ("all", True)])
def test_traces_are_those_of_the_stages_setting(given: str, traced: bool) -> None:
    assert cost.deployed(cost.traces({"TRACES": given})).traced == traced


def test_amounts_are_quantities_times_prices(lines: dict[str, Line]) -> None:
    assert {name: round(line.usd, 2) for name, line in lines.items()} == USD
    assert total(list(lines.values())) == pytest.approx(sum(USD.values()), abs=0.05)


def test_every_price_says_where_it_is_from() -> None:
    assert all(price.source for price in PRICES.values())


def test_an_answer_is_as_long_as_is_assumed(handlers: None) -> None:
    """With what API Gateway adds, as HTTP/1.1 writes it."""
    sensor = Client("sensor", ("ingest",))
    answer = sensor.call("POST /telemetry", body={"events": [event("device")]})
    own = [f"{name}: {value}" for name, value in answer.headers.items()]
    added = [
        "HTTP/1.1 202 Accepted",
        "Date: Wed, 25 Nov 2026 10:00:00 GMT",
        "Content-Length: 28",
        "Connection: keep-alive",
        "Apigw-Requestid: AbCdEfGhIAMEJrw=",
    ]
    size = sum(len(line) + len("\r\n") for line in [*added, *own, ""]) + len('{"accepted":1,"rejected":[]}')
    assert size == pytest.approx(made.ANSWER_BYTES, rel=0.1)


@pytest.mark.parametrize(
    ("events", "batch"), [(1, 1), (2_592_000, 1), (25_920_000, 2.5), (2_592_000_000, 250), (20_736_000_000, 1000)]
)
def test_a_batch_holds_what_comes_in_a_second_up_to_a_thousand(events: int, batch: float) -> None:
    assert Load(events, 1, 1).batch == batch


def test_more_readings_than_one_shard_takes_are_more_batches() -> None:
    one, three = (bill(Load(events, 1, 1000), MEASURED, DEPLOYED) for events in (2_592_000_000, 15_552_000_000))
    assert [one[5].service, one[5].quantity] == [
        "Lambda requests",
        pytest.approx(2_592_000 * (1 + 4 * 1.02) + 5 * 259_200),
    ]
    assert three[5].quantity == pytest.approx(15_552_000 * 2.02 + 7 * 259_200)


@pytest.mark.parametrize(("per_request", "together"), [(1, 2.5), (8, 2.5), (40, 10), (10**9, 6_480_000)])
def test_a_batch_holds_what_a_request_brings_if_that_is_more(per_request: int, together: float) -> None:
    """Ten readings a second, in four shards; at most all 25,920,000 of the month."""
    assert Load(25_920_000, 1, per_request).together == together


def test_a_million_readings_by_each_path() -> None:
    """Ten messages that are received together are two requests, and one invocation."""
    api, queue = (path.costs(MEASURED, DEPLOYED) for path in (Path(10), Path(10, queue=True, together=10)))
    # 100,000 requests of 0.101 + 9 x 0.001 s, and of 1,600 bytes in logs; answers of 350 bytes.
    assert api == pytest.approx(
        {
            "API Gateway": 0.10,
            "SQS": 0,
            "Lambda requests": 0.02,
            "Lambda duration": 11_000 * 0.0000133334,
            "CloudWatch logs": 0.08,
            "Data to the internet": 0.00315,
        }
    )
    # 100,000 messages are sent; 10,000 times some are received, and deleted.
    assert queue == pytest.approx(
        api | {"API Gateway": 0, "SQS": 0.048, "Lambda requests": 0.002, "CloudWatch logs": 0.008}
    )


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


@pytest.mark.parametrize(
    ("name", "value"), [("EVENTS", ""), ("DEVICES", "0"), ("PER_REQUEST", "many"), ("USERS", "-1")]
)
def test_a_wrong_number_is_named(name: str, value: str) -> None:
    env = {"EVENTS": "1", "DEVICES": "1", "PER_REQUEST": "1", "USERS": "1"} | {name: value}
    with pytest.raises(WrongLoadError, match=f"{name}={value}: expected a whole number"):
        cost.load(env)


def test_a_request_carries_no_more_than_the_api_accepts() -> None:
    env = {"EVENTS": "1000", "DEVICES": "1", "USERS": "1"}
    assert cost.load(env | {"PER_REQUEST": "500"}).requests == 2
    with pytest.raises(WrongLoadError, match="PER_REQUEST=501: the API accepts 500 readings at most"):
        cost.load(env | {"PER_REQUEST": "501"})


def test_a_wrong_setting_is_named() -> None:
    with pytest.raises(WrongLoadError, match="TRACES=some: expected few or all"):
        cost.traces({"TRACES": "some"})
