"""`make dev`: runs the application on the local cloud, and ships each change of a function's code within seconds.

A running cloud keeps all its data, and is deployed to only if the deployment could change something.
"""

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from py_compile import PyCompileError

from botocore.exceptions import BotoCoreError
from rich.console import Console

from functions.catalog import module_of
from local import console, deploy, prepared, shipping
from local.shipping import Shipped, State
from local.stream import running
from local.users import create_users
from ops import local_cloud
from ops.errors import LocalError
from ops.local_cloud import Cloud, Outputs
from ops.passwords import DEMO_USERS, PASSWORD
from ops.paths import ROOT
from ops.phases import Phases
from ops.processes import needed, taken

POLL_SECONDS = 0.5
# What a deployment reads. Files with other suffixes are left there by other programs.
WATCHED = ("edgewise", "functions", "infra", "stages", "app.py", "cdk.json")
SUFFIXES = frozenset({".py", ".pyi", ".json", ".toml", ".txt"})
# The code is wrong, or an editor is in the midst of writing it.
UNFINISHED = (SyntaxError, PyCompileError, FileNotFoundError)
IMPORT = "import importlib, sys; [importlib.import_module(name) for name in sys.argv[1:]]"
REDEPLOY = "a source of the templates has changed: to deploy new routes, permissions or settings, start make dev again"


class StoppedError(LocalError):
    """The local cloud was stopped while `make dev` was running."""

    def __init__(self) -> None:
        super().__init__("the local cloud has been stopped")


def main(console: Console) -> None:
    """Start the application, then ship the changes of this folder until interrupted; raises LocalError."""
    needed("node", "Node 24")
    target = local_cloud.default()
    outputs = up(Phases(console), target)
    print(f"API={target.api_url}")
    print(f"console: {target.console_url}, users {'|'.join(DEMO_USERS)}, password {PASSWORD}")
    print(f"tokens: .venv/bin/python -m ops.token {'|'.join(DEMO_USERS)}")
    print("watching edgewise/, functions/, infra/ and stages/")
    print("Ctrl-C ends make dev, make stop the local cloud", flush=True)
    seen: dict[Path, int] = {}
    while target.pid() is not None:
        if (now := files()) != seen:
            seen = now
            follow(target, outputs)
        time.sleep(POLL_SECONDS)
    raise StoppedError


def up(phases: Phases, target: Cloud) -> Outputs:
    """Start the cloud and deploy the application, unless this was done before; raises LocalError, SyntaxError."""
    current = shipping.here()
    if target.pid() is None or not target.outputs_file(local_cloud.STAGE).exists():
        create_users(*prepared.start(target.port, phases))
        shipping.record(target, current)
    there = shipping.recorded(target)
    if there and there.deployment == current.deployment:
        outputs = local_cloud.outputs(target)
        running.start(target)
    else:
        outputs = _deployed(phases, target)
        # CloudFormation does not update a function with an unchanged template, even if other code was shipped since.
        shipping.record(target, State(current.deployment, there.code if there else current.code))
    if not taken(target.console_port):
        with phases("build and serve the console"):
            console.start(target)
    return outputs


def _deployed(phases: Phases, target: Cloud) -> Outputs:
    with phases("cdk synth"):
        deploy.synthesize(target)
    with phases("cdk deploy"):
        return deploy.publish(target)


def files() -> dict[Path, int]:
    """The time at which each watched file was last modified, in nanoseconds."""
    paths = (path for name in WATCHED for path in (ROOT / name, *(ROOT / name).rglob("*")))
    return {path: path.stat().st_mtime_ns for path in paths if path.suffix in SUFFIXES and path.exists()}


def follow(target: Cloud, outputs: Outputs) -> None:
    """Ship the code that has changed, and print what was shipped, or what is wrong with the code."""
    there, started = shipping.recorded(target), time.monotonic()
    if there is None:
        raise StoppedError
    try:
        wanted = shipping.here()
        shipped = list(shipping.ship(target, outputs, there, wanted))
    except UNFINISHED as error:
        print(f"not shipped: {_spelled(error)}", flush=True)
        return
    except BotoCoreError as error:  # the cloud does not answer
        raise StoppedError from error
    if shipped:
        print(_told(shipped, time.monotonic() - started), flush=True)
        print(_wrong(shipped), end="", flush=True)
    if wanted.deployment != there.deployment:
        print(REDEPLOY, flush=True)


def _spelled(error: Exception) -> str:
    if isinstance(error, SyntaxError):
        return f"{error.filename}:{error.lineno}: {error.msg}"
    return str(error)


def _told(shipped: Sequence[Shipped], seconds: float) -> str:
    size = sum(each.size for each in shipped) / 1e3
    return f"shipped {', '.join(each.name for each in shipped)}: {size:,.0f} KB, {seconds:.1f} s"


def _wrong(shipped: Sequence[Shipped]) -> str:
    """The tracebacks of functions that can't be imported, which the cloud would only write to its log."""
    modules = [module_of(each.name) for each in shipped]
    return subprocess.run([sys.executable, "-c", IMPORT, *modules], cwd=ROOT, capture_output=True, text=True).stderr


if __name__ == "__main__":
    try:
        main(Console())
    except KeyboardInterrupt:
        sys.exit(130)
    except LocalError as error:
        sys.exit(str(error))
    except UNFINISHED as error:
        sys.exit(_spelled(error))
