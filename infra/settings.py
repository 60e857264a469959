"""The settings of a deployment (the CDK context: `cdk deploy -c stage=prod`), and what follows from them."""

import platform
from dataclasses import dataclass
from typing import Literal, Self, cast, get_args

from aws_cdk import RemovalPolicy
from aws_cdk.aws_lambda import Architecture
from aws_cdk.aws_logs import RetentionDays
from constructs import Node

from functions.aggregates.partials import number_of_partials
from functions.catalog import CATALOG
from functions.settings import NOTHING_DEFERRED, PARTIALS_AS_THEY_ARE, ConsumerSettings

Stage = Literal["dev", "prod", "local"]
# Seconds; ten times 1,000 changes are the most that Lambda delivers at once.
MAX_FRESHNESS = 10
# Seconds; the upper limit is Lambda's own.
MIN_WINDOW, MAX_WINDOW = 10, 900


class InvalidContextError(ValueError):
    """A context value that is not allowed."""

    def __init__(self, name: str, value: object, expected: str) -> None:
        super().__init__(f"context {name}={value!r}: expected {expected}")


@dataclass(frozen=True)
class InfraSettings:
    """One deployment. `local` is the emulator of `make run`: http, one stream shard, this processor.

    `freshness`: for how many seconds, 1 to 10, changes of the same aggregate may wait for each other. Those that come
    together cost one write: the benchmarks show what a longer wait saves. `deferred`: the kinds of aggregates that may
    wait longer, until a window of the stream ends; `window`: its length in seconds, 10 to 900, but at least ten times
    `freshness`. `partials`: how many partial aggregates there are to be for each aggregate that items of many
    partitions feed; None: as many as now.
    """

    stage: Stage
    freshness: int = 1
    deferred: tuple[str, ...] = ()
    window: int = MIN_WINDOW
    partials: int | None = None

    @classmethod
    def from_context(cls, node: Node) -> Self:
        """Read the settings; raises InvalidContextError that names the value and what is allowed."""
        stage = node.try_get_context("stage")
        if stage not in get_args(Stage):
            raise InvalidContextError("stage", stage, f"one of {', '.join(get_args(Stage))}")
        freshness = _number(node, "freshness", 1, MAX_FRESHNESS)
        window = _number(node, "window", MIN_WINDOW, MAX_WINDOW)
        return cls(cast(Stage, stage), freshness, _deferred(node), window, _partials(node))

    @property
    def production(self) -> bool:
        """Whether stored data must survive a mistake."""
        return self.stage == "prod"

    @property
    def prefix(self) -> str:
        """The prefix of every name that has to be explicit."""
        return f"edgewise-{self.stage}"

    @property
    def removal_policy(self) -> RemovalPolicy:
        """What happens to data when its stack is deleted."""
        return RemovalPolicy.RETAIN if self.production else RemovalPolicy.DESTROY

    @property
    def log_retention(self) -> RetentionDays:
        """How long logs are kept: in production, long enough to investigate an incident of the last quarter."""
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
    def shard_source(self) -> Literal["shard", "single"]:
        """See ConsumerSettings: the emulator sends no `shardId` and polls one shard."""
        return "single" if self.stage == "local" else "shard"

    @property
    def tls_only(self) -> bool:
        """Whether queues and topics refuse plain http: everywhere except on the emulator, which uses it."""
        return self.stage != "local"

    @property
    def last_line(self) -> bool:
        """Whether stream records that no invocation took are kept: not on the emulator, which names no shard."""
        return self.stage != "local"

    def consumer(self, table_name: str) -> ConsumerSettings:
        """The stream consumer's environment."""
        deferred = ",".join(self.deferred) or NOTHING_DEFERRED
        return ConsumerSettings(
            table_name=table_name,
            shard_source=self.shard_source,
            deferred=deferred,
            partials=PARTIALS_AS_THEY_ARE if self.partials is None else str(self.partials),
        )


def _number(node: Node, name: str, low: int, high: int) -> int:
    value = node.try_get_context(name)
    if not str(value).isdecimal() or not low <= int(value) <= high:
        raise InvalidContextError(name, value, f"a whole number from {low} to {high}")
    return int(value)


def _deferred(node: Node) -> tuple[str, ...]:
    value = str(node.try_get_context("deferred") or "")
    names = tuple(value.split(",") if value else ())
    if not set(names) <= set(CATALOG.kinds):
        raise InvalidContextError("deferred", value, f"some of {','.join(CATALOG.kinds)}")
    return names


def _partials(node: Node) -> int | None:
    value = str(node.try_get_context("partials") or "")
    try:
        return number_of_partials(value) if value else None
    except ValueError as error:
        raise InvalidContextError("partials", value, f"nothing, or a number of partials: {error}") from error
