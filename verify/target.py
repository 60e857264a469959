"""The place of a run: the local cloud, or a stage on AWS. Only the address and the credentials differ."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ops import local_cloud
from ops.local_cloud import STAGE, Cloud
from ops.stage import Stage, running_cloud

STACKS = ("table", "edge-stream", "cascade", "api")


@dataclass(frozen=True)
class Target:
    """A deployment: its stage, clients of AWS's services there, the outputs of its stacks, the API's address."""

    stage: str
    client: Callable[[str], Any]
    outputs: Mapping[str, str]
    api_url: str

    @property
    def place(self) -> str:
        """The place in words."""
        return "the local cloud (an emulator: its behaviour proves nothing about AWS)" if self.stage == STAGE else "AWS"


def target(name: str) -> Target:
    """The deployment of a stage; raises StageError, or NotDeployedError for the local cloud."""
    if name == STAGE:
        return on_cloud(running_cloud())
    stage = Stage(name)
    found: dict[str, str] = {}
    with stage.telling():
        for part in STACKS:
            found |= stage.outputs(part, *(("ApiUrl",) if part == "api" else ()))
    return Target(name, stage.client, found, found["ApiUrl"])


def on_cloud(running: Cloud) -> Target:
    """The deployment on a local cloud; raises NotDeployedError."""
    found = local_cloud.outputs(running)
    return Target(STAGE, running.client, found.values, found.api_url)
