"""The settings of a stage, and the values that follow from them."""

import platform
import re
from collections.abc import Mapping
from typing import Annotated, Final, Literal, Self

from aws_cdk import Aws, Environment, RemovalPolicy
from aws_cdk.aws_lambda import Architecture
from aws_cdk.aws_logs import RetentionDays
from pydantic import AfterValidator, ConfigDict, Field, model_validator
from pydantic.dataclasses import dataclass

from edgewise.times import SECOND
from functions import rates
from functions.catalog import OUTLETS
from functions.settings import NO_BATCH, ConsumerSettings, Writes
from infra.backup.settings import BackupSettings
from infra.batch.settings import BatchSettings
from infra.console.settings import OWN, ConsoleSettings
from infra.domain import DomainSettings
from infra.iot.settings import IotSettings
from infra.patterns import REGION
from infra.targets import Target

PROJECT: Final = "edgewise"
NAME: Final = "[a-z][a-z0-9]*(-[a-z0-9]+)*"
NAME_LENGTH: Final = 20
ORIGIN: Final = r"https?://[a-z0-9.-]+(:[0-9]+)?"
# Units a second of a caller, by group. Who is in no group is a person. A fleet's readings come through one user, and
# so do imports: these get what a new table takes, so that the table limits them, and no rate.
RATES: Final[Mapping[str, int]] = {rates.EVERYBODY: 50, "write": 200, "admin": 200, "ingest": 4_000, "import": 4_000}
# Where AWS keeps what belongs to CloudFront.
EDGE: Final = "us-east-1"
SearchEngine = Literal["embedded", "opensearch"]
STREAM: Final = "^arn:[a-z-]+:dynamodb:[a-z0-9-]+:[0-9]{12}:table/[a-zA-Z0-9_.-]+/stream/[0-9T:.-]+$"
RETENTIONS: Final = {
    1: RetentionDays.ONE_DAY,
    7: RetentionDays.ONE_WEEK,
    30: RetentionDays.ONE_MONTH,
    90: RetentionDays.THREE_MONTHS,
    365: RetentionDays.ONE_YEAR,
}


def _by_group(given: Mapping[str, int]) -> Mapping[str, int]:
    for name in given.keys() - RATES.keys():
        raise ValueError(f"{name} is none of {', '.join(RATES)}")
    return given


