"""Each function starts from its bundle alone: no package of this machine (or of the emulator) helps out."""

import subprocess
import sys
from pathlib import Path

import pytest

from functions.catalog import module_of
from infra import bundle
from infra.functions import FUNCTIONS

pytestmark = pytest.mark.xdist_group("infra")

START = """
import sys
sys.path[:] = [sys.argv[1], *(path for path in sys.path if "site-packages" not in path)]
import importlib
importlib.import_module(sys.argv[2]).handler
import boto3
boto3.client("secretsmanager")
import gc
print(gc.get_freeze_count())
"""
ENV = {
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_LAMBDA_FUNCTION_NAME": "under-test",  # clients are made at the start, as on Lambda
    "TABLE_NAME": "Edgewise",
    "CURSOR_SECRET_ARN": "arn",
    "SHARD_SOURCE": "shard",
    "DEFERRED": "none",
    "PARTIALS": "1",
    "POWERTOOLS_SERVICE_NAME": "test",
    "POWERTOOLS_METRICS_NAMESPACE": "Edgewise",
}


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("bundle")
    bundle.write_bundle(target, None)
    return target


@pytest.mark.parametrize("name", FUNCTIONS)
def test_starts_from_the_bundle_alone(name: str, bundled: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-S", "-c", START, str(bundled), module_of(name)]
    started = subprocess.run(command, env=ENV, cwd=tmp_path, capture_output=True, text=True)
    assert started.returncode == 0, started.stderr
    frozen = int(started.stdout.splitlines()[-1])
    assert (frozen > 0) == (name == "edge_aggregator"), "only who makes many objects keeps modules from the collector"
