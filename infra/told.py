"""Lets the topics of alarms tell the targets of a stage: by mail, to an endpoint, in a channel."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from aws_cdk import SecretValue
from aws_cdk.aws_chatbot import CfnSlackChannelConfiguration
from aws_cdk.aws_iam import Role, ServicePrincipal
from aws_cdk.aws_sns import Subscription, SubscriptionProtocol, Topic
from constructs import Construct

from infra.targets import HTTPS, SECRET, SLACK

# All that whoever is in a channel may do in the account: to look at alarms and their graphs.
GUARDRAIL: Final = "arn:aws:iam::aws:policy/CloudWatchReadOnlyAccess"


def subscribe(scope: Construct, topic: Topic, targets: Iterable[str]) -> None:
    """Let the topic tell these targets, but for channels: a channel is configured once, for all topics."""
    for target in targets:
        if not target.startswith(SLACK):
            protocol, endpoint = _endpoint(target)
            Subscription(scope, target.replace("/", "|"), topic=topic, protocol=protocol, endpoint=endpoint)


def _endpoint(target: str) -> tuple[SubscriptionProtocol, str]:
    if target.startswith(SECRET):
        # CloudFormation reads it when it deploys: no template has it.
        return SubscriptionProtocol.HTTPS, SecretValue.secrets_manager(target.removeprefix(SECRET)).unsafe_unwrap()
    if target.startswith(HTTPS):
        return SubscriptionProtocol.HTTPS, target
    return SubscriptionProtocol.EMAIL, target


def tell_channels(scope: Construct, prefix: str, told: Mapping[Topic, Sequence[str]]) -> None:
    """Let Amazon Q Developer (formerly AWS Chatbot) show what topics tell in the channels among their targets.

    Somebody must have let it into the workspace before, in its console.
    """
    targets = {target: None for each in told.values() for target in each if target.startswith(SLACK)}
    if not targets:
        return
    role = Role(scope, "channel-role", assumed_by=ServicePrincipal("chatbot.amazonaws.com"))
    for target in targets:
        workspace, channel = target.removeprefix(SLACK).split("/")
        CfnSlackChannelConfiguration(
            scope,
            f"channel-{channel}",
            configuration_name=f"{prefix}-{channel}",
            slack_workspace_id=workspace,
            slack_channel_id=channel,
            iam_role_arn=role.role_arn,
            guardrail_policies=[GUARDRAIL],
            sns_topic_arns=[topic.topic_arn for topic, each in told.items() if target in each],
        )
