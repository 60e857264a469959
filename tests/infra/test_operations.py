"""Whoever is woken finds what it means: every alarm, every row of the dashboard and every log line is told."""

import re
from pathlib import Path

from tests.infra.conftest import Deployment
from tests.infra.test_dashboard import ROWS, body

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "operations.md").read_text()


def _section(title: str) -> str:
    return PAGE.split(f"## {title}\n")[1].split("\n## ")[0]


def test_every_alarm_is_told_and_no_other(checked: Deployment) -> None:
    alarms = [one["Properties"]["MetricName"] for one in checked.resources("AWS::CloudWatch::Alarm").values()]
    told = re.findall(r"^\| `(\w+)` \|", _section("The alarms"), re.MULTILINE)
    assert sorted(told) == sorted(set(alarms))


def test_the_alarms_of_a_developers_stage_are_named(dev: Deployment) -> None:
    alarms = {one["Properties"]["MetricName"] for one in dev.resources("AWS::CloudWatch::Alarm").values()}
    before, _, _ = _section("The alarms").partition("\n|")
    assert set(re.findall(r"`(\w+)`", before)) == alarms


def test_every_row_of_the_dashboard_is_told_in_its_order() -> None:
    assert re.findall(r"^\| (.+\?) \|", _section("The dashboard"), re.MULTILINE) == list(ROWS)


def test_the_runbooks_name_alarms_and_graphs_that_there_are(checked: Deployment) -> None:
    alarms = {one["Properties"]["MetricName"] for one in checked.resources("AWS::CloudWatch::Alarm").values()}
    graphs = {widget["properties"].get("title") for widget in body(checked)}
    seen = re.findall(
        r"^\*\*You see it\*\*.*?(?=\*\*|\n\n)", (DOCS / "runbooks.md").read_text(), re.MULTILINE | re.DOTALL
    )
    assert len(seen) == 7
    text = " ".join(" ".join(seen).split())
    assert set(re.findall(r"`([A-Z5]\w+)`", text)) - {"ResourceNotFoundException"} <= alarms
    assert set(re.findall(r"(?<!\*)\*([A-Z][^*]+)\*", text)) <= graphs
