"""A stage over a clock of minutes: what is counted in a quiet one, what goes wrong, and which of its alarms ring.

What functions count comes from their code (tests/infra/emitting.py). The names of what AWS counts are those of its
guides.
"""

import re
from collections.abc import Callable, Mapping
from copy import copy, deepcopy
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, Final

from tests.infra import emitting
from tests.infra.conftest import COPIED, Deployment
from tests.support.cloudwatch import Metric, Watching

READERS: Final = {"consumer": "edge_aggregator", "cascade": "cascade"}
SOCKETS: Final = ("socket", "socket_authorizer", "socket_sweeper", "pusher")
HOUR: Final = 60
CHECKS_EVERY: Final = 8 * HOUR
COPIES_EVERY: Final = COPIED.interval_hours * HOUR


@dataclass
class Minute:
    """What a minute of a stage brings: a quiet one, unless somebody changes it.

    `ages`: how old the oldest record is, in ms, of each reader that gets any. `answers`: how many requests got which
    status. `waits`: the age of the oldest message of a queue, in s. `given_up`, `untold`: how many messages are in the
    dead-letter queues of telemetry and of the outlet. `level`: the records in quarantine. `checked`: whether checks of
    the table succeed. `copies`: how a copy of it ends, as AWS Backup calls it; None: none begins.
    """

    ages: dict[str, float] = field(default_factory=lambda: dict.fromkeys(READERS, 1000.0))
    answers: dict[int, int] = field(default_factory=lambda: {200: 200})
    took_ms: float = 20
    waits: dict[str, float] = field(default_factory=lambda: {"telemetry": 0.0, "hints": 0.0, "events": 0.0})
    given_up: int = 0
    untold: int = 0
    level: int = 0
    checked: bool = True
    copies: str | None = "Completed"


Brings = Callable[["World", Minute], None]


def nothing_else(_world: "World", _minute: Minute) -> None:
    """A quiet minute."""


class World:
    """A stage whose alarms are watched while `pass_minutes` lets time pass."""

    def __init__(self, deployment: Deployment) -> None:
        self._deployment = deployment
        self.watching = Watching(alarms_of(deployment))

    def again(self) -> "World":
        """The same, of which nobody else knows what happens next."""
        other = copy(self)
        other.watching = deepcopy(self.watching)
        return other

    def pass_minutes(self, minutes: int, brings: Brings = nothing_else) -> None:
        """Let so many minutes pass, each of which brings this."""
        for _ in range(minutes):
            minute = Minute()
            brings(self, minute)
            self._count(minute)
            self.watching.pass_minute()

    @property
    def now(self) -> int:
        """The minute that is passing."""
        return self.watching.minute

    def ringing(self) -> set[str]:
        """The alarms that ring, by their names in infra/watches.py."""
        return {_short(name) for name in self.watching.ringing()}

    def told(self) -> list[tuple[str, str, str]]:
        """What was told since the beginning: by which severity's topic, of which alarm, which state."""
        return [
            (re.findall("page|ticket", topic)[0], _short(change.alarm), change.state)
            for change in self.watching.changes
            for topic in change.topics
        ]

    def count(self, function: str, counting: Callable[[], None]) -> None:
        """A function counts what it counts while it does this."""
        for metric, value in emitting.counted(self._deployment, function, counting):
            self._put(metric, value)

    def of_function(self, function: str, **counted: float) -> None:
        """Lambda counts something of a function."""
        handler = self._deployment.functions()[function]["Handler"]
        self._aws("AWS/Lambda", counted, FunctionName=self._the("AWS::Lambda::Function", Handler=handler))

    def of_mapping(self, reader: str, **counted: float) -> None:
        """Lambda counts something of the mapping by which a reader gets the stream's records."""
        part = "edge_stream" if reader == "consumer" else "cascade"
        mappings = _of_type(self._deployment, "AWS::Lambda::EventSourceMapping").items()
        (found,) = (key for key, each in mappings if key.startswith(part) and "FilterCriteria" in each)
        self._aws("AWS/Lambda", counted, EventSourceMappingUUID=found)

    def of_queue(self, queue: str, **counted: float) -> None:
        """SQS counts something of a queue, by its logical id without CDK's hash."""
        queues = _of_type(self._deployment, "AWS::SQS::Queue")
        (found,) = (key for key in queues if re.fullmatch(f"[a-z]+/{queue}[0-9A-F]{{8}}", key))
        self._aws("AWS/SQS", counted, QueueName=f"{found}.QueueName")

    def of_table(self, index: str | None = None, **counted: float) -> None:
        """DynamoDB counts something of an index, or of the table without its indexes."""
        named = {"TableName": self._the("AWS::DynamoDB::GlobalTable")}
        self._aws("AWS/DynamoDB", counted, **named, **({"GlobalSecondaryIndexName": index} if index else {}))

    def of_copies(self, **jobs: float) -> None:
        """AWS Backup counts jobs that copy out of a vault."""
        (plan,) = _of_type(self._deployment, "AWS::Backup::BackupPlan").values()
        (rule,) = plan["BackupPlan"]["BackupPlanRule"]
        counted = {f"NumberOfCopyJobs{outcome}": number for outcome, number in jobs.items()}
        self._aws("AWS/Backup", counted, BackupVaultName=rule["TargetBackupVault"])

    def _the(self, kind: str, **properties: str) -> str:
        """The only resource of a type that has these properties."""
        resources = _of_type(self._deployment, kind).items()
        (found,) = (key for key, each in resources if properties.items() <= each.items())
        return found

    def _answer(self, status: int, requests: int, took_ms: float) -> None:
        """API Gateway answers requests, and writes a line for each into the access log."""
        api = self._the("AWS::ApiGatewayV2::Api", ProtocolType="HTTP")
        failed = requests if status >= 500 else 0
        self._aws("AWS/ApiGateway", {"Count": requests, "5xx": failed, "Latency": took_ms}, ApiId=api)
        for each in _of_type(self._deployment, "AWS::Logs::MetricFilter").values():
            if each["FilterPattern"] == f'{{ $.status = "{status}" }}':
                (to,) = each["MetricTransformations"]
                counted = to["MetricNamespace"], to["MetricName"], frozenset[tuple[str, str]]()
                self._put(counted, float(to["MetricValue"]) * requests)

    def _aws(self, namespace: str, counted: Mapping[str, float], **dimensions: str) -> None:
        for name, value in counted.items():
            self._put((namespace, name, frozenset(dimensions.items())), value)

    def _put(self, metric: Metric, value: float) -> None:
        self.watching.metrics.put(self.now, metric, value)

    def _count(self, minute: Minute) -> None:
        for status, requests in minute.answers.items():
            self._answer(status, requests, minute.took_ms)
        for reader, age in minute.ages.items():
            self.of_mapping(reader, InvokedEventCount=24)
            self.of_function(READERS[reader], IteratorAge=age)
        for function in (*SOCKETS, "heartbeat"):
            self.of_function(function, Invocations=10, Errors=0)
        self.of_table(ConsumedWriteCapacityUnits=900, ConsumedReadCapacityUnits=600)
        for queue, age in minute.waits.items():
            self.of_queue(f"{queue}queue", ApproximateAgeOfOldestMessage=age)
        self.of_queue("telemetryqueuedead", ApproximateNumberOfMessagesVisible=minute.given_up)
        self.of_queue("eventsdead", ApproximateNumberOfMessagesVisible=minute.untold)
        if self.now % HOUR == 0:
            self.of_function("sweeper", Invocations=1, Errors=0)
            self.count("sweeper", emitting.sweeping(minute.level))
        if self.now % CHECKS_EVERY == 0 and minute.checked:
            self.count("batch_run", emitting.checking())
        if self.now % COPIES_EVERY == 0 and minute.copies:
            self.of_copies(Created=1, **{minute.copies: 1})


