"""A local cloud that is deployed once: what the emulator then has is kept, and each cloud begins with a copy of that.

It is kept by all that it is made of, before its first record: the emulator keeps no records of streams, and would leave
out as many of the next ones as it had delivered. No key is in it that signs tokens, and no secret that is used.
"""

import fcntl
import hashlib
import os
import platform
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from local import assemblies, cloud, deploy
from local.cloud import BUCKETS, STATE
from local.stream import running as stream
from ops import local_cloud
from ops.errors import LocalError
from ops.local_cloud import Cloud, Outputs
from ops.paths import LOCAL, ROOT
from ops.phases import Phases
from ops.processes import free_port, needed, stop_group

KEPT = LOCAL / "prepared"
# A few are kept: what one has edited, and takes back.
MOST = 3
# What else it is made of, beside all that a synthesis reads: the emulator, and how it is deployed to.
MADE_BY = (
    "local/requirements.txt",
    "local/cloud.py",
    "ops/local_cloud.py",
    "local/deploy.py",
    "local/emulator.py",
    "local/prepared.py",
)
# The keys by which the emulator signs tokens: it makes new ones where there are none.
KEYS = "cognito-*.pem*", "cognito-pool-keys"
# Longer than the emulator takes to write what it has.
SAVING_SECONDS = 60


def start(port: int, phases: Phases, *, auth: bool = False) -> tuple[Cloud, Outputs]:
    """Start a cloud to which the application is deployed, without any data; one on the port is stopped first.

    `auth`: evaluate IAM policies on every call. Raises LocalError.
    """
    with _prepared(port, phases) as kept, phases("start the local cloud"):
        running = cloud.start(port, auth=auth, begin=lambda made: _copy(kept, made))
    _renew_secrets(running)
    stream.start(running)
    outputs = local_cloud.outputs(running)
    _beat(running, outputs)
    return running, outputs


@contextmanager
def running(port: int, phases: Phases, *, auth: bool = False) -> Iterator[tuple[Cloud, Outputs]]:
    """Start such a cloud, and stop it at the end of the block."""
    try:
        yield start(port, phases, auth=auth)
    finally:
        cloud.stop(Cloud(port))


@contextmanager
def _prepared(port: int, phases: Phases) -> Iterator[Path]:
    """Give the folder of the prepared cloud that the sources make now, locked; raises LocalError."""
    sources = assemblies.digest(local_cloud.STAGE, "", deploy.STAGES)
    made = hashlib.sha256(f"{platform.python_version()} {sources}".encode())
    for name in MADE_BY:
        made.update((ROOT / name).read_bytes())
    folder = KEPT / made.hexdigest()[:16]
    KEPT.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            _prepare(folder, port, phases)
        yield folder


def _prepare(kept: Path, port: int, phases: Phases) -> None:
    """Deploy to an empty cloud on the port, stop it, and keep what it has."""
    scratch = kept.with_suffix(".unfinished")
    shutil.rmtree(scratch, ignore_errors=True)
    with phases("start an empty local cloud"):
        empty = cloud.start(port)
    with phases("cdk bootstrap, cdk synth"):
        deploy.prepare(empty)
    with phases("cdk deploy"):
        deploy.publish(empty)
    with phases("keep what was deployed"):
        pid = empty.pid()
        assert pid is not None
        stop_group(pid, SAVING_SECONDS)
        for name in (STATE, BUCKETS):
            shutil.copytree(empty.home / name, scratch / name, ignore=shutil.ignore_patterns(*KEYS))
        shutil.copy(empty.outputs_file(local_cloud.STAGE), scratch)
        _readdress(scratch, empty, assemblies.NOBODY)
        cloud.stop(empty)
        scratch.rename(kept)
    for old in sorted(KEPT.glob("*[0-9a-f]"), key=lambda each: -each.stat().st_mtime)[MOST:]:
        shutil.rmtree(old, ignore_errors=True)


def _copy(kept: Path, target: Cloud) -> None:
    shutil.copytree(kept, target.home, dirs_exist_ok=True)
    _readdress(target.home, assemblies.NOBODY, target)
    os.utime(kept)


def _readdress(folder: Path, before: Cloud, after: Cloud) -> None:
    """Replace the addresses of one cloud by those of another, in all texts."""
    for path in folder.rglob("*.json"):
        text = found = path.read_text()
        for name in ("url", "console_url", "streams_url"):
            # Some have a subdomain before the port.
            origin, own = (getattr(cloud, name).removeprefix("http://") for cloud in (before, after))
            text = text.replace(origin, own)
        if text != found:
            path.write_text(text)


def _renew_secrets(running: Cloud) -> None:
    client = running.client("secretsmanager")
    for secret in client.list_secrets()["SecretList"]:
        client.put_secret_value(SecretId=secret["ARN"], SecretString=secrets.token_urlsafe(48))


if __name__ == "__main__":
    try:
        needed("node", "Node 24")
        with _prepared(free_port(), Phases(Console())):
            pass
    except LocalError as error:
        sys.exit(str(error))


def _beat(running: Cloud, outputs: Outputs) -> None:
    """Send the first heartbeats, as the schedule would in a minute: before, nobody can tell how fresh anything is."""
    running.client("lambda").invoke(
        FunctionName=outputs["HeartbeatFunctionName"], InvocationType="Event", Payload=b"{}"
    )
