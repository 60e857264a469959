"""All alarms of a stage, each declared once: who is told, when it rings, and what to do first.

Stacks give them their metrics (infra/alarms.py); the table in docs/operations.md is made from here. What nobody has to
do something about is a graph on the dashboard, and no alarm (decision 73).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from aws_cdk import Duration

from edgewise.cdk.alarms import BEHIND, INCOMPLETE, LOST, MINUTE, QUARANTINE, SILENT, Rule, sum_of
from infra.batch.settings import WEEK_HOURS
from infra.objectives import DOOR, FAST, SLOW

HOUR: Final = Duration.hours(1)
SIX_HOURS: Final = Duration.hours(6)
FAST_SPENT: Final = f"the API's budget of a month is spent {FAST} times too fast"
# The mapping gives records up when they are 23 hours old.
NEARLY_LOST: Final = Duration.hours(12)
# A message that can't be ingested moves to the dead-letter queue within five minutes, so an older one still waits.
WAITING: Final = Duration.minutes(10)
UNSEARCHED: Final = Duration.minutes(25)
# In a minute. A thousand of them stop the readers.
FLOOD: Final = 50
# What is refused of all requests, if there are enough of them in five minutes: a half of two is nothing.
REFUSED_PERCENT, ENOUGH = 5, 100
# A check may take so long until it has succeeded, from when it begins.
CHECK_TAKES: Final = 6
# In hours: so long after it is due a copy may be in the other region.
COPY_TAKES: Final = 6

OLDEST: Final = "IF(consumer > cascade, consumer, cascade)"
REFUSALS: Final = "unauthorized + forbidden"
SOCKETS: Final = ("socket", "authorizer", "sweeper", "sender")


class Severity(StrEnum):
    """Who is told: somebody at once, at any hour; somebody at work; nobody, who looks at the dashboard or releases."""

    PAGE = "page"
    TICKET = "ticket"
    DASHBOARD = "dashboard"


@dataclass(frozen=True)
class Watch:
    """An alarm. `first`: what to run first, or to ask of the logs; `then`: a section of docs/ that goes on from there.

    `always`: whether every stage has it, or only those with all alarms.
    """

    severity: Severity
    rule: Rule
    first: str
    then: str
    always: bool = False


@dataclass(frozen=True)
class Cause:
    """A composite alarm: it rings while one `of` these does, or all of them do `together`; they tell nobody themselves.

    So one cause rings once, however many alarms see it.
    """

    severity: Severity
    says: str
    first: str
    then: str
    of: tuple[str, ...]
    together: bool = False
    always: bool = False


def checks_missing(interval_hours: int) -> Rule:
    """The rule of `checks-missing` for checks that begin every so many hours.

    CloudWatch watches a week at most: where there is a check a week, it rings while one ends later than the last one.
    """
    hours = min(interval_hours + CHECK_TAKES, WEEK_HOURS)
    says = f"no check of the table has succeeded in {hours} hours"
    return Rule(says, least=hours, of=hours, every=HOUR, none=True)


def copies_missing(interval_hours: int) -> Rule:
    """The rule of `copies-missing` for copies that are due every so many hours."""
    hours = interval_hours + COPY_TAKES
    says = f"no copy of the table has reached the other region in {hours} hours"
    return Rule(says, least=hours, of=hours, every=HOUR, none=True)


def given_up_also_outside(rule: Rule) -> Rule:
    """The rule of `telemetry-given-up` where an outlet has a dead-letter queue, too."""
    return replace(rule, says="messages of telemetry or of the outlet are in a dead-letter queue", math="own + outlet")


def waits_also_outside(rule: Rule) -> Rule:
    """The rule of `telemetry-waits` where the events of an outlet may wait, too."""
    says = "messages of telemetry or of the outlet wait for ten minutes"
    return replace(rule, says=says, math="IF(own > outlet, own, outlet)")


PAGE, TICKET, DASHBOARD = Severity
READERS: Final = (
    'aws lambda list-event-source-mappings --query "EventSourceMappings[].[FunctionArn,State,LastProcessingResult]"'
)
FAULTS: Final = "filter @message like /ERROR|Task timed out/"
FAILED: Final = 'filter message = "answered" and status >= 500 | stats count(*) by function_name, route'
REDRIVE: Final = "make redrive ON=STAGE"
BEHIND_PAGE: Final = "operations.md#aggregates-are-behind"
LOST_PAGE: Final = "operations.md#records-were-given-up"
QUARANTINED_PAGE: Final = "operations.md#records-could-not-be-understood"
FAILING_PAGE: Final = "operations.md#the-api-answered-5xx"

WATCHES: Final[Mapping[str, Watch]] = {
    "consumer-silent": Watch(PAGE, SILENT, READERS, BEHIND_PAGE, always=True),
    "cascade-silent": Watch(PAGE, SILENT, READERS, BEHIND_PAGE, always=True),
    "readers-behind": Watch(PAGE, replace(BEHIND, math=OLDEST), READERS, BEHIND_PAGE, always=True),
    "readers-nearly-lose": Watch(
        PAGE,
        Rule("a reader is 12 hours late: after 23 hours records are lost", NEARLY_LOST.to_milliseconds(), math=OLDEST),
        READERS,
        BEHIND_PAGE,
    ),
    "consumer-lost": Watch(PAGE, replace(LOST, math=f"{LOST.math} + unnoted"), REDRIVE, LOST_PAGE, always=True),
    "cascade-lost": Watch(PAGE, LOST, REDRIVE, LOST_PAGE, always=True),
    "quarantine-floods": Watch(
        PAGE,
        Rule("a release understands few records", FLOOD, every=MINUTE, math="consumer + cascade"),
        "make pause ON=STAGE",
        "runbooks.md#a-release-of-the-consumer-is-bad",
    ),
    "api-failing-now": Watch(
        PAGE, Rule(f"{FAST_SPENT}, in five minutes", DOOR.burning(FAST), math=DOOR.bad), FAILED, FAILING_PAGE
    ),
    "api-failing-hour": Watch(
        PAGE, Rule(f"{FAST_SPENT}, in an hour", DOOR.burning(FAST), every=HOUR, math=DOOR.bad), FAILED, FAILING_PAGE
    ),
    "table-differs": Watch(
        PAGE,
        Rule("a check found aggregates that are wrong, or sources that nothing counts", math="differing + unreadable"),
        "make reconcile ON=STAGE",
        "batch.md",
        always=True,
    ),
    "quarantine": Watch(TICKET, QUARANTINE, REDRIVE, QUARANTINED_PAGE, always=True),
    "aggregates-lack": Watch(TICKET, INCOMPLETE, REDRIVE, "operations.md#aggregates-lack-something", always=True),
    "background-failing": Watch(
        TICKET,
        Rule("the sweeper, or what sends heartbeats, fails again and again", 1, 2, 3, HOUR, "sweeper + heartbeat"),
        FAULTS,
        "operations.md#what-a-log-line-tells",
    ),
    "api-burning": Watch(
        TICKET,
        Rule(
            f"in six hours, the API's budget of a month was spent {SLOW} times too fast",
            DOOR.burning(SLOW),
            every=SIX_HOURS,
            math=DOOR.bad,
        ),
        FAILED,
        FAILING_PAGE,
    ),
    "telemetry-waits": Watch(
        TICKET,
        Rule("telemetry messages wait for ten minutes", WAITING.to_seconds(), least=2, of=3),
        'filter message = "taken in" | stats count(*), sum(failures)',
        FAILING_PAGE,
    ),
    "telemetry-given-up": Watch(
        TICKET,
        Rule("telemetry messages are in the dead-letter queue"),
        FAULTS,
        FAILING_PAGE,
        always=True,
    ),
    "callers-refused": Watch(
        TICKET,
        Rule(
            "one of twenty requests is refused (401, 403)",
            REFUSED_PERCENT,
            least=2,
            of=3,
            math=f"IF(requests >= {ENOUGH}, 100 * ({REFUSALS}) / requests, 0)",
        ),
        "filter status in [401, 403] | stats count(*) by status, user, route",
        "runbooks.md#block-a-client",
    ),
    "items-left-out": Watch(
        TICKET,
        Rule("lists leave out items that this release did not write", every=HOUR),
        'filter message = "left out"',
        "operations.md#what-a-log-line-tells",
    ),
    "push-failing": Watch(
        TICKET,
        Rule(
            "functions of push fail one call of twenty",
            5,
            least=2,
            of=3,
            math=f"100 * ({sum_of([f'{each}_errors' for each in SOCKETS])}) / ({sum_of(SOCKETS)})",
        ),
        FAULTS,
        "push.md",
    ),
    "search-lacks": Watch(
        TICKET,
        Rule(
            "what has changed 25 minutes ago is not found, or search could not understand or index things",
            math=f"IF(age >= {UNSEARCHED.to_seconds():.0f}, 1, 0) + unclear",
        ),
        "filter @message like /ERROR|Task timed out|not understood|not indexed/",
        "search.md",
    ),
    "checks-missing": Watch(
        TICKET,
        checks_missing(24),
        "make reconcile ON=STAGE",
        "batch.md",
        always=True,
    ),
    "copies-missing": Watch(
        TICKET,
        copies_missing(24),
        'aws backup list-copy-jobs --by-resource-type DynamoDB --query "CopyJobs[].[CreationDate,State,StatusMessage]"',
        "runbooks.md#copies-are-missing",
        always=True,
    ),
    "release-failing": Watch(
        DASHBOARD,
        Rule("the API answered 5xx in two of five minutes: a release moves back", least=2, of=5, every=MINUTE),
        FAILED,
        "deploying.md#deploy-a-new-release",
    ),
}

CAUSES: Final[Mapping[str, Cause]] = {
    "readers-late": Cause(
        PAGE,
        "aggregates are behind, or the stream's readers stand still",
        READERS,
        BEHIND_PAGE,
        of=("consumer-silent", "cascade-silent", "readers-behind"),
        always=True,
    ),
    "api-failing": Cause(
        PAGE,
        "the API fails its callers, and goes on",
        FAILED,
        FAILING_PAGE,
        of=("api-failing-now", "api-failing-hour"),
        together=True,
    ),
}
GATHERED: Final = {name: cause for cause, each in CAUSES.items() for name in each.of}
