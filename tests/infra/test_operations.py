"""Whoever is woken finds what it means: every alarm, every row of the dashboard and every log line is told."""

import re
from pathlib import Path

from docs import alarm_list
from infra.watches import CAUSES, WATCHES
from tests.infra.conftest import Deployment
from tests.infra.test_dashboard import ROWS, body

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "operations.md").read_text()


def _section(title: str) -> str:
    return PAGE.split(f"## {title}\n")[1].split("\n## ")[0]


def test_the_table_of_alarms_is_that_of_their_declarations() -> None:
    assert alarm_list.filled(PAGE) == PAGE, "run `make docs`"
    told = re.findall(r"^\| `([a-z-]+)`( \*)? \|", _section("The alarms"), re.MULTILINE)
    always = {name: each.always for name, each in CAUSES.items()} | {
        name: each.always for name, each in WATCHES.items()
    }
    assert {name: not star for name, star in told} == always


def test_every_row_of_the_dashboard_is_told_in_its_order() -> None:
    assert re.findall(r"^\| (.+\?) \|", _section("The dashboard"), re.MULTILINE) == list(ROWS)


def test_the_runbooks_name_alarms_and_graphs_that_there_are(checked: Deployment) -> None:
    graphs = {widget["properties"].get("title") for widget in body(checked)}
    seen = re.findall(
        r"^\*\*You see it\*\*.*?(?=\*\*|\n\n)", (DOCS / "runbooks.md").read_text(), re.MULTILINE | re.DOTALL
    )
    assert len(seen) == 8
    text = " ".join(" ".join(seen).split())
    assert set(re.findall(r"`([a-z]+-[a-z-]+)`", text)) <= {*WATCHES, *CAUSES}
    assert set(re.findall(r"(?<!\*)\*([A-Z][^*]+)\*", text)) <= graphs
