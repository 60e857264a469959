"""What was deployed once is what each cloud of the same sources begins with, but for addresses, keys and secrets."""

import io
import json
from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest
from moto import mock_aws
from rich.console import Console

from local import assemblies, cloud, deploy, prepared
from local.cloud import BUCKETS, STATE
from ops import local_cloud
from ops.local_cloud import Cloud
from ops.phases import Phases

FIRST, SECOND = Cloud(4570), Cloud(45_701)
VALUE = "as it was deployed"


class Emulator:
    """What the emulator and the CDK leave in a cloud's home; how often each was asked for."""

    def __init__(self) -> None:
        self.deployed, self.started, self.beaten = 0, list[Cloud](), list[Cloud]()

    def start(self, port: int, *, auth: bool = False, begin: object = None) -> Cloud:
        made = Cloud(port)
        made.home.mkdir(parents=True)
        if callable(begin):
            begin(made)
        (made.home / STATE).mkdir(exist_ok=True)
        (made.home / STATE / "cognito-rsa-key.pem").write_text("signs tokens")
        (made.home / STATE / "cognito-pool-keys").mkdir(exist_ok=True)
        made.pid_file.write_text("1")
        self.started.append(made)
        return made

    def publish(self, made: Cloud, stage: str = local_cloud.STAGE) -> None:
        self.deployed += 1
        told = f"http://localhost:{made.port}/x http://a.execute-api.localhost:{made.port} {made.console_url}/"
        (made.home / STATE / "lambda.json").write_text(json.dumps({"url": told}))
        (made.home / BUCKETS / "runs").mkdir(parents=True)
        (made.home / BUCKETS / "runs" / "one").write_bytes(b"\xff\x00")
        made.outputs_file(stage).write_text(json.dumps({"api": {"ApiUrl": told, "SocketUrl": told}}))


@pytest.fixture
def emulator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Emulator]:
    made = Emulator()
    (tmp_path / "local").mkdir()
    (tmp_path / "ops").mkdir()
    for name in prepared.MADE_BY:
        (tmp_path / name).write_text("one")
    monkeypatch.setattr("ops.local_cloud.LOCAL", tmp_path / ".local")
    monkeypatch.setattr("local.cloud.LOCAL", tmp_path / ".local")
    monkeypatch.setattr(prepared, "KEPT", tmp_path / ".local" / "prepared")
    monkeypatch.setattr(prepared, "ROOT", tmp_path)
    monkeypatch.setattr(assemblies, "digest", lambda *_: "sources")
    monkeypatch.setattr(cloud, "start", made.start)
    monkeypatch.setattr(deploy, "prepare", lambda _: None)
    monkeypatch.setattr(deploy, "publish", made.publish)
    monkeypatch.setattr(Cloud, "pid", lambda _: 1)
    monkeypatch.setattr(Cloud, "pids", lambda _: [])
    monkeypatch.setattr(prepared, "stop_group", lambda *_: None)
    monkeypatch.setattr(prepared, "_beat", lambda running, _: made.beaten.append(running))
    monkeypatch.setattr("local.stream.running.start", lambda _: None)
    with mock_aws():
        secrets = boto3.client("secretsmanager", region_name="us-east-1")
        secrets.create_secret(Name="cursors", SecretString=VALUE)
        monkeypatch.setattr(Cloud, "client", lambda *_: secrets)
        yield made


def started(target: Cloud) -> Cloud:
    return prepared.start(target.port, Phases(Console(file=io.StringIO())))[0]


def test_the_same_is_deployed_once_and_each_cloud_has_its_own_addresses(emulator: Emulator) -> None:
    for target in (FIRST, SECOND, FIRST):
        made = started(target)
        told = f"http://localhost:{target.port}/x http://a.execute-api.localhost:{target.port} {target.console_url}/"
        assert json.loads((made.home / STATE / "lambda.json").read_text()) == {"url": told}
        assert local_cloud.outputs(made)["ApiUrl"] == told
        assert (made.home / BUCKETS / "runs" / "one").read_bytes() == b"\xff\x00"
        cloud.stop(made)
    assert emulator.deployed == 1
    assert emulator.beaten == [FIRST, SECOND, FIRST], "or nobody could tell for a minute how fresh anything is"


@pytest.mark.parametrize("name", prepared.MADE_BY)
def test_what_it_is_made_of_makes_another_one(emulator: Emulator, tmp_path: Path, name: str) -> None:
    cloud.stop(started(FIRST))
    (tmp_path / name).write_text("two")
    cloud.stop(started(FIRST))
    assert emulator.deployed == 2


def test_only_the_last_ones_are_kept(emulator: Emulator, tmp_path: Path) -> None:
    for number in range(prepared.MOST + 2):
        (tmp_path / prepared.MADE_BY[0]).write_text(str(number))
        cloud.stop(started(FIRST))
    assert len([each for each in prepared.KEPT.iterdir() if each.is_dir()]) == prepared.MOST


def test_no_key_and_no_secret_of_what_is_kept_is_used(emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> None:
    found = list[str]()
    for _ in range(2):
        made = started(FIRST)
        found.append(made.client("secretsmanager").get_secret_value(SecretId="cursors")["SecretString"])
        cloud.stop(made)
    assert len({VALUE, *found}) == 3
    (kept,) = (each for each in prepared.KEPT.iterdir() if each.is_dir())
    assert {each.name for each in (kept / STATE).iterdir()} == {"lambda.json"}


def test_what_could_not_be_deployed_is_not_kept(emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise local_cloud.NotDeployedError("no")

    with monkeypatch.context() as patch:
        patch.setattr(deploy, "publish", fail)
        with pytest.raises(local_cloud.NotDeployedError):
            started(FIRST)
    cloud.stop(FIRST)
    cloud.stop(started(FIRST))
    assert emulator.deployed == 1
