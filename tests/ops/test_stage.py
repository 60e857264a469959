"""Clients of a deployment, wherever it is."""

import pytest

from infra.functions import FUNCTIONS
from ops import stage
from ops.local_cloud import Cloud
from ops.stage import Stage


@pytest.mark.parametrize("name", ["local", "dev"])
def test_who_calls_a_function_waits_as_long_as_it_may_run_and_calls_it_once(
    name: str, aws_env: pytest.MonkeyPatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A repair pauses for a minute, and for two if something is open."""
    monkeypatch.setattr(stage, "running_cloud", lambda: Cloud(4566))
    config = Stage(name).client("lambda").meta.config
    assert config.read_timeout > max(function.timeout_s for function in FUNCTIONS.values())
    assert config.retries["total_max_attempts"] == 1
