"""The context is parsed once, and refused when it makes no sense."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from infra.settings import InfraSettings, InvalidContextError
from tests.infra.conftest import new_app

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("stage", ["dev", "prod", "local"])
def test_known_stages(stage: str) -> None:
    assert InfraSettings.from_context(new_app(stage).node).stage == stage


@pytest.mark.parametrize("freshness", [1, "1", "10"])
def test_freshness_as_the_command_line_and_cdk_json_give_it(freshness: object) -> None:
    app = new_app("dev", freshness=freshness)
    assert InfraSettings.from_context(app.node).freshness == int(str(freshness))


@pytest.mark.parametrize("freshness", ["0", "11", "-1", "1.5", "", "soon"])
def test_other_freshness_is_refused_with_what_is_allowed(freshness: str) -> None:
    expected = f"context freshness='{freshness}': expected a whole number from 1 to 10"
    with pytest.raises(InvalidContextError, match=expected):
        InfraSettings.from_context(new_app("dev", freshness=freshness).node)


@pytest.mark.parametrize("stage", ["", "Prod", "staging"])
def test_other_stages_are_refused_with_what_is_allowed(stage: str) -> None:
    with pytest.raises(InvalidContextError, match=f"context stage='{stage}': expected one of dev, prod, local"):
        InfraSettings.from_context(new_app(stage).node)


def test_aggregates_that_wait_for_the_end_of_a_window() -> None:
    app = new_app("dev", deferred="DEGREE,GAME", window="60")
    settings = InfraSettings.from_context(app.node)
    assert (settings.deferred, settings.window) == (("DEGREE", "GAME"), 60)
    assert settings.consumer("t").deferred == "DEGREE,GAME"


def test_by_default_none_waits() -> None:
    assert InfraSettings.from_context(new_app("dev").node).consumer("t").deferred == "none"


@pytest.mark.parametrize("deferred", ["MESSAGE", "DEGREE,", "degree", "DEGREE GAME", "none"])
def test_what_is_no_aggregate_cannot_wait(deferred: str) -> None:
    with pytest.raises(InvalidContextError, match=f"context deferred='{deferred}': expected some of .*DEGREE,.*GAME"):
        InfraSettings.from_context(new_app("dev", deferred=deferred).node)


@pytest.mark.parametrize("window", ["9", "901", "", "1m"])
def test_windows_are_as_long_as_lambda_allows(window: str) -> None:
    with pytest.raises(InvalidContextError, match=f"context window='{window}': expected a whole number from 10 to 900"):
        InfraSettings.from_context(new_app("dev", window=window).node)


@pytest.mark.parametrize(("partials", "setting"), [("", "unchanged"), (1, "1"), ("64", "64")])
def test_a_number_of_partials(partials: object, setting: str) -> None:
    settings = InfraSettings.from_context(new_app("dev", partials=partials).node)
    assert settings.consumer("t").partials == setting


@pytest.mark.parametrize("partials", ["0", "65", "-1", "many", "1,4@2026-12-01T00:00:00Z"])
def test_what_is_no_number_of_partials_is_refused(partials: str) -> None:
    with pytest.raises(
        InvalidContextError, match=f"context partials='{partials}': expected nothing, or a number of partials"
    ):
        InfraSettings.from_context(new_app("dev", partials=partials).node)


def test_whoever_synthesizes_reads_what_is_wrong_in_one_line() -> None:
    context = json.loads((ROOT / "cdk.json").read_text())["context"] | {"window": "5"}
    env = os.environ | {"CDK_CONTEXT_JSON": json.dumps(context)}
    tried = subprocess.run([sys.executable, "app.py"], cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert tried.returncode == 1
    assert tried.stderr.splitlines()[-1] == "context window='5': expected a whole number from 10 to 900"
    assert "Traceback" not in tried.stderr
