"""`make run` as people end it, or can't begin it: real processes, on ports of their own."""

import os
import re
import runpy
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import cast
from unittest.mock import Mock

import pytest

from local import cloud as clouds
from ops import local_cloud
from ops.local_cloud import Cloud
from ops.processes import answers, free_port, wait_until
from tests.support.commands import PATIENCE, ended, outcome, running, spawned

# `make run` where nothing has been prepared, below a folder.
UNPREPARED = """
import runpy, sys
from pathlib import Path
from local import prepared
prepared.KEPT = Path(sys.argv[1])
runpy.run_module("demo.__main__", run_name="__main__")
"""


@pytest.fixture
def cloud() -> Iterator[Cloud]:
    """Where the command is to make one, which is not left there."""
    cloud = Cloud(free_port())
    yield cloud
    assert not clouds.stop(cloud)


@pytest.mark.usefixtures("local_cloud")
@pytest.mark.parametrize("whole_group", [True, False], ids=["typed", "sent to it alone"])
def test_interrupted_while_it_deploys_it_leaves_nothing(cloud: Cloud, whole_group: bool, tmp_path: Path) -> None:
    with spawned([sys.executable, "-c", UNPREPARED, str(tmp_path)], cloud.port) as process:
        wait_until(lambda: bool(_of(cloud, "bootstrap.json")), PATIENCE, "the CDK's first request")
        assert cloud.pid() is not None
        (os.killpg if whole_group else os.kill)(process.pid, signal.SIGINT)
        status, printed = ended(process)
    assert status == 130
    assert printed.splitlines()[-1] == "interrupted: the local cloud has been stopped and removed"
    assert "Traceback" not in printed
    assert not _of(cloud, f"cloud-{cloud.port}")


def _of(cloud: Cloud, words: str) -> list[str]:
    """The command lines, of any process of this machine, that name the cloud's folder and these words."""
    lines = subprocess.run(
        ["ps", "-ww", "-eo", "args="], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    return [line for line in lines if str(cloud.home) in line and words in line]


def test_interrupted_in_its_first_second_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """While it still imports what it needs."""
    exits: list[int] = []
    monkeypatch.setattr(signal, "signal", Mock())
    interrupted = SimpleNamespace(main=Mock(side_effect=KeyboardInterrupt))
    monkeypatch.setitem(sys.modules, "demo.program", cast(ModuleType, interrupted))
    monkeypatch.setattr(os, "_exit", exits.append)
    runpy.run_module("demo.__main__", run_name="__main__")
    assert exits == [130]
    assert capsys.readouterr().out == "interrupted\n"


@pytest.mark.usefixtures("local_cloud")
def test_a_port_whose_owner_never_answers_is_named(cloud: Cloud) -> None:
    with socket.create_server(("127.0.0.1", cloud.port)):
        status, printed = outcome("demo", port=cloud.port)
    assert status == 1
    assert re.fullmatch(rf"port {cloud.port} is used by another program; .*EDGEWISE_PORT=\S+", printed.splitlines()[-1])


@pytest.mark.usefixtures("local_cloud")
@pytest.mark.parametrize("command", [["demo"], ["local.cloud", "stop"]])
def test_what_is_no_port_is_named(command: list[str]) -> None:
    assert outcome(*command, port="http") == (1, "EDGEWISE_PORT=http: expected a number from 1 to 65535\n")


@pytest.mark.parametrize("port", ["0", "65536", "-1", "4566 ", "１"])
def test_a_port_is_a_number_that_a_port_can_have(port: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEWISE_PORT", port)
    with pytest.raises(local_cloud.NoPortError, match="expected a number from 1 to 65535"):
        local_cloud.default()


def test_without_node_it_names_what_to_install(cloud: Cloud, tmp_path: Path) -> None:
    assert outcome("demo", port=cloud.port, PATH=str(tmp_path)) == (
        1,
        "node is needed and not found: install Node 24\n",
    )


@pytest.mark.usefixtures("local_cloud")
def test_a_cloud_that_runs_is_replaced_only_after_saying_so(cloud: Cloud) -> None:
    before = clouds.start(cloud.port)
    replaced = before.pid()
    with running("demo", port=cloud.port, PYTHONUNBUFFERED="1") as process:
        assert process.stdout is not None
        first, said = process.stdout.readline(), process.stdout.readline()
        wait_until(lambda: before.pid() != replaced, PATIENCE, "the end of the cloud")
        process.send_signal(signal.SIGINT)
        status, _ = ended(process)
    assert first.startswith("Runs Edgewise on this machine, feeds it real data, and compares every number")
    assert said == f"replacing the local cloud on port {cloud.port} and everything in it\n"
    assert status == 130
    assert not answers(before.url)
