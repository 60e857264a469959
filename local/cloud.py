"""Starts and stops the local cloud: ministack in an environment of its own, as a daemon on one port of this machine."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ops.errors import LocalError
from ops.local_cloud import STREAMS_URL, Cloud, clean_env, default
from ops.paths import LOCAL, ROOT
from ops.processes import stop_group, taken, wait_for_server

# The folders in which it keeps what it has: that of buckets, and all else.
BUCKETS, STATE = "s3", "state"
# Long, because the machine may be busy. A program that ends instead of starting is reported at once.
START_SECONDS = 300


class PortTakenError(LocalError):
    """A program other than our local cloud listens on the port."""


def start(port: int, *, auth: bool = False, begin: Callable[[Cloud], object] = lambda _: None) -> Cloud:
    """Start an empty cloud; one that is already running on the port is stopped first.

    `auth`: evaluate IAM policies on every call, as AWS does. `begin`: puts into its home what it is to begin with.
    Raises PortTakenError, or NotReadyError with the end of its log.
    """
    cloud = Cloud(port)
    stop(cloud)
    if taken(port):
        raise PortTakenError(f"port {port} is used by another program; choose one with EDGEWISE_PORT=...")
    (cloud.home / "tmp").mkdir(parents=True)
    begin(cloud)
    with cloud.log_file.open("wb") as log:
        process = subprocess.Popen(
            cloud.command,
            cwd=ROOT,
            env=_server_env(cloud, auth),
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    cloud.pid_file.write_text(str(process.pid))
    wait_for_server(process, f"{cloud.url}/_ministack/ready", START_SECONDS, cloud.log_file)
    return cloud


def stop(cloud: Cloud) -> bool:
    """Stop it with its functions' workers and remove its files; False if it was not running."""
    pids = cloud.pids()
    for pid in pids:
        stop_group(pid)
    if cloud.home.exists():
        _discard(cloud.home)
    return bool(pids)


@contextmanager
def running(port: int, *, auth: bool = False) -> Iterator[Cloud]:
    """Start a cloud, and stop it at the end of the block."""
    try:
        yield start(port, auth=auth)
    finally:
        stop(Cloud(port))


def _discard(folder: Path) -> None:
    """Remove a folder without waiting: functions leave some 20,000 files, which take half a minute on a busy disk."""
    trash = tempfile.mkdtemp(prefix="trash-", dir=LOCAL)
    folder.rename(Path(trash) / folder.name)
    # Whoever reads what this program prints waits until nobody can print more.
    subprocess.Popen(["rm", "-rf", trash], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)


def _server_env(cloud: Cloud, auth: bool) -> dict[str, str]:
    # Functions inherit this environment: an endpoint or a credential in it would win over their own, as this one shall.
    return clean_env() | {
        STREAMS_URL: cloud.streams_url,
        "GATEWAY_PORT": str(cloud.port),
        # On Linux, containers can't reach the loopback interface (docs/running-locally.md).
        "BIND_HOST": os.environ.get("EDGEWISE_BIND") or "127.0.0.1",
        "TMPDIR": str(cloud.home / "tmp"),
        # Both are read at the start, and written at the end.
        "PERSIST_STATE": "1",
        "STATE_DIR": str(cloud.home / STATE),  # holds the private keys that sign tokens
        "S3_PERSIST": "1",
        "S3_DATA_DIR": str(cloud.home / BUCKETS),
        "IOT_MTLS_ENABLED": "0",
        "AUTH": str(auth).lower(),
    }


if __name__ == "__main__":
    if sys.argv[1:] != ["stop"]:
        sys.exit("usage: python -m local.cloud stop")
    try:
        print("stopped" if stop(default()) else "not running")
    except LocalError as error:
        sys.exit(str(error))
