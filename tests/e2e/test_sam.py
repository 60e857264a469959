"""The SAM CLI on what is deployed: all that it does before it starts a container, and a process in place of that."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from functions.catalog import module_of
from functions.settings import (
    AuthorizerSettings,
    BatchPublishSettings,
    BatchRepairSettings,
    BatchRunSettings,
    BatchVerifySettings,
    CascadeSettings,
    ConsumerSettings,
    HeartbeatSettings,
    IndexerSettings,
    LastLineSettings,
    OutletSettings,
    PusherSettings,
    RedriveSettings,
    RoutesSettings,
    Settings,
    SocketSettings,
    SubscribingSettings,
    SweeperSettings,
)
from infra.bundle import BREAKABLE
from infra.functions import FUNCTIONS
from local import deploy
from ops import sam
from ops.local_cloud import CREDENTIALS, REGION, STREAMS_URL
from ops.paths import ROOT
from ops.stage import Stage
from tests.e2e.conftest import Client, Deployment
from tests.support.sam import BIN, ENV, resolve

SETTINGS: dict[str, type[Settings]] = {
    "edge_aggregator": ConsumerSettings,
    "cascade": CascadeSettings,
    "last_line": LastLineSettings,
    "redrive": RedriveSettings,
    "sweeper": SweeperSettings,
    "heartbeat": HeartbeatSettings,
    "indexer": IndexerSettings,
    "outlet": OutletSettings,
    "pusher": PusherSettings,
    "socket": SubscribingSettings,
    "socket_authorizer": AuthorizerSettings,
    "socket_sweeper": SocketSettings,
    "batch_run": BatchRunSettings,
    "batch_repair": BatchRepairSettings,
    "batch_verify": BatchVerifySettings,
    "batch_publish": BatchPublishSettings,
}
# The local cloud tells nobody outside.
DEPLOYED = set(FUNCTIONS) - {"outlet"}
CALL = """
import importlib, json, sys
from local.context import Context
handler = importlib.import_module(sys.argv[1]).handler
print(json.dumps(handler(json.load(open(sys.argv[2])), Context("telemetry"))))
"""


@pytest.fixture
def assembly(deployment: Deployment) -> Path:
    """What `cdk synth` has written, assets and all; a cloud that begins as a copy has none yet."""
    folder = deployment.cloud.home / "cdk.out-local"
    if not folder.exists():
        deploy.synthesize(deployment.cloud)
    return folder


@pytest.fixture
def deployed(assembly: Path, deployment: Deployment, monkeypatch: pytest.MonkeyPatch) -> dict[str, sam.Deployed]:
    monkeypatch.setenv("EDGEWISE_PORT", str(deployment.cloud.port))
    return sam.deployed(Stage("local"))


def test_in_the_synthesized_templates_sam_finds_every_function_and_what_it_needs(
    assembly: Path,
) -> None:
    names = ("api", "edge-stream", "cascade", "batch", "push", "search")
    found = resolve(*(assembly / f"edgewise-local-{name}.template.json" for name in names))
    assert set(found) == DEPLOYED
    for name, function in found.items():
        module = module_of(BREAKABLE.get(name, name))
        assert function["handler"] == f"{module}.handler"
        assert (Path(function["code"]) / f"{module.replace('.', '/')}.py").is_file()
        assert function["layers"] == []  # the emulator has it all
    # What only the deployment knows, SAM makes an empty text; hence the template that `make sam` writes.
    assert found["chat"]["environment"]["CURSOR_SECRET_ARN"] == ""


def test_by_the_written_template_sam_passes_what_is_deployed_and_the_local_clouds_address(
    assembly: Path, deployed: dict[str, sam.Deployed], deployment: Deployment
) -> None:
    path = assembly / "sam.template.json"
    path.write_text(json.dumps(sam.template(assembly, deployed)))
    found = resolve(path)
    assert set(found) == DEPLOYED
    for name, function in found.items():
        environment = function["environment"]
        assert environment.items() >= deployed[name].environment.items()
        assert environment["AWS_ENDPOINT_URL"] == f"http://host.docker.internal:{deployment.cloud.port}"
        assert environment[STREAMS_URL] == f"http://host.docker.internal:{deployment.cloud.streams_port}"
        assert SETTINGS.get(name, RoutesSettings).from_env(environment)
    secret = found["chat"]["environment"]["CURSOR_SECRET_ARN"]
    assert deployment.cloud.client("secretsmanager").get_secret_value(SecretId=secret)["SecretString"]
    checked = subprocess.run([BIN / "sam", "validate", "--lint", "-t", path], env=ENV, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_a_process_with_the_containers_environment_stores_where_the_deployed_function_reads(
    deployed: dict[str, sam.Deployed], guest: Client
) -> None:
    environment = dict(deployed["telemetry"].environment)
    # Only containers know the machine by its other name.
    inside = environment["AWS_ENDPOINT_URL"].replace("host.docker.internal", "localhost")
    # This cloud evaluates policies, so it wants to know who calls; that of `make run` does not.
    environment |= CREDENTIALS | {"AWS_ENDPOINT_URL": inside, "AWS_DEFAULT_REGION": REGION, "PATH": os.environ["PATH"]}
    event = ROOT / "tests" / "events" / "telemetry_http.json"
    command = [sys.executable, "-c", CALL, module_of("telemetry"), str(event)]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["statusCode"] == 202
    assert "e1" in {each["event_id"] for each in guest.get("devices", "123", "events")["events"]}
