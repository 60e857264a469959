"""What a deployment may choose (the CDK context: `cdk deploy -c stage=prod`), and what follows from it."""

import platform
from dataclasses import dataclass
from typing import Literal, Self, cast, get_args

from aws_cdk import RemovalPolicy
from aws_cdk.aws_lambda import Architecture
from aws_cdk.aws_logs import RetentionDays
from constructs import Node

from functions.settings import ConsumerSettings

Stage = Literal["dev", "prod", "local"]
# Seconds; ten times 1,000 changes are the most that Lambda hands over at once.
MAX_FRESHNESS = 10


class InvalidContextError(ValueError):
    """A context value that no deployment can have."""

    def __init__(self, name: str, value: object, allowed: tuple[str, ...]) -> None:
        super().__init__(f"context {name}={value!r}: expected one of {', '.join(allowed)}")


@dataclass(frozen=True)
class InfraSettings:
    """One deployment. `local` is the emulator of `make run`: http, one stream lane, this processor.

    `freshness`: for how many seconds, 1 to 10, changes of the same aggregate may wait for each other. Those that come
    together cost one write: see the benchmarks for what a longer wait saves.
    """

    stage: Stage
    freshness: int = 1

    @classmethod
    def from_context(cls, node: Node) -> Self:
        """Read the settings; raises InvalidContextError that names the value and what is allowed."""
        stage = node.try_get_context("stage")
        if stage not in get_args(Stage):
            raise InvalidContextError("stage", stage, get_args(Stage))
        freshness, allowed = node.try_get_context("freshness"), [str(number + 1) for number in range(MAX_FRESHNESS)]
        if str(freshness) not in allowed:
            raise InvalidContextError("freshness", freshness, tuple(allowed))
        return cls(cast(Stage, stage), int(freshness))

    @property
    def production(self) -> bool:
        """Whether what is stored must outlive a mistake."""
        return self.stage == "prod"

    @property
    def prefix(self) -> str:
        """The start of every name that has to be explicit."""
        return f"edgewise-{self.stage}"

    @property
    def removal_policy(self) -> RemovalPolicy:
        """What becomes of data when its stack is deleted."""
        return RemovalPolicy.RETAIN if self.production else RemovalPolicy.DESTROY

    @property
    def log_retention(self) -> RetentionDays:
        """How long logs are kept: long enough in production to look into a quarter's incident."""
        return RetentionDays.THREE_MONTHS if self.production else RetentionDays.ONE_WEEK

    @property
    def architecture(self) -> Architecture:
        """Graviton on AWS (a fifth cheaper); the emulator runs functions on this machine's own processor."""
        native_x86 = self.stage == "local" and platform.machine().lower() in {"x86_64", "amd64"}
        return Architecture.X86_64 if native_x86 else Architecture.ARM_64

    @property
    def wheel_platform(self) -> str | None:
        """The platform tag of wheels with native code (Lambda's glibc); None means this machine's own."""
        return None if self.stage == "local" else "manylinux2014_aarch64"

    @property
    def lane_source(self) -> Literal["shard", "single"]:
        """See ConsumerSettings: the emulator sends no `shardId` and polls one shard."""
        return "single" if self.stage == "local" else "shard"

    @property
    def tls_only(self) -> bool:
        """Whether queues and topics refuse plain http: everywhere but on the emulator, which speaks it."""
        return self.stage != "local"

    def consumer(self, table_name: str) -> ConsumerSettings:
        """The stream consumer's environment."""
        return ConsumerSettings(table_name=table_name, lane_source=self.lane_source)
