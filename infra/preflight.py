"""What an account must allow before a stage is deployed to it. Pure."""

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from infra.bundle import DEPLOYED
from infra.settings import InfraSettings
from infra.targets import HTTPS, SECRET, SLACK

# A shard for each partition that a new table on demand has: it takes 4,000 write units, a partition 1,000.
FIRST_SHARDS: Final = 4
READERS: Final = 2
# What AWS keeps unreserved in every account: reserving more fails the deployment.
UNRESERVED: Final = 100
# About how long a request of 500 readings takes: by the benchmarks 0.1 s of CPU, of which a function has about half,
# and the table's answers. (The benchmarks' own wall time is mostly that of the local engine.)
REQUEST_SECONDS: Final = 0.25
# The parts that a stage may lack, each with a setting of its name, in the order in which their stacks can go.
OPTIONAL: Final = ("push", "search", "outlet", "batch", "iot")
# AWS's own quota; new accounts have less until they ask.
USUAL_CONCURRENCY: Final = 1000
# Names that nobody ever has (RFC 2606, RFC 6761).
RESERVED: Final = ("example", "example.com", "example.net", "example.org", "invalid", "localhost", "test")
UNVERIFIED: Final = (
    "console: this account has no distribution of CloudFront yet. AWS refuses them to an account that it has not"
    " verified, and the API's deployment would be taken back with the console. If the account is new, deploy without"
    " [console], and add it later: docs/deploying.md#a-new-account"
)
# The alarm at which CodeDeploy moves a release back (infra/release.py).
RELEASE: Final = "release-failing"
AT_ONCE: Final = 'Set releases = "at once"'
REQUEST: Final = "aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384"


@dataclass(frozen=True)
class Account:
    """An account in one region: how many invocations may run at once, and the role with which API Gateway logs.

    `warm`: the most that the table or one of its indexes takes at once, as DynamoDB calls it; empty: nobody has asked.
    `without_vaults`: the regions that lack a vault for the stage's copies.
    `outputs`: those of each stack of the stage that is deployed there, by the last part of its name. `distributions`:
    how many CloudFront has; None: nobody has asked. `ringing`: the names of the stage's alarms that ring.
    """

    region: str
    concurrency: int
    log_role: str | None
    distributions: int | None = None
    outputs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    warm: Mapping[str, int] = field(default_factory=dict)
    without_vaults: Collection[str] = ()
    ringing: Collection[str] = ()

    @property
    def table(self) -> str | None:
        """The name of the table that the stage uses; None if it is not deployed."""
        return self.outputs.get("table", {}).get("TableName")


@dataclass(frozen=True)
class Problem:
    """What is missing, and what to do about it. `fatal`: deploying regardless would fail, or fail users."""

    text: str
    fatal: bool


def needed(settings: InfraSettings) -> int:
    """How many invocations may have to run at once: for each shard of both readers, for queues, for the API's rate."""
    readers = READERS * (settings.reader_concurrency or FIRST_SHARDS)
    queues = settings.queue_concurrency * (1 + settings.push + bool(settings.outlet))
    return readers + queues + math.ceil(settings.request_rate * REQUEST_SECONDS)


def problems(settings: InfraSettings, account: Account) -> Iterator[Problem]:
    """What speaks against deploying a stage with these settings to this account."""
    for severity, targets in (("pages", settings.pages), ("tickets", settings.tickets)):
        for target in filter(_reaches_nobody, targets):
            yield Problem(f"{severity}: {target} is an address that reaches nobody", fatal=settings.production)
    if settings.push and not account.log_role:
        yield Problem("push = true: API Gateway has no role to log with in this account: make bootstrap", fatal=True)
    if settings.console and account.distributions == 0:
        yield Problem(UNVERIFIED, fatal=False)
    yield from _moves(settings, account)
    yield from _one_thing_at_a_time(settings, account)
    yield from _of_domain(settings, account)
    yield from _cooler(settings, account)
    yield from _of_backup(settings, account)
    reserved = READERS * (settings.reader_concurrency or 0)
    told = f"{account.concurrency} invocations may run at once in {account.region}"
    more = f"Ask for more: {REQUEST} --desired-value {USUAL_CONCURRENCY} --region {account.region}"
    if reserved and account.concurrency < reserved + UNRESERVED:
        text = f"reader_concurrency = {settings.reader_concurrency} reserves {reserved}, and {UNRESERVED} must be left"
        yield Problem(f"{told}: {text}. {more}", fatal=True)
    elif account.concurrency < needed(settings):
        text = f"the stage may need {needed(settings)}, and what reads the stream leaves little to the API"
        yield Problem(f"{told}: {text}. {more}", fatal=settings.production)


