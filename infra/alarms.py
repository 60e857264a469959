"""The topics of a stage's alarms, by severity, and the alarms that infra/watches.py declares."""

from collections.abc import Mapping, Sequence
from typing import Final

from aws_cdk import CfnOutput, Stack
from aws_cdk.aws_cloudwatch import Alarm, AlarmRule, CompositeAlarm, Metric
from aws_cdk.aws_cloudwatch_actions import SnsAction
from aws_cdk.aws_iam import PolicyStatement, ServicePrincipal
from aws_cdk.aws_sns import Topic
from constructs import Construct

from edgewise.cdk.alarms import Rule, Told, ring
from infra.settings import InfraSettings
from infra.told import subscribe, tell_channels
from infra.watches import CAUSES, GATHERED, WATCHES, Cause, Severity, Watch

# Who publishes to the topics, besides the budget.
CLOUDWATCH: Final = "cloudwatch.amazonaws.com"


class AlarmTopic(Topic):
    """Messages name alarms and contain no user data."""

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings) -> None:
        super().__init__(scope, construct_id, enforce_ssl=settings.tls_only)
        # A topic with its own policy loses the default one, which lets CloudWatch publish.
        self.let_publish(CLOUDWATCH)

    def let_publish(self, service: str) -> None:
        """Let a service of AWS publish what it has to tell of this account."""
        statement = PolicyStatement(
            principals=[ServicePrincipal(service)],
            actions=["sns:Publish"],
            resources=[self.topic_arn],
            conditions={"StringEquals": {"aws:SourceAccount": Stack.of(self).account}},
        )
        self.add_to_resource_policy(statement)


class Alarms(Construct):
    """A topic for pages and one for tickets, to which the stage's targets subscribe, and what makes its alarms.

    An alarm that rings, or is over, is told by the topic of its severity.
    """

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings) -> None:
        super().__init__(scope, construct_id)
        self._settings = settings
        told = {Severity.PAGE: settings.pages, Severity.TICKET: settings.tickets}
        self._topics = {severity: AlarmTopic(self, severity, settings) for severity in told}
        for severity, topic in self._topics.items():
            subscribe(topic, topic, told[severity])
            CfnOutput(scope, f"{severity.capitalize()}TopicArn", value=topic.topic_arn)
        by_topic: dict[Topic, Sequence[str]] = {self._topics[severity]: each for severity, each in told.items()}
        tell_channels(self, settings.prefix, by_topic)
        self._made: dict[str, Alarm | CompositeAlarm] = {}

    @property
    def tickets(self) -> AlarmTopic:
        """Where tickets are told."""
        return self._topics[Severity.TICKET]

    def ring(
        self, scope: Construct, name: str, metrics: Mapping[str, Metric], rule: Rule | None = None
    ) -> Alarm | None:
        """Make the declared alarm `name` on these metrics, by the names in its rule; None where the stage has it not.

        `rule`: its rule, where that depends on the stage.
        """
        watch = WATCHES[name]
        made = rule or watch.rule
        # The emulator knows no metric math.
        if not self._has(watch) or (made.math and self._settings.emulator):
            return None
        # A function may have a construct of the same name.
        topics = () if name in GATHERED else self._told(watch.severity)
        told = Told(self._text(watch, made.says), topics, self._name(name))
        self._made[name] = alarm = ring(scope, f"{name}-alarm", made, metrics, told)
        return alarm

    def gather(self, scope: Construct, name: str) -> None:
        """Make the declared composite alarm `name`, after all alarms that it is of."""
        cause = CAUSES[name]
        if not self._has(cause) or self._settings.emulator:
            return
        of = [AlarmRule.from_string(f'ALARM("{self._name(each)}")') for each in cause.of]
        rings = AlarmRule.all_of(*of) if cause.together else AlarmRule.any_of(*of)
        alarm = CompositeAlarm(
            scope,
            f"{name}-alarm",
            composite_alarm_name=self._name(name),
            alarm_description=self._text(cause, cause.says),
            alarm_rule=rings,
        )
        # CloudWatch refuses one that names what is not there yet.
        alarm.node.add_dependency(*(self._made[each] for each in cause.of))
        for topic in self._told(cause.severity):
            alarm.add_alarm_action(SnsAction(topic))
            alarm.add_ok_action(SnsAction(topic))
        self._made[name] = alarm

    def _has(self, each: Watch | Cause) -> bool:
        return each.always or self._settings.alarms == "all"

    def _told(self, severity: Severity) -> Sequence[AlarmTopic]:
        return [topic for of, topic in self._topics.items() if of == severity]

    def _name(self, name: str) -> str:
        """Spelled out, so that composite alarms of one stack can name those of another without importing anything."""
        return f"{self._settings.prefix}-{name}"

    def _text(self, each: Watch | Cause, says: str) -> str:
        first = each.first.replace("STAGE", self._settings.stage)
        return f"{says}. First: {first}. Then: docs/{each.then}"
