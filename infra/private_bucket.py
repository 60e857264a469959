"""A private bucket that is kept, or deleted, with what else a stage stores."""

from aws_cdk.aws_s3 import LifecycleRule
from constructs import Construct

from edgewise.cdk import private_bucket
from infra.settings import InfraSettings


class PrivateBucket(private_bucket.PrivateBucket):
    """As its stage wants it; `ends` says when its objects do."""

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings, ends: LifecycleRule) -> None:
        super().__init__(
            scope, construct_id, ends, emulator=not settings.tls_only, removal_policy=settings.removal_policy
        )
