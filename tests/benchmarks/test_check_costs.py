"""What checks of whole tables cost, against sums made by hand."""

import pytest

from benchmarks.bill import checks
from benchmarks.bill.checks import Check, Measured
from infra.batch.machine import JOB_SECONDS


@pytest.fixture(autouse=True)
def a_millisecond_an_item(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "MEASURED", Measured(1000, cpu_seconds=3, start_cpu_seconds=2, item_bytes=1024))


def test_a_hundred_gigabytes() -> None:
    """104,857,600 items, as many ms of CPU. 36 vCPUs, of which 32 work: 3,276.8 s and a minute, 0.926889 h."""
    check = Check(100)
    assert (check.items, check.vcpus) == (104_857_600, 36)
    assert check.table == 10
    assert check.changes == pytest.approx(0.0208, abs=1e-4)  # a tenth of it a day, half an hour of that
    # 33.368 vCPU-hours, 133.472 GB-hours, and 9 x 40 GB of disk: 1.404593 + 0.617709 + 0.037038
    assert check.job == pytest.approx(2.0593, abs=1e-4)
    assert check.kept == pytest.approx(0.536667 + 0.053687, abs=1e-6)  # 23.33 GB-months, 10,737 files
    # 300 looks of 3 states, and 20 states: 0.023. Four calls of ten minutes and a GB: 0.032
    assert check.machine == pytest.approx(0.0550, abs=1e-4)
    assert check.total == pytest.approx(12.7255, abs=1e-3)
    assert check.recovery == 20


def test_a_small_table_is_checked_with_the_default() -> None:
    """1,048,576 items on 12 of 16 vCPUs."""
    check = Check(1)
    assert check.vcpus == 16
    hours = (1048.576 / 12 + 60) / 3600
    assert check.job == pytest.approx(hours * (16 * 0.042094 + 64 * 0.004628 + 160 * 0.000111), abs=1e-4)


@pytest.mark.parametrize("gigabytes", [1, 100, 1000])
def test_no_job_takes_more_than_half_of_what_it_may_and_none_gets_more_than_it_needs(gigabytes: int) -> None:
    check = Check(gigabytes)
    work = check.items / 1000
    assert 60 + work / (check.vcpus - 4) <= JOB_SECONDS / 2
    assert check.vcpus == 16 or 60 + work / (check.vcpus - 8) > JOB_SECONDS / 2


def test_all_that_grows_grows_in_proportion_but_for_the_driver_of_the_job() -> None:
    hundred, thousand = Check(100), Check(1000)
    for part in ("items", "table", "kept", "recovery"):
        assert getattr(thousand, part) == pytest.approx(10 * getattr(hundred, part)), part
    assert 0.85 < thousand.job / (10 * hundred.job) < 1
    assert thousand.machine == hundred.machine
