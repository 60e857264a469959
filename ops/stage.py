"""A deployed stage: on the local cloud, or in the AWS account of the credentials."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from ops import local_cloud
from ops.errors import LocalError
from ops.local_cloud import Cloud

# Longer than any function may run. A call without an answer is not repeated automatically.
PATIENT = Config(read_timeout=900, retries={"total_max_attempts": 1})


class StageError(LocalError):
    """A stage can't be reached, or AWS refuses a request to it."""


def running_cloud() -> Cloud:
    """The local cloud; raises StageError unless it is running."""
    found = local_cloud.default()
    if found.pid() is None:
        raise StageError("the local cloud is not running: make run, or ON=STAGE for a stage on AWS")
    return found


@dataclass(frozen=True)
class Stage:
    """A stage by its name; `local` is that of the running local cloud. Raises StageError for an invalid name."""

    name: str

    def __post_init__(self) -> None:
        if not re.fullmatch("[a-z][a-z0-9-]*", self.name):
            raise StageError(f"ON={self.name}: expected local, or the name of a stage that is deployed")

    def client(self, service: str, config: Config = PATIENT) -> Any:
        """A boto3 client of a service where the stage is deployed; raises StageError if there is no local cloud."""
        if self.name == "local":
            return running_cloud().client(service, config)
        create: Any = boto3.client  # its type requires the service as a literal
        return create(service, config=config)

    def outputs(self, part: str, *names: str) -> Mapping[str, str]:
        """The outputs of the stack `edgewise-STAGE-PART`; raises StageError unless all of `names` are among them."""
        (stack,) = self.client("cloudformation").describe_stacks(StackName=f"edgewise-{self.name}-{part}")["Stacks"]
        outputs = {output["OutputKey"]: output["OutputValue"] for output in stack.get("Outputs", ())}
        if not outputs.keys() >= set(names):
            raise StageError(f"ON={self.name}: the deployment of the stack {stack['StackName']} did not finish")
        return outputs

    def optional(self, part: str, *names: str) -> Mapping[str, str] | None:
        """The same of a stack that a stage may lack; None if it does."""
        try:
            return self.outputs(part, *names)
        except ClientError as error:
            if "does not exist" in str(error):
                return None
            raise

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Raise the errors of AWS and of boto3 in this block as StageErrors."""
        try:
            yield
        except (BotoCoreError, ClientError) as error:
            raise StageError(f"ON={self.name}: {error}") from error
