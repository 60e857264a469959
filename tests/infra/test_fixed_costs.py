"""What the pages and `make cost` say of a stage that nobody uses is what its templates hold."""

import re
from dataclasses import replace
from pathlib import Path

from benchmarks import cost
from benchmarks.bill.prices import PRICES
from functions.routes import ROUTES
from functions.systems.proof.system import SYSTEM as PROOF
from infra.functions import FUNCTIONS
from tests.infra.alarm_world import alarms_of
from tests.infra.conftest import Deployment
from tests.infra.test_dashboard import dimensions, rows
from tests.support.cloudwatch import Metric, watched

DEPLOYING = " ".join((Path(__file__).parents[2] / "docs" / "deploying.md").read_text().split())
# The sum, and what it is made of.
(IDLE,) = re.findall(r"\*\*An idle stage: about (\d+) USD per month\.\*\*(.+?) `make cost", DEPLOYING)


def test_alarms_and_metrics_are_those_of_the_templates(dev: Deployment, prod: Deployment) -> None:
    prod = unchecked(prod)
    numbers, composites = billed(prod)
    assert (len(numbers), composites) == (cost.ALARMS, cost.COMPOSITES)
    few, few_composites = billed(dev)
    assert (len(few), few_composites) == (cost.FEW_ALARMS, cost.FEW_COMPOSITES)
    own = {
        (metric[1], *sorted(dimensions(metric).values()))
        for row in rows(prod).values()
        for metric in row
        if metric[0] == "Edgewise/prod"
    }
    rung = {
        (name, *(value for _, value in found)) for namespace, name, found in numbers if namespace == "Edgewise/prod"
    }
    counted = {metric for metric in own | rung if not any(each.startswith("batch_") for each in metric)}
    assert len(counted) == cost.METRICS


def unchecked(deployment: Deployment) -> Deployment:
    """The same without `[batch]`: what checks cost is told apart."""
    return replace(deployment, batch=None)


def billed(deployment: Deployment) -> tuple[list[Metric], int]:
    """Each metric of each alarm, and how many alarms are composite."""
    alarms = alarms_of(deployment).values()
    simple = [each for each in alarms if "AlarmRule" not in each]
    return [metric for each in simple for metric in watched(each)], len(alarms) - len(simple)


def test_the_cost_of_an_idle_stage_is_that_of_its_templates(dev: Deployment, prod: Deployment) -> None:
    (about, parts), (about_all,) = IDLE, re.findall(r"about (\d+) USD\.", IDLE[1])
    usd = PRICES["CloudWatch alarms"].usd, PRICES["CloudWatch composite alarms"].usd
    (few, composite), (all_of_them, composites) = ((len(of[0]), of[1]) for of in (billed(dev), billed(unchecked(prod))))
    costs, all_cost = few * usd[0] + composite * usd[1], all_of_them * usd[0] + composites * usd[1]
    assert f"alarms on {few} metrics and {composite} on alarms ({costs:.2f};" in parts
    assert f"alarms on {all_of_them} metrics and {composites} on alarms cost {all_cost:.2f}" in parts
    total = sum(map(float, re.findall(r"\((\d+\.\d\d)", parts)))
    assert (int(about), int(about_all)) == (round(total), round(total + all_cost - costs))


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
