"""The bucket for stream records that no invocation processed for 23 hours, and the function that is told of them.

The stream would discard these records an hour later. Lambda sends the whole event only to a bucket; a queue or a topic
would get its position.
"""

from typing import Final, cast

import jsii
from aws_cdk import Duration, RemovalPolicy
from aws_cdk.aws_events import EventPattern, Rule
from aws_cdk.aws_events_targets import LambdaFunction
from aws_cdk.aws_iam import PolicyStatement
from aws_cdk.aws_lambda import DlqDestinationConfig, Function, IEventSourceDlq, IEventSourceMapping, IFunction
from aws_cdk.aws_s3 import CfnBucket, LifecycleRule
from constructs import Construct

from edgewise.cdk.private_bucket import PrivateBucket

# Long enough for operators to repair the aggregates, and to process the event again after a fix.
KEPT: Final = Duration.days(90)


class LostRecords(PrivateBucket):
    """Gets an object for each event that was given up, and lets EventBridge know of it."""

    def __init__(
        self, scope: Construct, construct_id: str, *, emulator: bool, removal_policy: RemovalPolicy | None = None
    ) -> None:
        ends = LifecycleRule(expiration=KEPT)
        super().__init__(scope, construct_id, ends, emulator=emulator, removal_policy=removal_policy)
        # A property, because CDK would add a function with permission to change the notifications of every bucket.
        told = CfnBucket.EventBridgeConfigurationProperty(event_bridge_enabled=True)
        configuration = CfnBucket.NotificationConfigurationProperty(event_bridge_configuration=told)
        cast(CfnBucket, self.node.default_child).notification_configuration = configuration

    @property
    def objects(self) -> str:
        """The ARN of all objects, because Lambda chooses their names."""
        return self.arn_for_objects("*")

    def let(self, function: IFunction, action: str) -> None:
        """Allow a function an action on all objects."""
        function.add_to_role_policy(PolicyStatement(actions=[action], resources=[self.objects]))

    def tell(self, function: Function, scope: Construct) -> None:
        """Invoke the function with each new object, by a rule in `scope`, and let it read the objects."""
        self.let(function, "s3:GetObject")
        created = EventPattern(
            source=["aws.s3"],
            detail_type=["Object Created"],
            detail={"bucket": {"name": [self.bucket_name]}},
        )
        Rule(scope, "lost-records", event_pattern=created, targets=[LambdaFunction(function)])


@jsii.implements(IEventSourceDlq)
class GivenUp:
    """The on-failure destination of a mapping. CDK's own class would let the reader read and delete objects, too."""

    def __init__(self, bucket: LostRecords) -> None:
        self._bucket = bucket

    def bind(self, _target: IEventSourceMapping, target_handler: IFunction) -> DlqDestinationConfig:
        """Grant the reader's role the permissions that Lambda needs."""
        bucket = self._bucket.bucket_arn
        self._bucket.let(target_handler, "s3:PutObject")
        target_handler.add_to_role_policy(PolicyStatement(actions=["s3:ListBucket"], resources=[bucket]))
        return DlqDestinationConfig(destination=bucket)