@cache
def _stacks(deployment: Deployment) -> Mapping[str, Mapping[str, Any]]:
    """The templates of a deployment by the names of its fields: resources of two stacks may have the same id."""
    found = {each.name: getattr(deployment, each.name) for each in fields(deployment) if each.name != "app"}
    return {part: template.to_json() for part, template in found.items() if template}


@cache
def _of_type(deployment: Deployment, kind: str) -> dict[str, Any]:
    """The properties of all resources of a type, by their ids, each behind its stack."""
    return {
        f"{part}/{key}": each["Properties"]
        for part, template in _stacks(deployment).items()
        for key, each in template["Resources"].items()
        if each["Type"] == kind
    }


def alarms_of(deployment: Deployment) -> dict[str, Mapping[str, Any]]:
    """All alarms by their names, as CloudFormation would make them: with the ids of resources as their names."""
    exports = {
        each["Export"]["Name"]: (part, each["Value"])
        for part, template in _stacks(deployment).items()
        for each in template.get("Outputs", {}).values()
        if "Export" in each
    }
    kinds = ("AWS::CloudWatch::Alarm", "AWS::CloudWatch::CompositeAlarm")
    found = [item for kind in kinds for item in _of_type(deployment, kind).items()]
    return {each["AlarmName"]: _resolved(each, key.partition("/")[0], exports) for key, each in found}


def _resolved(value: Any, part: str, exports: Mapping[str, tuple[str, Any]]) -> Any:
    match value:
        case {"Fn::ImportValue": name}:
            exporter, exported = exports[name]
            return _resolved(exported, exporter, exports)
        case {"Ref": name}:
            return f"{part}/{name}"
        case {"Fn::GetAtt": [name, attribute]}:
            return f"{part}/{name}.{attribute}"
        case dict():
            return {key: _resolved(each, part, exports) for key, each in value.items()}
        case list():
            return [_resolved(each, part, exports) for each in value]
    return value


def _short(name: str) -> str:
    return name.removeprefix("edgewise-prod-")
