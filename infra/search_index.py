"""Where the search index of a stage is: a bucket, or a domain of OpenSearch."""

from typing import Final, cast

from aws_cdk import Duration, Stack
from aws_cdk.aws_ec2 import EbsDeviceVolumeType
from aws_cdk.aws_iam import PolicyStatement
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_opensearchservice import (
    CapacityConfig,
    CfnDomain,
    Domain,
    EbsOptions,
    EncryptionAtRestOptions,
    EngineVersion,
    TLSSecurityPolicy,
    ZoneAwarenessConfig,
)
from aws_cdk.aws_s3 import CfnBucket, LifecycleRule
from constructs import Construct

from functions.search.manifest import MANIFEST, PACKS
from functions.search.opensearch_requests import SERVING
from infra.nag import acknowledge, acknowledge_any
from infra.private_bucket import PrivateBucket
from infra.settings import InfraSettings

# About 27 USD a month with its disk, which is enough for some million things.
NODE: Final = "t3.small.search"
DISK_GB: Final = 10
ACCEPTED: Final = {
    "OS1": "only signed requests of two roles are answered; a VPC would cost NAT or endpoints by the hour",
    "OS3": "functions have no addresses of their own; each request is signed",
    "OS4": "what is in it can be made again from the table",
    "OS5": "no policy lets anybody in: only the roles that say so themselves",
    "OS7": "of a stage that is no production, one node is enough",
    "OS9[LogExport::SEARCH_SLOW_LOGS]": "they have what people look for",
    "OS9[LogExport::INDEX_SLOW_LOGS]": "they have what people write",
}


class IndexBucket(PrivateBucket):
    """The index: one object says what it consists of, the packs hold it."""

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings) -> None:
        # The writer deletes what nobody needs.
        ends = LifecycleRule(abort_incomplete_multipart_upload_after=Duration.days(1))
        super().__init__(scope, construct_id, settings, ends)
        acknowledge(self, "AwsSolutions-S1", "two functions use it, and log what they do")

    @property
    def where(self) -> str:
        """Where it is, as functions/search/indexes.py reads it."""
        return f"s3://{self.bucket_name}"

    def let_read(self, function: Function) -> None:
        """Let the function copy the index. Without the right to list, S3 would not say that there is none."""
        self._let(function, "GetObject")
        function.add_to_role_policy(PolicyStatement(actions=["s3:ListBucket"], resources=[self.bucket_arn]))

    def let_write(self, function: Function) -> None:
        """Let the function write the index."""
        self.let_read(function)
        self._let(function, "PutObject", "DeleteObject")

    def _let(self, function: Function, *actions: str) -> None:
        named, packs = [f"s3:{action}" for action in actions], self.arn_for_objects(f"{PACKS}*")
        resources = [self.arn_for_objects(MANIFEST), packs]
        function.add_to_role_policy(PolicyStatement(actions=named, resources=resources))
        self._acknowledge(function)

    def _acknowledge(self, function: Function) -> None:
        """Packs have names of their own. Another stack names the bucket by what this one exports."""
        role, because = function.role, "the writer names packs"
        assert role
        acknowledge_any(role, cast(CfnBucket, self.node.default_child), f"/{PACKS}*", because)
        if Stack.of(function) is not Stack.of(self):
            # Until CDK has resolved it, it names the bucket itself.
            exported = Stack.of(self).resolve(Stack.of(self).export_value(self.bucket_arn))["Fn::ImportValue"]
            acknowledge(role, f"AwsSolutions-IAM5[Resource::{exported}/{PACKS}*]", because)


class IndexDomain(Domain):
    """OpenSearch, with one small node, or in production with two in different zones."""

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings) -> None:
        nodes = 2 if settings.production else 1
        super().__init__(
            scope,
            construct_id,
            version=EngineVersion.OPENSEARCH_2_19,
            capacity=CapacityConfig(
                data_nodes=nodes, data_node_instance_type=NODE, multi_az_with_standby_enabled=False
            ),
            zone_awareness=ZoneAwarenessConfig(enabled=nodes > 1),
            ebs=EbsOptions(volume_size=DISK_GB, volume_type=EbsDeviceVolumeType.GP3),
            encryption_at_rest=EncryptionAtRestOptions(enabled=True),
            node_to_node_encryption=True,
            enforce_https=True,
            tls_security_policy=TLSSecurityPolicy.TLS_1_2_PFS,
            removal_policy=settings.removal_policy,
        )
        for rule, because in ACCEPTED.items():
            acknowledge(self, f"AwsSolutions-{rule}", because)

    @property
    def where(self) -> str:
        """Where it is, as functions/search/indexes.py reads it."""
        return f"https://{self.domain_endpoint}"

    def let_read(self, function: Function) -> None:
        """Let the function search."""
        self._let(function, "ESHttpPost", f"/{SERVING}/_search")

    def let_write(self, function: Function) -> None:
        """Let the function write indexes, and say which one answers."""
        assert function.role
        for action, path in (("ESHttpGet", "/_alias/*"), ("ESHttpPut", f"/{SERVING}-*")):
            self._let(function, action, path)
            acknowledge_any(function.role, cast(CfnDomain, self.node.default_child), path, "generations have names")
        for path in ("/_bulk", "/_aliases", f"/{SERVING}/_refresh"):
            self._let(function, "ESHttpPost", path)

    def _let(self, function: Function, action: str, path: str) -> None:
        resource = self.domain_arn + path
        function.add_to_role_policy(PolicyStatement(actions=[f"es:{action}"], resources=[resource]))