def _outlet(name: str) -> str:
    if name not in OUTLETS.names:
        raise ValueError(f"{name} is none of {', '.join(OUTLETS.names)}")
    return name


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class InfraSettings:
    """One deployment. The default of each setting suits a developer: cheap, and deleted with its stacks.

    `production`: whether data must survive mistakes: kept when its stack is deleted, protected, sign-ins monitored.
    `protected`: whether production's stacks, table and users have deletion protection.
    `emulator`: whether the stage runs on the local cloud: http, short windows, this machine's architecture.
    `account`, `region`: the only place where it may be deployed; without them, those of the credentials.
    `request_rate`, `request_burst`: the API's throttling limits: requests per second, and burst.
    `write_units`, `read_units`: the most that the table, and each of its indexes, may take in a second; what is beyond
    is throttled, not billed. `warm_write_units`, `warm_read_units`: what each of them must take at once, and not only
    after a while; AWS bills the raise once, and never lowers it.
    `budget`: USD a month, of the whole account, of which those who get tickets are told.
    `contributor_insights`: whether CloudWatch names the keys of the table, and of each index, that are throttled.
    `rates`: by group, how many units of the table a caller may use in a second, for those whose rate shall be another
    than in RATES; a read unit is a fifth. `request_units`: the most write units of a request with a list of readings
    or messages.
    `queue_concurrency`: how many batches of the telemetry queue are processed at once. `reader_concurrency`: the
    reserved concurrency of each stream consumer, which is also its maximum; None: none reserved. Each consumer needs
    one invocation per open shard, and AWS requires the account to keep 100 unreserved.
    `push`: whether clients can subscribe to what changes (docs/push.md). The stream's second reader is then also sent
    the changes of aggregates, which costs invocations even while nobody subscribes.
    `faults`: whether administrators may break the consumer, to see what it counts meanwhile (docs/breaking.md).
    `search`: by which engine people can search (docs/search.md): `embedded` in functions, or `opensearch`; None: they
    can't. With any, the second reader is also sent what can be found.
    `outlet`: of which entities the world outside is told each change, by events on a bus (docs/outlet.md). With any,
    the second reader is also sent these changes.
    `emulator_url`: where the local cloud is, on which the stage runs.
    `restored`: the ARN of the stream of the restored table that the stage uses (docs/restoring.md); None: it uses its
    own table.
    `batch`: how often the table is checked against itself (docs/batch.md); None: never, and nothing of it is deployed.
    `backup`: where the table is copied to, and how often (docs/runbooks.md); None: nowhere.
    `iot`: which messages that things send to AWS IoT Core are readings (docs/iot.md); None: nothing of it is deployed.
    `rehearsed`: one batch in how many the stream consumer keeps, with what it read and wrote. Each release computes
    these again before it is deployed (docs/rehearsing.md); None: none is kept.
    `releases`: how production's callers get a release of the API: `gradual`, and back if requests fail; or `at once`,
    whatever fails, for a fix, or a table in place of another one.
    `snap_start`: whether the API's functions start from snapshots of their published versions.
    `log_days`: how long logs are kept.
    `alarms`: `few`: only those that tell of numbers that are wrong or late, or of records that are lost. Nobody sees
    these by using the stage. `all`: also failures, throttles, refusals and slow answers, which a developer notices
    without an alarm. Each metric of an alarm costs 0.10 USD a month. Production must have all.
    `traces`: `few`: X-Ray records all functions but those that a fleet or a stream keeps busy (infra/functions.py).
    `all`: these, too. Of each function it records the first invocation of a second, and 5 % of the others: AWS lets
    nobody choose another share.
    `pages`, `tickets`: where alarms of each severity are told (infra/targets.py). `cors_origins`: the origins of web
    pages that may call the API.
    `customer_key`: whether all is stored under a key of one's own (decision 75), and not of AWS's.
    `domain`: a domain of the API's own (infra/domain.py); None: only the address that AWS gives it.
    `console`: where CloudFront serves the console (docs/console.md); None: nowhere. `console_origins`: where the
    console is served besides. Without any of both, nobody can sign in to it.
    `tags`: tags on every resource, in addition to `project` and `stage`.
    """

    stage: Annotated[str, Field(pattern=f"^{NAME}$", max_length=NAME_LENGTH)]
    production: bool = False
    protected: bool = True
    emulator: bool = False
    emulator_url: Annotated[str, Field(pattern=f"^{ORIGIN}$")] = "http://localhost:4566"
    account: Annotated[str, Field(pattern="^[0-9]{12}$")] | None = None
    region: Annotated[str, Field(pattern=REGION)] | None = None
    request_rate: Annotated[int, Field(ge=1, le=10_000)] = 20
    request_burst: Annotated[int, Field(ge=1, le=5_000)] = 40
    # What a new table takes at once: less would throttle what it could take, more must be grown into.
    # AWS's quota for a table is 40,000.
    write_units: Annotated[int, Field(ge=100, le=40_000)] = 4_000
    read_units: Annotated[int, Field(ge=100, le=40_000)] = 12_000
    # Less than a new table has would be refused.
    warm_write_units: Annotated[int, Field(ge=4_000, le=40_000)] | None = None
    warm_read_units: Annotated[int, Field(ge=12_000, le=40_000)] | None = None
    contributor_insights: bool = False
    rates: Annotated[Mapping[str, Annotated[int, Field(ge=1, le=40_000)]], AfterValidator(_by_group)] = Field(
        default_factory=dict
    )
    # 500 short messages whose ids their senders chose take 2,000: each has two entries in indexes and a guard.
    request_units: Annotated[int, Field(ge=100, le=40_000)] = 2_500
    budget: Annotated[int, Field(ge=1)] | None = None
    # A new account has 10 in total, and each consumer takes one per shard. Two is Lambda's minimum.
    queue_concurrency: Annotated[int, Field(ge=2, le=1000)] = 2
    reader_concurrency: Annotated[int, Field(ge=1)] | None = None
    push: bool = False
    faults: bool = False
    search: SearchEngine | None = None
    outlet: tuple[Annotated[str, AfterValidator(_outlet)], ...] = ()
    restored: Annotated[str, Field(pattern=STREAM)] | None = None
    batch: BatchSettings | None = None
    backup: BackupSettings | None = None
    iot: IotSettings | None = None
    rehearsed: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    releases: Literal["gradual", "at once"] = "gradual"
    snap_start: bool = False
    log_days: Literal[1, 7, 30, 90, 365] = 7
    alarms: Literal["all", "few"] = "few"
    traces: Literal["all", "few"] = "few"
    pages: tuple[Target, ...] = ()
    tickets: tuple[Target, ...] = ()
    cors_origins: tuple[Annotated[str, Field(pattern=f"^{ORIGIN}$")], ...] = ()
    customer_key: bool = False
    domain: DomainSettings | None = None
    console: ConsoleSettings | None = None
    console_origins: tuple[Annotated[str, Field(pattern=f"^{ORIGIN}$")], ...] = ()
    tags: Mapping[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        if (self.account is None) != (self.region is None):
            raise ValueError("account and region belong together")
        if self.production and self.account is None:
            raise ValueError("production must name its account and region")
        if self.production and self.alarms != "all":
            raise ValueError('production must have all alarms: alarms = "all"')
        if self.production and not (self.pages and self.tickets):
            raise ValueError("production must say where alarms are told: pages and tickets")
        if self.production and self.budget is None:
            raise ValueError("production must say what it may cost: budget")
        if self.budget and not self.tickets:
            raise ValueError("a budget needs somebody who is told: tickets")
        # Else the line, copied or shared by LIKE, would attach one table to two stages.
        if self.restored and not self.is_restored(self.restored.split("/")[1]):
            raise ValueError(f"restored must be a table of this stage: {self.prefix}- and the instant of its data")
        return self

    @model_validator(mode="after")
    def _can_take_snapshots(self) -> Self:
        if self.snap_start and not self.has_versions:
            raise ValueError("snap_start needs published versions, which only production has")
        return self

    @model_validator(mode="after")
    def _is_broken_by_nobody(self) -> Self:
        if self.production and self.faults:
            raise ValueError("faults are not for production: nobody may break its consumer")
        return self

    @model_validator(mode="after")
    def _can_read_what_it_keeps(self) -> Self:
        # cdk bootstrap denies kms:Decrypt to the role with which a release looks at the account.
        if self.rehearsed and self.customer_key:
            raise ValueError("rehearsed: with customer_key, nobody could read what it keeps: leave one of both out")
        return self

    @model_validator(mode="after")
    def _has_a_domain_for_each(self) -> Self:
        if self.domain and self.console and self.domain.name == self.console.domain:
            raise ValueError("domain.name is the console's: give the API one of its own")
        return self

    @model_validator(mode="after")
    def _has_its_web_acl_where_cloudfront_looks(self) -> Self:
        if self.console and self.console.web_acl == OWN and self.region != EDGE:
            raise ValueError(
                f"console.web_acl: AWS keeps these for CloudFront in {EDGE} alone: give the ARN of one there,"
                f' or have a stage with region = "{EDGE}"'
            )
        return self

    @model_validator(mode="after")
    def _lets_requests_through(self) -> Self:
        if self.request_units > rates.worth(rates.BURST, min(self.all_rates.values())):
            raise ValueError(f"request_units is more than the lowest of the rates brings in {rates.BURST // SECOND} s")
        return self

    @property
    def all_rates(self) -> Mapping[str, int]:
        """The units a second of a caller, by group."""
        return {**RATES, **self.rates}

    @property
    def has_console(self) -> bool:
        """Whether people can sign in to a console."""
        return self.console is not None or bool(self.console_origins)

    @property
    def prefix(self) -> str:
        """The prefix of every name that has to be explicit."""
        return f"{PROJECT}-{self.stage}"

    def is_restored(self, table: str) -> bool:
        """Whether a table has the name that `make restore` gives."""
        return bool(re.fullmatch(f"{self.prefix}-[0-9]+T[0-9]+Z", table))

    @property
    def environment(self) -> Environment | None:
        """The account and region that CDK refuses to leave."""
        return Environment(account=self.account, region=self.region) if self.account else None

    @property
    def warm_units(self) -> Mapping[str, int]:
        """What the table and each index must take at once, as DynamoDB calls it; empty: what they take anyway."""
        units = {"ReadUnitsPerSecond": self.warm_read_units, "WriteUnitsPerSecond": self.warm_write_units}
        return {name: value for name, value in units.items() if value}

    @property
    def all_tags(self) -> Mapping[str, str]:
        """The tags of every resource."""
        return {"project": PROJECT, "stage": self.stage, **self.tags}

    @property
    def metrics_namespace(self) -> str:
        """The namespace of the functions' metrics: each stage has its own, so only its metrics cause its alarms."""
        return f"Edgewise/{self.stage}"

    @property
    def refuses_deletion(self) -> bool:
        """Whether stacks, table and users can be deleted only after this is turned off."""
        return self.production and self.protected

    @property
    def removal_policy(self) -> RemovalPolicy:
        """What happens to data when its stack is deleted.

        Production keeps its data, except for the remains of a failed creation, which are empty and block the next one.
        """
        return RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE if self.production else RemovalPolicy.DESTROY

    @property
    def table_name(self) -> str | None:
        """None, so that CloudFormation generates a name: a table that was kept does not conflict with the next one.

        The emulator replaces an auto-named table by an empty one on any update.
        """
        return self.prefix if self.emulator else None

    @property
    def log_retention(self) -> RetentionDays:
        """How long logs are kept."""
        return RETENTIONS[self.log_days]

    @property
    def architecture(self) -> Architecture:
        """Graviton on AWS (a fifth cheaper); the emulator runs functions on this machine's architecture."""
        native_x86 = self.emulator and platform.machine().lower() in {"x86_64", "amd64"}
        return Architecture.X86_64 if native_x86 else Architecture.ARM_64

    @property
    def wheel_platform(self) -> str | None:
        """The platform tag of wheels with native code (Lambda's glibc); None means this machine's own."""
        return None if self.emulator else "manylinux2014_aarch64"

    @property
    def layered(self) -> bool:
        """Whether functions bring what they import: the emulator unpacks layers for each process, and has it all."""
        return not self.emulator

    @property
    def writes(self) -> Writes:
        """See ConsumerSettings: the emulator's streams do not tell of what statements change."""
        return "puts" if self.emulator else "statements"

    @property
    def tls_only(self) -> bool:
        """Whether queues and topics refuse plain http: everywhere except on the emulator, which uses it."""
        return not self.emulator

    @property
    def has_versions(self) -> bool:
        """Whether callers are led to a version of each function: in production; the emulator has no CodeDeploy."""
        return self.production and not self.emulator

    def socket_endpoint(self, api_id: str, stage: str) -> str:
        """Where functions send to the open connections of a stage of a WebSocket API."""
        if self.emulator:
            return f"{self.emulator_url}/_aws/execute-api/{api_id}/{stage}"
        return f"https://{api_id}.execute-api.{Aws.REGION}.{Aws.URL_SUFFIX}/{stage}"

    def consumer(self, table_name: str, kept_in: str) -> ConsumerSettings:
        """The stream consumer's environment; `kept_in`: the bucket for the batches that are kept, if any are."""
        keeps = f"{self.rehearsed} {kept_in}" if self.rehearsed else NO_BATCH
        return ConsumerSettings(table_name=table_name, writes=self.writes, keeps=keeps)
