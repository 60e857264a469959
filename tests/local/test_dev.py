"""`make dev` on a copy of this folder, which is edited, and on a local cloud of its own."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import requests

from infra.bundle import deployment_sources
from local import dev
from ops.paths import ROOT
from ops.processes import free_port, stop_group, wait_until
from tests.support.commands import PATIENCE

COPIED = ("edgewise", "functions", "infra", "ops", "local", "delivery", "stages")
INSTALLED = ("node_modules", "web", ".venv-cloud", ".build")
HEALTH = Path("functions", "systems", "api", "routes.py")
CHAT = Path("functions", "systems", "chat", "routes.py")


@dataclass(frozen=True)
class Copy:
    """A copy of the project, and a port for its local cloud."""

    root: Path
    port: int

    @property
    def env(self) -> dict[str, str]:
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # which has the pinned Node
        return os.environ | {"EDGEWISE_PORT": str(self.port), "PATH": path}

    def edit(self, file: Path, old: str, new: str) -> None:
        text = (self.root / file).read_text()
        assert old in text
        (self.root / file).write_text(text.replace(old, new))

    @contextmanager
    def dev(self) -> "Iterator[Dev]":
        """`make dev`, until Ctrl-C."""
        log = self.root / "dev.log"
        with log.open("wb") as output:
            command = [sys.executable, "-m", "local.dev"]
            process = subprocess.Popen(
                command, cwd=self.root, env=self.env, stdout=output, stderr=output, start_new_session=True
            )
        dev = Dev(process, log)
        try:
            dev.says("watching edgewise/")
            yield dev
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) == 130
        finally:
            stop_group(process.pid)


@dataclass(frozen=True)
class Dev:
    """A running `make dev`."""

    process: "subprocess.Popen[bytes]"
    log: Path

    def says(self, text: str) -> str:
        """Everything that it has printed, as soon as the text is in it."""
        wait_until(lambda: text in self.log.read_text() or self.process.poll() is not None, PATIENCE, text)
        printed = self.log.read_text()
        assert text in printed, printed
        return printed

    def answers(self, status: str) -> None:
        """Wait for this answer."""
        url = self.says("API=").partition("API=")[2].split()[0]
        wait_until(lambda: requests.get(f"{url}/health", timeout=60).json().get("status") == status, PATIENCE, status)


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[Copy]:
    for name in COPIED:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("app.py", "cdk.json"):
        shutil.copy(ROOT / name, tmp_path / name)
    for name in INSTALLED:
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / ".local").mkdir()
    for name in ("assemblies", "prepared"):
        (ROOT / ".local" / name).mkdir(parents=True, exist_ok=True)
        (tmp_path / ".local" / name).symlink_to(ROOT / ".local" / name)
    copy = Copy(tmp_path, free_port())
    yield copy
    subprocess.run([sys.executable, "-m", "local.cloud", "stop"], cwd=copy.root, env=copy.env, check=True)


def test_all_that_a_deployment_reads_is_watched() -> None:
    stages = set((ROOT / "stages").glob("*.toml"))
    assert stages
    assert stages | set(deployment_sources()) <= dev.files().keys()


@pytest.mark.usefixtures("local_cloud")
def test_an_edit_is_answered_by_the_cloud_whose_data_stay(copy: Copy) -> None:
    with copy.dev() as dev:
        dev.answers("ok")
        copy.edit(HEALTH, 'status="ok"', 'status="edited"')
        dev.answers("edited")
        assert "shipped api: " in dev.says("shipped ")
        line = len((copy.root / CHAT).read_text().splitlines()) + 1
        copy.edit(CHAT, "app = http.resolver(SYSTEM)\n", "app = http.resolver(SYSTEM)\nnot_defined\n")
        assert "name 'not_defined' is not defined" in dev.says("NameError")
        copy.edit(CHAT, "\nnot_defined\n", "\n")
        with (copy.root / CHAT).open("a") as source:
            source.write("def\n")
        assert "routes.py:" in dev.says(f":{line}: invalid syntax")
        copy.edit(CHAT, "\ndef\n", "\n")
        copy.edit(HEALTH, 'status="edited"', 'status="again"')
        dev.answers("again")
    with copy.dev() as dev:
        dev.answers("again")
        assert "cdk deploy" not in dev.log.read_text()
