"""The bucket for stream records that no invocation processed for 23 hours, and the notification of its function.

The stream would discard these records an hour later. Lambda sends the whole event only to a bucket; a queue or a topic
would get its position.
"""

import jsii
from aws_cdk import Stack
from aws_cdk.aws_iam import PolicyStatement
from aws_cdk.aws_lambda import DlqDestinationConfig, Function, IEventSourceDlq, IEventSourceMapping, IFunction
from aws_cdk.aws_s3 import LifecycleRule
from constructs import Construct

from edgewise.cdk.lost_records import KEPT, notify, tell
from infra.nag import acknowledge
from infra.private_bucket import PrivateBucket
from infra.settings import InfraSettings


class LostRecords(PrivateBucket):
    """The bucket: it gets an object for each event that was given up, and notifies EventBridge of it."""

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings) -> None:
        super().__init__(scope, construct_id, settings, LifecycleRule(expiration=KEPT))
        notify(self)
        acknowledge(
            self,
            "AwsSolutions-S1",
            "Lambda writes to it and one function reads it; objects are rare, and alarms report them",
        )

    def let(self, function: IFunction, action: str) -> None:
        """Allow a function an action on all objects, because Lambda chooses their names."""
        # The reference between stacks is explicit, because the acknowledged finding contains its name.
        stack = Stack.of(self)
        exported = stack.export_value(self.bucket_arn)
        function.add_to_role_policy(PolicyStatement(actions=[action], resources=[f"{exported}/*"]))
        name = stack.resolve(exported)["Fn::ImportValue"]
        assert function.role is not None
        acknowledge(function.role, f"AwsSolutions-IAM5[Resource::{name}/*]", "Lambda chooses the objects' names")

    def tell(self, scope: Construct, function: Function) -> None:
        """Notify the function of each new object, and let it read the objects."""
        self.let(function, "s3:GetObject")
        tell(self, function, scope)


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
