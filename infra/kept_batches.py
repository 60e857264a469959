"""The bucket with the batches of the consumer that are kept for the releases to come."""

from typing import Final, cast

from aws_cdk import CfnOutput, Duration
from aws_cdk.aws_iam import PolicyStatement
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_s3 import CfnBucket, LifecycleRule
from constructs import Construct

from functions.keeping import PREFIX
from infra.nag import acknowledge, acknowledge_any
from infra.private_bucket import PrivateBucket
from infra.settings import InfraSettings

# Long enough that a release on a Monday is rehearsed on the weekend. They hold what records hold, personal data too.
KEPT: Final = Duration.days(7)


class KeptBatches(PrivateBucket):
    """All that is in it ends after some days. Its output tells `make rehearse` where it is."""

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings) -> None:
        ends = LifecycleRule(expiration=KEPT, abort_incomplete_multipart_upload_after=Duration.days(1))
        super().__init__(scope, construct_id, settings, ends)
        acknowledge(self, "AwsSolutions-S1", "one function writes it, and logs each object; who deploys reads it")
        CfnOutput(scope, "KeptBatchesBucketName", value=self.bucket_name)

    def let_keep(self, function: Function) -> None:
        """Let the function store batches; it can neither read nor list nor delete them."""
        resources = [self.arn_for_objects(f"{PREFIX}*")]
        function.add_to_role_policy(PolicyStatement(actions=["s3:PutObject"], resources=resources))
        assert function.role
        because = "batches are named by their instants"
        acknowledge_any(function.role, cast(CfnBucket, self.node.default_child), f"/{PREFIX}*", because)
