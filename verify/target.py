"""Where a run works: the local cloud, or a stage on AWS. Only address and credentials differ."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from local import cloud, deploy
from local.cloud import Cloud
from local.errors import LocalError

LOCAL = "local"
STACKS = ("table", "edge-stream", "cascade", "api")
# Longer than the function `redrive` may run; and a call that got lost is not repeated by itself.
PATIENT = Config(read_timeout=900, retries={"total_max_attempts": 1})


class TargetError(LocalError):
    """There is no such deployment, or it can't be asked."""


@dataclass(frozen=True)
class Target:
    """A deployment: its stage, clients of AWS's services there, the outputs of its stacks, the API's address."""

    stage: str
    client: Callable[[str], Any]
    outputs: Mapping[str, str]
    api_url: str

    @property
    def place(self) -> str:
        """Where it is, in words."""
        return "the local cloud (an emulator: what it does says nothing of AWS)" if self.stage == LOCAL else "AWS"


def target(stage: str) -> Target:
    """The deployment of a stage; raises TargetError."""
    if stage == LOCAL:
        running = cloud.default()
        if running.pid() is None:
            raise TargetError("the local cloud does not run: make run, or ON=STAGE for a deployment on AWS")
        return on_cloud(running)
    if not re.fullmatch("[a-z][a-z0-9-]*", stage):
        raise TargetError(f"ON={stage}: expected {LOCAL}, or the name of a stage that is deployed")
    try:
        found = _outputs(stage)
    except (BotoCoreError, ClientError) as error:
        raise TargetError(f"ON={stage}: {error}") from error
    return Target(stage, _on_aws, found, found["ApiUrl"])


def on_cloud(running: Cloud) -> Target:
    """What is deployed on a local cloud; raises NotDeployedError."""
    found = deploy.outputs(running)
    return Target(LOCAL, running.client, found.values, found.api_url)


def _on_aws(service: str) -> Any:
    create: Any = boto3.client  # its type wants the service as a literal
    return create(service, config=PATIENT) if service == "lambda" else create(service)


def _outputs(stage: str) -> dict[str, str]:
    stacks = _on_aws("cloudformation")
    found: dict[str, str] = {}
    for name in STACKS:
        (stack,) = stacks.describe_stacks(StackName=f"edgewise-{stage}-{name}")["Stacks"]
        found |= {output["OutputKey"]: output["OutputValue"] for output in stack.get("Outputs", ())}
    if "ApiUrl" not in found:
        raise TargetError(f"ON={stage}: the stacks are not deployed to their end")
    return found
