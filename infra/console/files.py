"""The files of the console: the bucket, and what a deployment puts into it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from aws_cdk import RemovalPolicy, Stack, Token
from aws_cdk.aws_iam import Role, ServicePrincipal
from aws_cdk.aws_logs import LogGroup
from aws_cdk.aws_s3 import BlockPublicAccess, Bucket, BucketEncryption, CfnBucket
from aws_cdk.aws_s3_deployment import BucketDeployment, CacheControl, ISource, Source
from constructs import Construct

from infra.assets import bundled
from infra.console.build import build, check_installed, page_digest
from infra.console_headers import HASHED, caching
from infra.nag import acknowledge, acknowledge_any
from infra.settings import InfraSettings

_SCRIPTS: Final = f"{HASHED.strip('/')}/*"


class PageBucket(Bucket):
    """Encrypted, never public, over TLS alone. It goes with its stack, files included: they are built again."""

    def __init__(self, scope: Construct, construct_id: str) -> None:
        super().__init__(
            scope,
            construct_id,
            encryption=BucketEncryption.S3_MANAGED,
            enforce_ssl=True,
            block_public_access=BlockPublicAccess.BLOCK_ALL,
            removal_policy=RemovalPolicy.DESTROY,
            auto_delete_objects=True,
        )
        acknowledge(self, "AwsSolutions-S1", "its files are public to whoever opens the console")


class PageFiles(Construct):
    """The built page, and what it has to know. Raises BuildError if the page must be built and can't be."""

    def __init__(
        self, scope: Construct, construct_id: str, settings: InfraSettings, bucket: Bucket, config: Mapping[str, Any]
    ) -> None:
        super().__init__(scope, construct_id)
        if Stack.of(self).bundling_required:
            check_installed()
        self._bucket, self._logs = bucket, self._log_group(settings)
        self._role = self._made_role()
        page = Source.asset(**bundled(page_digest(), build))
        # A page that is open may still ask for a script of the last deployment: none is removed.
        scripts = self._put("scripts", [page], HASHED, exclude=["*"], include=[_SCRIPTS], prune=False)
        pages = self._put("pages", [page, Source.json_data("config.json", config)], "/", exclude=[_SCRIPTS])
        # No page names a script that is not there yet.
        pages.node.add_dependency(scripts)
        self._acknowledge()

    def _put(self, name: str, sources: Sequence[ISource], path: str, **which: Any) -> BucketDeployment:
        return BucketDeployment(
            self,
            name,
            sources=sources,
            destination_bucket=self._bucket,
            cache_control=[CacheControl.from_string(caching(path))],
            role=self._role,
            log_group=self._logs,
            **which,
        )

    def _log_group(self, settings: InfraSettings) -> LogGroup:
        return LogGroup(self, "logs", retention=settings.log_retention, removal_policy=settings.removal_policy)

    def _made_role(self) -> Role:
        """The role of CDK's function that copies files into the bucket during a deployment."""
        role = Role(self, "role", assumed_by=ServicePrincipal("lambda.amazonaws.com"))
        self._logs.grant_write(role)
        acknowledge(
            role, "AwsSolutions-IAM5", "CDK lets it read what CDK uploads, and write into the bucket of the page"
        )
        return role

    def _acknowledge(self) -> None:
        """CDK's function reads what CDK uploads, and writes into the bucket of the page; its rights name groups."""
        for actions in ("GetObject*", "GetBucket*", "List*", "DeleteObject*", "Abort*"):
            acknowledge(self._role, f"AwsSolutions-IAM5[Action::s3:{actions}]", "CDK grants groups of actions")
        reason = "CDK names what it uploads after its content"
        acknowledge(self._role, f"AwsSolutions-IAM5[Resource::{self._uploads()}/*]", reason)
        page = cast(CfnBucket, self._bucket.node.default_child)
        acknowledge_any(self._role, page, "/*", "the build names the page's scripts")
        for child in Stack.of(self).node.children:
            if child.node.id.startswith("Custom::CDKBucketDeployment"):
                acknowledge(child, "AwsSolutions-L1", "its code is CDK's, which says what it runs on")

    def _uploads(self) -> str:
        """How findings call the bucket into which CDK uploads."""
        stack = Stack.of(self)
        account, region, partition = (
            f"<AWS::{name}>" if Token.is_unresolved(value) else value
            for name, value in (("AccountId", stack.account), ("Region", stack.region), ("Partition", stack.partition))
        )
        qualifier = stack.synthesizer.bootstrap_qualifier
        return f"arn:{partition}:s3:::cdk-{qualifier}-assets-{account}-{region}"
