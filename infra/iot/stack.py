"""The stack of AWS IoT Core, for a stage that has it: rules from topics into the telemetry queue, and who may publish.

What a rule can't put into the queue it puts, with the reason, into the queue's dead-letter queue, whose alarm rings.
"""

from typing import Any, Final

from aws_cdk import CfnOutput, Stack
from aws_cdk.aws_iam import PolicyStatement, Role, ServicePrincipal
from aws_cdk.aws_iot import CfnPolicy, CfnTopicRule
from aws_cdk.aws_sqs import IQueue
from constructs import Construct

from infra.ingest import TelemetryQueue
from infra.iot import sql
from infra.iot.settings import IotSettings
from infra.settings import InfraSettings
from infra.stack import StageStack

# The name of a thing, where AWS IoT looks it up by the certificate that a connection has shown; denied where it can't.
THING: Final = "${iot:Connection.Thing.ThingName}"
READINGS, SPARKPLUG = "readings", "sparkplug"


class IotStack(StageStack):
    """The rules, their role, and a policy for the certificates of things."""

    def __init__(
        self, scope: Construct, part: str, settings: InfraSettings, iot: IotSettings, telemetry: TelemetryQueue
    ) -> None:
        super().__init__(scope, part, settings)
        self._prefix = settings.prefix
        rules = {READINGS: sql.readings(settings.stage)}
        topics = [sql.readings_topic(settings.stage, THING)]
        # A topic that nobody can subscribe to costs no message, only the rule.
        topics.append(f"$aws/rules/{self._name(READINGS)}/{topics[0]}")
        if iot.sparkplug:
            rules[SPARKPLUG] = sql.sparkplug(settings.stage, iot.sparkplug)
            topics.append(sql.sparkplug_topic(settings.stage, THING, "*"))
        role = self._role([self._arn("rule", self._name(rule)) for rule in rules])
        queues = [telemetry.queue, telemetry.dead]
        role.add_to_policy(
            PolicyStatement(actions=["sqs:SendMessage"], resources=[queue.queue_arn for queue in queues])
        )
        for rule, text in rules.items():
            self._add_rule(rule, text, role, *queues)
        policy = CfnPolicy(self, "thing", policy_name=f"{self._prefix}-thing", policy_document=self._of_things(topics))
        CfnOutput(self, "ThingPolicyName", value=policy.ref)

    def _role(self, rules: list[str]) -> Role:
        """A role that AWS IoT assumes for these rules alone."""
        account = {"StringEquals": {"aws:SourceAccount": self.account}, "ArnEquals": {"aws:SourceArn": rules}}
        return Role(self, "rules", assumed_by=ServicePrincipal("iot.amazonaws.com", conditions=account))

    def _add_rule(self, name: str, text: str, role: Role, queue: IQueue, dead: IQueue) -> None:
        def into(target: IQueue) -> CfnTopicRule.ActionProperty:
            send = CfnTopicRule.SqsActionProperty(queue_url=target.queue_url, role_arn=role.role_arn, use_base64=False)
            return CfnTopicRule.ActionProperty(sqs=send)

        payload = CfnTopicRule.TopicRulePayloadProperty(
            sql=text, aws_iot_sql_version=sql.VERSION, actions=[into(queue)], error_action=into(dead)
        )
        rule = CfnTopicRule(self, name, rule_name=self._name(name), topic_rule_payload=payload)
        # Before the role may send, a rule would lose what it gets.
        rule.node.add_dependency(role)

    def _of_things(self, topics: list[str]) -> dict[str, Any]:
        """A policy with which a thing connects under its name, and publishes to topics that have it."""
        attached = {"Bool": {"iot:Connection.Thing.IsAttached": "true"}}

        def allow(action: str, *resources: str) -> dict[str, Any]:
            return {"Effect": "Allow", "Action": action, "Resource": list(resources), "Condition": attached}

        connect = allow("iot:Connect", self._arn("client", THING))
        publish = allow("iot:Publish", *(self._arn("topic", topic) for topic in topics))
        return {"Version": "2012-10-17", "Statement": [connect, publish]}

    def _arn(self, kind: str, name: str) -> str:
        return Stack.of(self).format_arn(service="iot", resource=kind, resource_name=name)

    def _name(self, rule: str) -> str:
        """Names of rules have no hyphens, and those of stages no underscores."""
        return f"{self._prefix}_{rule}".replace("-", "_")
