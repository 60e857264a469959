"""When an alarm rings and ends; the rules for a reader of a stream that stops, falls behind, or gives records up."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from aws_cdk import Duration
from aws_cdk.aws_cloudwatch import Alarm, ComparisonOperator, IMetric, MathExpression, Metric, TreatMissingData
from aws_cdk.aws_cloudwatch_actions import SnsAction
from aws_cdk.aws_lambda import EventSourceMapping, Function
from aws_cdk.aws_sns import ITopic
from constructs import Construct

PERIOD: Final = Duration.minutes(5)
MINUTE: Final = Duration.minutes(1)
# The age of the oldest record at which the alarm rings: a passing throttle is over by then.
LAG: Final = Duration.minutes(15)
# Lambda counts it for a mapping: records for which it invoked the function. Where heartbeats come through the stream,
# there are some in every minute. Of a mapping that is switched off nothing else tells: other metrics need records.
INVOKED: Final = "InvokedEventCount"
# Lambda's metrics of a mapping, and the meaning of a value above zero.
FAILED: Final = "FailedInvokeEventCount"
GIVEN_UP: Final = {"dropped": "DroppedEventCount", "delivered": "OnFailureDestinationDeliveredEventCount"}
# Lambda's metric of a function whose mapping has a bucket for what it gives up.
UNDELIVERED: Final = "DestinationDeliveryFailures"


@dataclass(frozen=True)
class Rule:
    """An alarm rings while `least` of the last `of` periods reach `at_least`, and is over when fewer do.

    `says`: what is the matter. `math`: how metrics, by their names, make the one number that is compared, as CloudWatch
    writes it: what is missing counts as 0 as long as one of them is there. Without it there is one metric. `none`: it
    rings instead while the number is lower, or missing; otherwise, what is missing is no reason to ring.
    """

    says: str
    at_least: float = 1
    least: int = 1
    of: int = 1
    every: Duration = PERIOD
    math: str = ""
    none: bool = False


# CloudWatch looks at two periods more than an alarm has, and while it finds a number there, none is missing: so three
# are five minutes without any.
SILENT: Final = Rule("no record has come for five minutes", least=3, of=3, every=MINUTE, none=True)
BEHIND: Final = Rule("aggregates are behind by 15 minutes", LAG.to_milliseconds(), least=2, of=3)
LOST: Final = Rule("records were given up", math="dropped + delivered + undelivered")
# A sweep tells the level once an hour.
QUARANTINE: Final = Rule("records are in quarantine", every=Duration.hours(2))
INCOMPLETE: Final = Rule("aggregates lack something: repair them")


class Told(NamedTuple):
    """What somebody reads of an alarm, and who is told when it rings and when it is over."""

    description: str
    topics: Sequence[ITopic] = ()
    name: str | None = None


def ring(scope: Construct, construct_id: str, rule: Rule, metrics: Mapping[str, Metric], told: Told) -> Alarm:
    """Make the alarm of a rule on metrics by the names that its `math` gives them."""
    alarm = Alarm(
        scope,
        construct_id,
        alarm_name=told.name,
        alarm_description=told.description,
        metric=_watched(rule, metrics),
        threshold=rule.at_least,
        evaluation_periods=rule.of,
        datapoints_to_alarm=rule.least,
        comparison_operator=(
            ComparisonOperator.LESS_THAN_THRESHOLD
            if rule.none
            else ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD
        ),
        treat_missing_data=TreatMissingData.BREACHING if rule.none else TreatMissingData.NOT_BREACHING,
    )
    for topic in told.topics:
        alarm.add_alarm_action(SnsAction(topic))
        alarm.add_ok_action(SnsAction(topic))
    return alarm


def _watched(rule: Rule, metrics: Mapping[str, Metric]) -> IMetric:
    if rule.math:
        return MathExpression(expression=rule.math, using_metrics=dict(metrics), period=rule.every)
    (metric,) = metrics.values()
    return metric.with_(period=rule.every)


def sum_of(names: Sequence[str]) -> str:
    """The `math` of a sum."""
    return " + ".join(names)


def age(function: Function) -> Metric:
    """How old the oldest record is that the function gets, in milliseconds."""
    return function.metric("IteratorAge", statistic="Maximum", period=PERIOD)


def of_mapping(mapping: EventSourceMapping, metric: str) -> Metric:
    """A metric that Lambda counts for an event source mapping, per period."""
    return Metric(
        namespace="AWS/Lambda",
        metric_name=metric,
        dimensions_map={"EventSourceMappingUUID": mapping.event_source_mapping_id},
        statistic="Sum",
        period=PERIOD,
    )


def counted(namespace: str, service: str, metric: str, statistic: str = "Sum") -> Metric:
    """A metric that a function itself counts, as this service, per period."""
    return Metric(
        namespace=namespace,
        metric_name=metric,
        dimensions_map={"service": service},
        statistic=statistic,
        period=PERIOD,
    )


class Watch(NamedTuple):
    """An alarm of a function that keeps aggregates, or reads a table's stream."""

    name: str
    rule: Rule
    metrics: Mapping[str, Metric]


def of_reader(
    name: str, function: Function, mapping: EventSourceMapping, *, heartbeats: bool, **lost: Metric
) -> Iterator[Watch]:
    """The alarms of a mapping that loses records, of which `lost` may tell, too, or that brings nothing.

    `heartbeats`: whether some come through the stream. Without them, nothing tells of a mapping that is switched off.
    """
    dropped = {each: of_mapping(mapping, metric) for each, metric in GIVEN_UP.items()}
    metrics = {**dropped, "undelivered": function.metric(UNDELIVERED, statistic="Sum"), **lost}
    yield Watch(f"{name}-lost", replace(LOST, math=sum_of([*metrics])), metrics)
    if heartbeats:
        yield Watch(f"{name}-silent", SILENT, {"invoked": of_mapping(mapping, INVOKED)})


def of_consumer(
    function: Function, mappings: Mapping[str, EventSourceMapping], namespace: str, service: str, *, heartbeats: bool
) -> Iterator[Watch]:
    """The alarms of a function that reads these mappings of streams, and counts as `service`."""
    failed = {f"failed{n}": of_mapping(each, FAILED) for n, each in enumerate(mappings.values())}
    failures = {"errors": function.metric_errors(), "throttles": function.metric_throttles(), **failed}
    says = "the function fails, or may not run, again and again"
    yield Watch("failing", Rule(says, least=3, of=3, math=sum_of([*failures])), failures)
    yield Watch("behind", BEHIND, {"age": age(function)})
    for name, mapping in mappings.items():
        yield from of_reader(name, function, mapping, heartbeats=heartbeats)
    told = {"QuarantineLevel": ("Maximum", QUARANTINE), "IncompleteAggregates": ("Sum", INCOMPLETE)}
    for name, (statistic, rule) in told.items():
        yield Watch(name, rule, {"told": counted(namespace, service, name, statistic)})
