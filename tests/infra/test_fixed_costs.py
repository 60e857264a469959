"""What the pages and `make cost` say of a stage that nobody uses is what its templates hold."""

import re
from pathlib import Path
from typing import Any

from benchmarks import cost
from benchmarks.bill.prices import PRICES
from functions.routes import ROUTES
from functions.systems.proof.system import SYSTEM as PROOF
from infra.functions import FUNCTIONS
from tests.infra.conftest import Deployment
from tests.infra.test_dashboard import dimensions, rows

DEPLOYING = " ".join((Path(__file__).parents[2] / "docs" / "deploying.md").read_text().split())
# The sum, and what it is made of.
(IDLE,) = re.findall(r"\*\*An idle stage: about (\d+) USD per month\.\*\*(.+?) `make cost", DEPLOYING)


def alarms_of(deployment: Deployment) -> list[Any]:
    found = [template.find_resources("AWS::CloudWatch::Alarm").values() for template in deployment.templates]
    return [one["Properties"] for of_template in found for one in of_template]


def test_alarms_and_metrics_are_those_of_a_stage_with_all_alarms(prod: Deployment) -> None:
    alarms = alarms_of(prod)
    assert len(alarms) == cost.ALARMS
    own = {
        (metric[1], *sorted(dimensions(metric).values()))
        for row in rows(prod).values()
        for metric in row
        if metric[0] == "Edgewise/prod"
    }
    rung = {
        (one["MetricName"], *(each["Value"] for each in one.get("Dimensions", ())))
        for one in alarms
        if one["Namespace"] == "Edgewise/prod"
    }
    assert len(own | rung) == cost.METRICS


def test_the_cost_of_an_idle_stage_is_that_of_its_templates(dev: Deployment, prod: Deployment) -> None:
    few, all_of_them, price = len(alarms_of(dev)), len(alarms_of(prod)), PRICES["CloudWatch alarms"].usd
    (about, parts), (about_all,) = IDLE, re.findall(r"about (\d+) USD\.", IDLE[1])
    assert f" {few} alarms ({few * price:.2f};" in parts
    assert f" {all_of_them} alarms cost {all_of_them * price:.2f}" in parts
    total = sum(map(float, re.findall(r"\((\d+\.\d\d)", parts)))
    assert (int(about), int(about_all)) == (round(total), round(total + (all_of_them - few) * price))


def test_snapshots_cost_what_the_memory_of_the_apis_functions_does() -> None:
    ((month, of_push, of_search, second),) = re.findall(
        r"costs about (\d+) USD a month, of which `push` needs (\d+) and `search` (\d+),.+?"
        r"\(([\d.]+) USD per GB-second",
        DEPLOYING,
    )
    usd_per_mb = float(second) * 30 * 86_400 / 1024
    assert round(sum(FUNCTIONS[name].memory_mb for name in ROUTES.keys() - {PROOF.name}) * usd_per_mb) == int(month)
    assert round(FUNCTIONS["push"].memory_mb * usd_per_mb) == int(of_push)
    assert round(FUNCTIONS["search"].memory_mb * usd_per_mb) == int(of_search)
