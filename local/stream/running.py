"""Starts the program beside a cloud, and asks it how far it is."""

import subprocess
import sys
from typing import Any

import requests

from local.cloud import START_SECONDS
from ops.errors import LocalError
from ops.local_cloud import Cloud
from ops.paths import ROOT
from ops.processes import taken, wait_for_server


class StreamEndedError(LocalError):
    """The program has ended. Its place in the streams is gone with it, so nobody can go on."""


class StreamPortError(LocalError):
    """Another program listens on the port that the program needs."""


def start(cloud: Cloud) -> None:
    """Start the program, unless it runs; it ends with the cloud.

    Raises StreamEndedError if it has run before, StreamPortError or NotReadyError.
    """
    pid_file, log_file = cloud.home / "stream.pid", cloud.home / "stream.log"
    if cloud.runs(pid_file):
        return
    if pid_file.exists():
        raise StreamEndedError(f"what delivers the local stream has ended (see {log_file}): make stop, and begin anew")
    if taken(cloud.streams_port):
        raise StreamPortError(f"port {cloud.streams_port} is used by another program, and the local stream needs it")
    with log_file.open("wb") as log:
        command = [sys.executable, "-X", f"cloud={cloud.home}", "-m", "local.stream", str(cloud.port)]
        process = subprocess.Popen(command, cwd=ROOT, env=cloud.env(), stdout=log, stderr=log, start_new_session=True)
    pid_file.write_text(str(process.pid))
    wait_for_server(process, cloud.streams_url, START_SECONDS, log_file)


def news(cloud: Cloud) -> int:
    """The number of the last record of the cloud's streams that has consequences; 0 if there is none."""
    return int(_progress(cloud)["news"])


def is_done(cloud: Cloud, upto: int) -> bool:
    """Whether all records up to this number are delivered to all readers, and their windows have ended."""
    return bool(_progress(cloud, f"?upto={upto}")["done"])


def left(cloud: Cloud) -> int:
    """How many records are still to be delivered."""
    return int(_progress(cloud, "?upto=0")["left"])


def _progress(cloud: Cloud, asked: str = "") -> dict[str, Any]:
    found: dict[str, Any] = requests.get(f"{cloud.streams_url}/{asked}", timeout=300).json()
    return found
