"""The real `cdk` as a child process that doesn't outlive its parent."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ops.errors import LocalError
from ops.local_cloud import Cloud
from ops.paths import CDK
from ops.processes import stop_group


class CdkError(LocalError):
    """A CDK command failed; the message contains the end of its output."""


@dataclass(frozen=True)
class Command:
    """A running CDK command; its log is written when it ends."""

    name: str
    process: "subprocess.Popen[str]"
    log: Path

    def finish(self) -> str:
        """Wait for it and return what it printed to stdout; raises CdkError."""
        stdout, stderr = self.process.communicate()
        self.log.write_text(stdout + stderr)
        if self.process.returncode != 0:
            last = (stdout + stderr).splitlines()[-40:]
            raise CdkError("\n".join([f"cdk {self.name} failed:", *last]))
        return stdout


def run(cloud: Cloud, folder: Path, *arguments: str) -> str:
    """Run a CDK command in a folder and return what it prints to stdout; raises CdkError."""
    with running(cloud, folder, *arguments) as command:
        return command.finish()


@contextmanager
def running(cloud: Cloud, folder: Path, *arguments: str) -> Iterator[Command]:
    """Run a CDK command during a block; if it is still running at the end, stop it and all its children."""
    process = subprocess.Popen(
        [CDK, *arguments, "--no-notices", "--no-color"],
        cwd=folder,
        env=_env(cloud),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield Command(arguments[0], process, cloud.home / f"cdk-{arguments[0]}.log")
    finally:
        if process.poll() is None:
            stop_group(process.pid)


def _env(cloud: Cloud) -> dict[str, str]:
    # app.py runs in the same environment as this program.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return cloud.env() | {"PATH": path, "CDK_DISABLE_CLI_TELEMETRY": "true"}
