"""What a stage may choose, and what follows from it."""

import platform
from collections.abc import Mapping
from typing import Annotated, Final, Literal, Self

from aws_cdk import Environment, RemovalPolicy
from aws_cdk.aws_lambda import Architecture
from aws_cdk.aws_logs import RetentionDays
from pydantic import AfterValidator, ConfigDict, Field, model_validator
from pydantic.dataclasses import dataclass

from functions.aggregates.partials import MAX_PARTIALS
from functions.catalog import CATALOG
from functions.settings import NOTHING_DEFERRED, PARTIALS_AS_THEY_ARE, ConsumerSettings

PROJECT: Final = "edgewise"
NAME: Final = "[a-z][a-z0-9]*(-[a-z0-9]+)*"
ORIGIN: Final = r"https?://[a-z0-9.-]+(:[0-9]+)?"
RETENTIONS: Final = {
    1: RetentionDays.ONE_DAY,
    7: RetentionDays.ONE_WEEK,
    30: RetentionDays.ONE_MONTH,
    90: RetentionDays.THREE_MONTHS,
    365: RetentionDays.ONE_YEAR,
}


def _kind(name: str) -> str:
    if name not in CATALOG.kinds:
        raise ValueError(f"{name} is none of {', '.join(CATALOG.kinds)}")
    return name


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class InfraSettings:
    """One deployment. Whatever a stage's file leaves out is a developer's: cheap, and gone with its stacks.

    `production`: whether what is stored must outlive a mistake: kept when its stack goes, protected, sign-ins watched.
    `protected`: whether production's stacks, table and users refuse to be deleted.
    `emulator`: whether it is the local cloud: http, one stream shard, this machine's processor.
    `account`, `region`: where alone it may be deployed; without them, wherever the credentials lead.
    `freshness`: for how many seconds changes of the same aggregate may wait for each other. Those that come together
    cost one write: the benchmarks show what a longer wait saves. `deferred`: the kinds of aggregates that may wait
    longer, until a window of the stream ends; `window`: its length in seconds, but at least ten times `freshness`.
    `partials`: how many partial aggregates aggregates are to have that items of many partitions feed; None: as many
    as they have.
    `request_rate`, `request_burst`: requests a second that the API takes, on average and at once.
    `queue_concurrency`: how many batches of the telemetry queue are taken in at once. `reader_concurrency`: how many
    invocations of the account's are set aside for each reader of the stream, which may have no more; None: none. There
    must be one for each open shard, and the account must have 100 more than are set aside.
    `log_days`: how long logs are kept.
    `alarm_emails`: who is told of alarms. `cors_origins`: the origins of pages that may call the API from a browser.
    `tags`: on everything, beside `project` and `stage`.
    """

    stage: Annotated[str, Field(pattern=f"^{NAME}$", max_length=20)]
    production: bool = False
    protected: bool = True
    emulator: bool = False
    account: Annotated[str, Field(pattern="^[0-9]{12}$")] | None = None
    region: Annotated[str, Field(pattern="^[a-z]+(-[a-z]+)+-[0-9]$")] | None = None
    # Ten times 1,000 changes are the most that Lambda delivers at once.
    freshness: Annotated[int, Field(ge=1, le=10)] = 1
    deferred: tuple[Annotated[str, AfterValidator(_kind)], ...] = ()
    # The upper limit is Lambda's own.
    window: Annotated[int, Field(ge=10, le=900)] = 10
    partials: Annotated[int, Field(ge=1, le=MAX_PARTIALS)] | None = None
    request_rate: Annotated[int, Field(ge=1, le=10_000)] = 20
    request_burst: Annotated[int, Field(ge=1, le=5_000)] = 40
    # A new account has 10 for everything, and each reader takes one a shard. Two is the least that Lambda knows.
    queue_concurrency: Annotated[int, Field(ge=2, le=1000)] = 2
    reader_concurrency: Annotated[int, Field(ge=1)] | None = None
    log_days: Literal[1, 7, 30, 90, 365] = 7
    alarm_emails: tuple[Annotated[str, Field(pattern="^[^@ ]+@[^@ ]+$")], ...] = ()
    cors_origins: tuple[Annotated[str, Field(pattern=f"^{ORIGIN}$")], ...] = ()
    tags: Mapping[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _belongs_somewhere(self) -> Self:
        if (self.account is None) != (self.region is None):
            raise ValueError("account and region belong together")
        if self.production and self.account is None:
            raise ValueError("production must name its account and region")
        return self

    @property
    def prefix(self) -> str:
        """The prefix of every name that has to be explicit."""
        return f"{PROJECT}-{self.stage}"

    @property
    def environment(self) -> Environment | None:
        """The account and region that CDK refuses to leave."""
        return Environment(account=self.account, region=self.region) if self.account else None

    @property
    def all_tags(self) -> Mapping[str, str]:
        """What every resource says of where it belongs."""
        return {"project": PROJECT, "stage": self.stage, **self.tags}

    @property
    def metrics_namespace(self) -> str:
        """Where the functions count what they do: a stage's alarms are rung by itself alone."""
        return f"Edgewise/{self.stage}"

    @property
    def refuses_deletion(self) -> bool:
        """Whether stacks, table and users can be deleted only once this has been taken back."""
        return self.production and self.protected

    @property
    def removal_policy(self) -> RemovalPolicy:
        """What happens to data when its stack is deleted.

        Production keeps it, but for what a failed creation leaves, which is empty and in the way of the next one.
        """
        return RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE if self.production else RemovalPolicy.DESTROY

    @property
    def table_name(self) -> str | None:
        """None, for a name of CloudFormation's: a table that was kept is not in the way of the next one.

        The emulator replaces an auto-named table by an empty one on any update.
        """
        return self.prefix if self.emulator else None

    @property
    def log_retention(self) -> RetentionDays:
        """How long logs are kept."""
        return RETENTIONS[self.log_days]

    @property
    def architecture(self) -> Architecture:
        """Graviton on AWS (a fifth cheaper); the emulator runs functions on this machine's own processor."""
        native_x86 = self.emulator and platform.machine().lower() in {"x86_64", "amd64"}
        return Architecture.X86_64 if native_x86 else Architecture.ARM_64

    @property
    def wheel_platform(self) -> str | None:
        """The platform tag of wheels with native code (Lambda's glibc); None means this machine's own."""
        return None if self.emulator else "manylinux2014_aarch64"

    @property
    def shard_source(self) -> Literal["shard", "single"]:
        """See ConsumerSettings: the emulator sends no `shardId` and polls one shard."""
        return "single" if self.emulator else "shard"

    @property
    def tls_only(self) -> bool:
        """Whether queues and topics refuse plain http: everywhere except on the emulator, which uses it."""
        return not self.emulator

    @property
    def last_line(self) -> bool:
        """Whether stream records that no invocation took are kept: not on the emulator, which names no shard."""
        return not self.emulator

    def consumer(self, table_name: str) -> ConsumerSettings:
        """The stream consumer's environment."""
        return ConsumerSettings(
            table_name=table_name,
            shard_source=self.shard_source,
            deferred=",".join(self.deferred) or NOTHING_DEFERRED,
            partials=PARTIALS_AS_THEY_ARE if self.partials is None else str(self.partials),
        )
