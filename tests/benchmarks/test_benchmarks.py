from collections.abc import Iterator

import pytest

from benchmarks import coldstart, engine, exactness
from benchmarks.baselines import add, idempotent
from benchmarks.baselines.increments import one_edge
from benchmarks.consumer import Run, consume
from benchmarks.meter import Meter
from benchmarks.stream import window_event
from benchmarks.workloads import Workload, chat, weather
from edgewise.dynamodb import table as store
from edgewise.dynamodb.keys import Key


@pytest.fixture(scope="module")
def running(java: None) -> Iterator[None]:
    with engine.running():
        yield


@pytest.fixture(scope="module")
def workloads() -> tuple[Workload, Workload]:
    return weather().first(60), chat(whole=False).first(60)


@pytest.fixture(scope="module")
def table(running: None) -> store.Table:
    return engine.create("edgewise")


@pytest.fixture(scope="module")
def runs(table: store.Table, workloads: tuple[Workload, Workload]) -> list[Run]:
    return [consume(table, workload, batch=25) for workload in workloads]


def test_the_consumer_is_fed_with_all_that_it_causes(
    table: store.Table, workloads: tuple[Workload, Workload], runs: list[Run]
) -> None:
    assert exactness.verdict(table, *workloads) == "exact"
    assert [len(run.sources) for run in runs] == [60, 60]


def test_a_wrong_number_is_found(table: store.Table, workloads: tuple[Workload, Workload], runs: list[Run]) -> None:
    readings, messages = workloads
    assert exactness.verdict(table, readings.first(59), messages) != "exact"


def test_one_add_takes_one_unit_a_record(runs: list[Run]) -> None:
    target, meter = engine.create("add"), Meter()
    meter.watch(target.client)
    with meter.measuring():
        add.handler(target, one_edge)(window_event(runs[0].sources))
    assert (meter.spent.write_units, meter.spent.requests) == (60, 60)


def test_powertools_handles_a_repeated_record_once(runs: list[Run]) -> None:
    target, meter = engine.create("powertools"), Meter()
    handle = idempotent.handler(target, one_edge)
    handle(window_event(runs[0].sources))
    meter.watch(target.client)
    with meter.measuring():
        handle(window_event(runs[0].sources))
    assert (meter.spent.refused, meter.spent.requests) == (60, 60)


def test_missing_keys_are_priced(table: store.Table, runs: list[Run]) -> None:
    meter = Meter()
    meter.watch(table.client)
    with meter.measuring():
        table.get_many([Key("NOBODY", "1"), Key("NOBODY", "2")])
    assert meter.spent.read_units == 1.0


def test_a_first_requests_time_and_status_are_found_among_what_the_function_logs() -> None:
    printed = '[200.5, 575]\n{"level":"INFO","message":"answered"}\n{"_aws":{}}\n[7.25, 202]\n'
    assert coldstart._figures(printed, 0) == (200.5, 575)
    assert coldstart._figures(printed, 1) == (7.25, 202)


def test_starts_are_measured_with_all_layers_of_a_function(running: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coldstart, "STARTS", 1)
    monkeypatch.setattr(coldstart, "HANDLERS", ("search", "telemetry"))
    found = coldstart.measure(engine.create("cold-start").name, lambda _: None)
    assert [handler for handler, *_ in found.rows] == ["search", "telemetry"]
