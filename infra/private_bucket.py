"""A bucket that only this stage's functions and jobs see, whose objects end."""

from aws_cdk.aws_s3 import BlockPublicAccess, Bucket, BucketEncryption, LifecycleRule
from constructs import Construct

from infra.settings import InfraSettings


class PrivateBucket(Bucket):
    """Encrypted, never public, over TLS alone; `ends` says when its objects do."""

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings, ends: LifecycleRule) -> None:
        super().__init__(
            scope,
            construct_id,
            encryption=BucketEncryption.S3_MANAGED,
            enforce_ssl=settings.tls_only,
            block_public_access=BlockPublicAccess.BLOCK_ALL,
            lifecycle_rules=[ends],
            removal_policy=settings.removal_policy,
        )
