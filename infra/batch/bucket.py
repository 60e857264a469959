"""The bucket for the exports of runs and for what their jobs find, below `runs/RUN/`."""

from collections.abc import Iterable
from typing import Final, cast

from aws_cdk import Duration
from aws_cdk.aws_iam import PolicyStatement, Role
from aws_cdk.aws_s3 import CfnBucket, LifecycleRule
from constructs import Construct

from infra.nag import acknowledge, acknowledge_any
from infra.private_bucket import PrivateBucket
from infra.settings import InfraSettings

# Long enough to look into a run that failed over a weekend. Exports are copies of the whole table.
KEPT: Final = Duration.days(7)
RUNS, RESULTS = "runs/*", "runs/*/result/*"
EXPORTS: Final = ("runs/*/full/*", "runs/*/increment/*")


class RunsBucket(PrivateBucket):
    """All that is in it ends after some days."""

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings) -> None:
        ends = LifecycleRule(expiration=KEPT, abort_incomplete_multipart_upload_after=Duration.days(1))
        super().__init__(scope, construct_id, settings, ends)
        acknowledge(
            self,
            "AwsSolutions-S1",
            "exports, one job and one function use it; the state machine's history names every run",
        )

    def let(self, role: Role, actions: Iterable[str], *objects: str) -> None:
        """Allow a role these actions on the objects whose names are like these."""
        resources = [self.arn_for_objects(each) for each in objects]
        role.add_to_policy(PolicyStatement(actions=[f"s3:{action}" for action in actions], resources=resources))
        for each in objects:
            reason = "runs are named after their instants"
            acknowledge_any(role, cast(CfnBucket, self.node.default_child), f"/{each}", reason)

    def let_list(self, role: Role, objects: str) -> None:
        """Allow a role to list the objects whose names are like this."""
        like = {"StringLike": {"s3:prefix": [objects]}}
        listing = PolicyStatement(actions=["s3:ListBucket"], resources=[self.bucket_arn], conditions=like)
        role.add_to_policy(listing)