def of_python(found: str) -> Iterator[Problem]:
    """What speaks against deploying with this Python, which is the functions'."""
    if found != DEPLOYED:
        text = f"functions run on Python {DEPLOYED} on AWS, and this is {found}: PYTHON=python{DEPLOYED} make deploy"
        yield Problem(text, fatal=True)


def leaving(settings: InfraSettings, deployed: Collection[str]) -> list[str]:
    """Which of the parts that a stage may lack are deployed, and are not among its settings."""
    return [part for part in OPTIONAL if part in deployed and not getattr(settings, part)]


def _moves(settings: InfraSettings, account: Account) -> Iterator[Problem]:
    """Refuse a release that an alarm which rings, or will ring, would move back."""
    if not settings.has_versions or settings.releases == "at once":
        return
    if _attaches_another(settings, account.table):
        text = f"restored: the stage uses {account.table}, and a ringing alarm would move the API back to it"
        yield Problem(f"{text}. {AT_ONCE}", fatal=True)
    elif f"{settings.prefix}-{RELEASE}" in account.ringing:
        text = f"{RELEASE} rings, and CodeDeploy moves nothing meanwhile: what mends it can't wait for its end"
        yield Problem(f"{text}. {AT_ONCE}", fatal=True)


def _one_thing_at_a_time(settings: InfraSettings, account: Account) -> Iterator[Problem]:
    """Refuse what CloudFormation can't do in one deployment, with the two that it can."""
    off = leaving(settings, account.outputs)
    on = [part for part in OPTIONAL if getattr(settings, part) and part not in account.outputs]
    if settings.customer_key and "key" not in account.outputs:
        on.append("customer_key")
    if off and on:
        yield Problem(f"deploy once without {', '.join(on)}: {', '.join(off)} must go before", fatal=True)
    if "key" in account.outputs and not settings.customer_key:
        text = f"customer_key: {settings.prefix}-key stays, because only its key opens what is older: logs, backups"
        yield Problem(f"{text}. Delete this stack when nobody wants them", fatal=False)
    index = account.outputs.get("search", {}).get("SearchIndex")
    if settings.search and index and index.startswith("s3:") != (settings.search == "embedded"):
        yield Problem(f'deploy once without search: "{settings.search}" needs another kind of index', fatal=True)


def _of_domain(settings: InfraSettings, account: Account) -> Iterator[Problem]:
    """Refuse a domain that nobody could reach yet, where nothing else would reach the API."""
    domain = settings.domain
    if domain is None:
        return
    if domain.region != account.region:
        text = f"domain.certificate: API Gateway takes one of {account.region}, and this is of {domain.region}"
        yield Problem(f"{text}: request one there", fatal=True)
    if domain.alone and account.outputs.get("api", {}).get("ApiDomain") != domain.name:
        text = f"domain.alone: nobody could reach the API before {domain.name} points to it. Deploy without alone"
        yield Problem(f"{text}, let {domain.name} point to the output ApiDomainTarget, and deploy with it", fatal=True)


def _cooler(settings: InfraSettings, account: Account) -> Iterator[Problem]:
    """Refuse to ask for less at once than there is: DynamoDB grows it by itself, and lowers it never."""
    names = {"WriteUnitsPerSecond": "warm_write_units", "ReadUnitsPerSecond": "warm_read_units"}
    for name, units in settings.warm_units.items():
        changed = account.outputs.get("table", {}).get(f"Warm{name}") != str(units)
        if changed and units < account.warm.get(name, 0):
            text = f"{names[name]} = {units}: the table, or an index, takes {account.warm[name]} at once already"
            yield Problem(f"{text}, which AWS never lowers. Take the line out, or ask for more", fatal=True)


def _of_backup(settings: InfraSettings, account: Account) -> Iterator[Problem]:
    """Refuse a plan whose copies would fail, or would be lost with the region."""
    if settings.backup and settings.backup.region == account.region:
        text = f"backup.region: {account.region} is the stage's own, and copies there are lost with it"
        yield Problem(f"{text}: name another region", fatal=True)
    elif account.without_vaults:
        text = f"backup: no vault {settings.prefix} in {', '.join(account.without_vaults)}"
        yield Problem(f"{text}: make bootstrap STAGE={settings.stage}", fatal=True)


def _attaches_another(settings: InfraSettings, table: str | None) -> bool:
    """Whether a restored table takes the place of the one that is used, or the stage's own table that of a restored."""
    if table is None:
        return False
    return f":table/{table}/" not in settings.restored if settings.restored else settings.is_restored(table)


def _reaches_nobody(target: str) -> bool:
    """Whether its domain, if it names one, is reserved for documentation or tests."""
    if target.startswith((SECRET, SLACK)):
        return False
    domain = "." + target.removeprefix(f"{HTTPS}//").partition("/")[0].rpartition("@")[2].lower().rstrip(".")
    return any(domain.endswith(f".{name}") for name in RESERVED)
