"""A bucket that only functions and jobs of a deployment see, whose objects end."""

from aws_cdk import RemovalPolicy
from aws_cdk.aws_s3 import BlockPublicAccess, Bucket, BucketEncryption, LifecycleRule
from constructs import Construct


class PrivateBucket(Bucket):
    """Encrypted, never public, over TLS alone, except on an emulator; `ends` says when its objects do."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        ends: LifecycleRule,
        *,
        emulator: bool,
        removal_policy: RemovalPolicy | None = None,
    ) -> None:
        super().__init__(
            scope,
            construct_id,
            encryption=BucketEncryption.S3_MANAGED,
            enforce_ssl=not emulator,
            block_public_access=BlockPublicAccess.BLOCK_ALL,
            lifecycle_rules=[ends],
            removal_policy=removal_policy,
        )
