"""The bucket for stream records that no invocation processed for 23 hours, and the function that is told of them.

The stream would discard these records an hour later. Lambda sends the whole event only to a bucket; a queue or a topic
would get its position.
"""

from typing import Final, cast

import jsii
from aws_cdk import Duration
from aws_cdk.aws_events import EventPattern, Rule
from aws_cdk.aws_events_targets import LambdaFunction
from aws_cdk.aws_iam import PolicyStatement
from aws_cdk.aws_lambda import DlqDestinationConfig, Function, IEventSourceDlq, IEventSourceMapping, IFunction
from aws_cdk.aws_s3 import BlockPublicAccess, Bucket, BucketEncryption, CfnBucket, IBucket, LifecycleRule
from constructs import Construct

# Long enough for operators to repair the aggregates, and to process the event again after a fix.
KEPT: Final = Duration.days(90)


class LostRecords(Bucket):
    """Gets an object for each event that was given up; EventBridge tells the function, which may read it."""

    def __init__(self, scope: Construct, construct_id: str, function: Function, *, emulator: bool) -> None:
        super().__init__(
            scope,
            construct_id,
            encryption=BucketEncryption.S3_MANAGED,
            enforce_ssl=not emulator,
            block_public_access=BlockPublicAccess.BLOCK_ALL,
            lifecycle_rules=[LifecycleRule(expiration=KEPT)],
        )
        notify(self)
        objects = self.arn_for_objects("*")
        function.add_to_role_policy(PolicyStatement(actions=["s3:GetObject"], resources=[objects]))
        tell(self, function)


def notify(bucket: Bucket) -> None:
    """Let EventBridge know of each new object."""
    # A property, because CDK would add a function with permission to change the notifications of every bucket.
    told = CfnBucket.EventBridgeConfigurationProperty(event_bridge_enabled=True)
    configuration = CfnBucket.NotificationConfigurationProperty(event_bridge_configuration=told)
    cast(CfnBucket, bucket.node.default_child).notification_configuration = configuration


def tell(bucket: Bucket, function: Function, scope: Construct | None = None) -> None:
    """Invoke the function with each new object; the rule is in `scope`, by default beside the bucket."""
    created = EventPattern(
        source=["aws.s3"],
        detail_type=["Object Created"],
        detail={"bucket": {"name": [bucket.bucket_name]}},
    )
    Rule(scope or bucket, "lost-records", event_pattern=created, targets=[LambdaFunction(function)])


@jsii.implements(IEventSourceDlq)
class GivenUp:
    """The on-failure destination of a mapping. CDK's own class would let the reader read and delete objects, too."""

    def __init__(self, bucket: IBucket) -> None:
        self._bucket = bucket

    def bind(self, _target: IEventSourceMapping, target_handler: IFunction) -> DlqDestinationConfig:
        """Grant the reader's role the permissions that Lambda needs."""
        bucket = self._bucket
        put = PolicyStatement(actions=["s3:PutObject"], resources=[bucket.arn_for_objects("*")])
        target_handler.add_to_role_policy(put)
        target_handler.add_to_role_policy(PolicyStatement(actions=["s3:ListBucket"], resources=[bucket.bucket_arn]))
        return DlqDestinationConfig(destination=bucket.bucket_arn)
