"""Each function starts from its code and the layer alone: no package of this machine (or of the emulator) helps out."""

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
# As on Lambda: a function's code, then the layers, then Python's own.
sys.path[:] = [*sys.argv[2:], *(path for path in sys.path if "site-packages" not in path)]
import importlib
importlib.import_module(sys.argv[1]).handler
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
    "WRITES": "statements",
    "DEFERRED": "none",
    "PARTIALS": "1",
    "POWERTOOLS_SERVICE_NAME": "test",
    "POWERTOOLS_METRICS_NAMESPACE": "Edgewise",
}


@pytest.fixture(scope="module")
def layer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("layer")
    bundle.write_layer(target, None)
    return target / bundle.LAYER_FOLDER


@pytest.mark.parametrize("name", FUNCTIONS)
def test_starts_from_its_code_and_the_layer_alone(name: str, layer: Path, tmp_path: Path) -> None:
    code = tmp_path / "code"
    bundle.write_code(name, code)
    command = [sys.executable, "-S", "-c", START, module_of(name), str(code), str(layer)]
    started = subprocess.run(command, env=ENV, cwd=tmp_path, capture_output=True, text=True)
    assert started.returncode == 0, started.stderr
    frozen = int(started.stdout.splitlines()[-1])
    assert (frozen > 0) == (name == "edge_aggregator"), "only who makes many objects keeps modules from the collector"
