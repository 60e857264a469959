"""The topic of alerts: conditions on aggregates that people have declared (docs/alerts.md)."""

from aws_cdk import CfnOutput
from aws_cdk.aws_iam import PolicyStatement
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_sns import Topic
from constructs import Construct

from infra.settings import InfraSettings


class AlertTopic(Topic):
    """A FIFO topic, which tells of each aggregate in order and drops what is told twice within five minutes.

    Queues of the account subscribe to it, or functions by them. Messages name aggregates.
    """

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings) -> None:
        super().__init__(scope, construct_id, fifo=True, enforce_ssl=settings.tls_only)
        # The emulator wants a right to batches, which on AWS is the same as that to messages.
        self._actions = ["sns:Publish", *(["sns:PublishBatch"] if settings.emulator else [])]
        CfnOutput(scope, "AlertTopicArn", value=self.topic_arn)

    def let_tell(self, function: Function) -> None:
        """Let the function publish, and nothing else."""
        function.add_to_role_policy(PolicyStatement(actions=self._actions, resources=[self.topic_arn]))
