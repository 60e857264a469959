"""The local cloud as a stage: where it is, how to reach it, what is deployed there. The folder `local` starts it."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import boto3
from botocore.config import Config

from edgewise.dynamodb.attributes import Item
from ops.errors import LocalError
from ops.paths import CLOUD_PYTHON, LOCAL
from ops.processes import command_line

# The name of its stage.
STAGE = "local"
DEFAULT_PORT = 4566
PORTS = 2**16
# From the cloud's port to the console's, and to that of the streams' shards (local/stream/).
CONSOLE, STREAMS = 1000, 2000
# The environment variable by which SDKs find another endpoint for one service.
STREAMS_URL = "AWS_ENDPOINT_URL_DYNAMODB_STREAMS"
REGION = "us-east-1"
ACCOUNT = "000000000000"
# The access key "test" is the emulator's root user, with any secret.
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}


class NoPortError(LocalError):
    """EDGEWISE_PORT is not a port."""


class NotDeployedError(LocalError):
    """Nothing has been deployed, or a deployment did not finish."""


# A call without an answer is not repeated automatically.
ONCE = Config(retries={"total_max_attempts": 1})
# It is, up to some minutes, where a second call does what the first one did: the machine may be busy.
REPEATED = Config(read_timeout=300, retries={"mode": "standard", "total_max_attempts": 10})


@dataclass(frozen=True)
class Cloud:
    """A local cloud on a port, running or not. Everything it writes is in `home`."""

    port: int

    @property
    def url(self) -> str:
        """The endpoint of every AWS service."""
        return f"http://localhost:{self.port}"

    @property
    def console_port(self) -> int:
        """The port of the console: a thousand above the cloud's, or below where there is none."""
        return self._beside(CONSOLE)

    @property
    def console_url(self) -> str:
        """The origin of the console."""
        return f"http://localhost:{self.console_port}"

    @property
    def api_url(self) -> str:
        """Where the console's server passes requests on to the API: whatever is deployed, and however often."""
        return f"{self.console_url}/api"

    @property
    def streams_port(self) -> int:
        """The port at which the shards of tables' streams are read: two thousand above the cloud's, or below."""
        return self._beside(STREAMS)

    @property
    def streams_url(self) -> str:
        """The endpoint of DynamoDB Streams: the emulator's own knows one shard only."""
        return f"http://localhost:{self.streams_port}"

    @property
    def home(self) -> Path:
        """Its log, its process id, its temporary files and the outputs of what is deployed on it."""
        return LOCAL / f"cloud-{self.port}"

    def outputs_file(self, stage: str) -> Path:
        """The file that `cdk deploy` writes: the outputs of each stack of a stage."""
        return self.home / f"outputs-{stage}.json"

    @property
    def page(self) -> Path:
        """The folder of the console's page, as it was built for this cloud."""
        return self.home / "page"

    @property
    def log_file(self) -> Path:
        """The file for what the emulator prints."""
        return self.home / "cloud.log"

    @property
    def pid_file(self) -> Path:
        """The file with the process id of the emulator, which leads its process group."""
        return self.home / "cloud.pid"

    @property
    def command(self) -> list[str]:
        """The command that starts the emulator. Python ignores the option `cloud`, which tells clouds apart."""
        return [str(CLOUD_PYTHON), "-X", f"cloud={self.home}", "-m", "local.emulator"]

    def env(self) -> dict[str, str]:
        """The environment of a child process that uses this cloud and cannot reach a real account."""
        endpoints = {"AWS_ENDPOINT_URL": self.url, "AWS_ENDPOINT_URL_S3": self.url, STREAMS_URL: self.streams_url}
        # Profiles of the user's own configuration could name other endpoints and credentials.
        files = {"AWS_CONFIG_FILE": os.devnull, "AWS_SHARED_CREDENTIALS_FILE": os.devnull}
        region = {"AWS_DEFAULT_REGION": REGION, "AWS_REGION": REGION}
        return clean_env() | CREDENTIALS | endpoints | files | region

    def client(self, service: str, config: Config = ONCE, endpoint: str | None = None) -> Any:
        """A boto3 client of one of its services, as the root user; at its usual endpoint unless another is given."""
        create: Any = boto3.client  # its type requires the service as a literal
        return create(
            service,
            endpoint_url=endpoint or (self.streams_url if service == "dynamodbstreams" else self.url),
            region_name=REGION,
            aws_access_key_id=CREDENTIALS["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=CREDENTIALS["AWS_SECRET_ACCESS_KEY"],
            config=config,
        )

    def items(self, table: str) -> Iterator[Item]:
        """Everything in a table."""
        pages = self.client("dynamodb", REPEATED).get_paginator("scan").paginate(TableName=table, ConsistentRead=True)
        for page in pages:
            yield from page["Items"]

    def pid(self) -> int | None:
        """The process id of the emulator; None if it is not running."""
        if not self.pid_file.exists():
            return None
        pid = int(self.pid_file.read_text())
        return pid if self._owns(pid) else None

    def pids(self) -> list[int]:
        """The process ids of all that runs for it: the emulator, and what was started beside it."""
        return [pid for file in self.home.glob("*.pid") if self._owns(pid := int(file.read_text()))]

    def runs(self, pid_file: Path) -> bool:
        """Whether what was started beside it, with this file of its process id, is running."""
        return pid_file.exists() and self._owns(int(pid_file.read_text()))

    def _beside(self, above: int) -> int:
        return self.port + above if self.port + above < PORTS else self.port - above

    def _owns(self, pid: int) -> bool:
        # The number may belong to another program by now, even to the cloud on another port.
        return f" -X cloud={self.home} " in command_line(pid)


def default() -> Cloud:
    """The cloud of `make run`: on port EDGEWISE_PORT, 4566 unless set; raises NoPortError."""
    port = os.environ.get("EDGEWISE_PORT") or str(DEFAULT_PORT)
    if not re.fullmatch("[0-9]{1,5}", port) or not 0 < int(port) < PORTS:
        raise NoPortError(f"EDGEWISE_PORT={port}: expected a number from 1 to 65535")
    return Cloud(int(port))


def clean_env() -> dict[str, str]:
    """The environment without the user's AWS settings."""
    return {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}


@dataclass(frozen=True)
class Outputs:
    """The outputs of all stacks by name; the addresses of the API and the socket as every client can resolve them."""

    values: Mapping[str, str]
    api_url: str
    socket_url: str

    def __getitem__(self, name: str) -> str:
        return self.values[name]

    def function(self, name: str) -> str | None:
        """The physical name of a function; None if the function is not deployed."""
        return self.values.get(f"{''.join(map(str.capitalize, name.split('_')))}FunctionName")


def outputs(cloud: Cloud, stage: str = STAGE) -> Outputs:
    """The outputs of the last deployment; raises NotDeployedError if there was none."""
    if not cloud.outputs_file(stage).exists():
        raise NotDeployedError("nothing is deployed on the local cloud: make run")
    stacks: dict[str, dict[str, str]] = json.loads(cloud.outputs_file(stage).read_text())
    values = {name: value for stack in stacks.values() for name, value in stack.items()}
    # Only curl and browsers resolve the name {id}.execute-api.localhost; every client resolves these addresses.
    api_id, socket_id = (str(urlsplit(values[name]).hostname).partition(".")[0] for name in ("ApiUrl", "SocketUrl"))
    gateway = f"{cloud.url}/_aws/execute-api"
    return Outputs(values, f"{gateway}/{api_id}/$default", f"{gateway}/{socket_id}/live")
