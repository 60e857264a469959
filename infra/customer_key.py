"""A key of the customer's own, under which a stage stores all that it stores (decision 75)."""

from typing import Any, Final

import jsii
from aws_cdk import Aspects, Aws, CfnOutput, Duration, IAspect, RemovalPolicy, Stack
from aws_cdk.aws_dynamodb import CfnGlobalTable
from aws_cdk.aws_iam import AnyPrincipal, PolicyStatement, ServicePrincipal
from aws_cdk.aws_kms import Key
from aws_cdk.aws_logs import CfnLogGroup
from aws_cdk.aws_s3 import CfnBucket
from aws_cdk.aws_secretsmanager import CfnSecret
from aws_cdk.aws_sns import CfnTopic
from aws_cdk.aws_sqs import CfnQueue
from constructs import Construct, IConstruct

from infra.alarms import CLOUDWATCH
from infra.budget import BUDGETS
from infra.console.files import PageBucket
from infra.settings import InfraSettings
from infra.stack import StageStack

# What stores under the key, each for whoever may use what it stores.
SERVICES: Final = ("dynamodb", "sqs", "s3", "sns", "secretsmanager", "backup")
USES: Final = ("kms:Encrypt", "kms:Decrypt", "kms:ReEncrypt*", "kms:GenerateDataKey*", "kms:DescribeKey")
# The shortest that KMS allows: of a developer's stage nothing is left that the key could open.
PENDING: Final = Duration.days(7)


class KeyStack(StageStack):
    """The key alone. A stage that gives it up keeps this stack: whatever is older can be read with it only."""

    def __init__(self, scope: Construct, part: str, settings: InfraSettings) -> None:
        super().__init__(scope, part, settings)
        keep = settings.removal_policy != RemovalPolicy.DESTROY
        self.key = Key(
            self,
            "key",
            alias=f"alias/{settings.prefix}",
            description=f"{settings.prefix}: all that it stores",
            enable_key_rotation=True,
            pending_window=None if keep else PENDING,
            removal_policy=settings.removal_policy,
        )
        own = (self._through_services(), self._grants(), self._logs(), self._publishers())
        for statement in own:
            self.key.add_to_resource_policy(statement)
        CfnOutput(self, "KeyArn", value=self.key.key_arn)

    def _through_services(self) -> PolicyStatement:
        """Who may use a table, a queue or an object may use the key for that, as with AWS's own keys; nobody else."""
        return PolicyStatement(
            principals=[AnyPrincipal()], actions=list(USES), resources=["*"], conditions=self._in_this_account()
        )

    def _grants(self) -> PolicyStatement:
        """DynamoDB and AWS Backup go on by a grant when the request that asked for it is over."""
        conditions = {**self._in_this_account(), "Bool": {"kms:GrantIsForAWSResource": "true"}}
        return PolicyStatement(
            principals=[AnyPrincipal()], actions=["kms:CreateGrant"], resources=["*"], conditions=conditions
        )

    def _in_this_account(self) -> dict[str, Any]:
        through = [f"{service}.{Stack.of(self).region}.amazonaws.com" for service in SERVICES]
        return {"StringEquals": {"kms:CallerAccount": Stack.of(self).account, "kms:ViaService": through}}

    def _logs(self) -> PolicyStatement:
        """CloudWatch Logs uses it by itself, for this account's groups."""
        groups = self.format_arn(service="logs", resource="log-group", resource_name="*")
        return PolicyStatement(
            principals=[ServicePrincipal(f"logs.{self.region}.amazonaws.com")],
            actions=list(USES),
            resources=["*"],
            conditions={"ArnLike": {"kms:EncryptionContext:aws:logs:arn": groups.replace("log-group/", "log-group:")}},
        )

    def _publishers(self) -> PolicyStatement:
        """What publishes to the topics of alarms without being anybody's role."""
        return PolicyStatement(
            principals=[ServicePrincipal(CLOUDWATCH), ServicePrincipal(BUDGETS)],
            actions=["kms:Decrypt", "kms:GenerateDataKey*"],
            resources=["*"],
            conditions={"StringEquals": {"aws:SourceAccount": Aws.ACCOUNT_ID}},
        )


@jsii.implements(IAspect)
class StoredUnder:
    """Puts all that an app stores under a key; what is added to a stack later, too."""

    def __init__(self, key: Key) -> None:
        self._arn = key.key_arn

    def visit(self, node: IConstruct) -> None:
        """Set the key where this is something that stores."""
        match node:
            case CfnGlobalTable():
                node.sse_specification = CfnGlobalTable.SSESpecificationProperty(sse_enabled=True, sse_type="KMS")
                node.add_property_override("Replicas.0.SSESpecification.KMSMasterKeyId", self._arn)
            case CfnQueue():
                node.kms_master_key_id = self._arn
                node.sqs_managed_sse_enabled = None
            case CfnTopic():
                node.kms_master_key_id = self._arn
            case CfnLogGroup() | CfnSecret():
                node.kms_key_id = self._arn
            case CfnBucket() if not isinstance(node.node.scope, PageBucket):
                # The page is public, and CloudFront would need the key to serve it.
                node.bucket_encryption = _under(self._arn)


def _under(arn: str) -> CfnBucket.BucketEncryptionProperty:
    """A bucket's own key spares a request to KMS for each object."""
    rule = CfnBucket.ServerSideEncryptionByDefaultProperty(sse_algorithm="aws:kms", kms_master_key_id=arn)
    return CfnBucket.BucketEncryptionProperty(
        server_side_encryption_configuration=[
            CfnBucket.ServerSideEncryptionRuleProperty(bucket_key_enabled=True, server_side_encryption_by_default=rule)
        ]
    )


def store_under(app: Construct, key: Key) -> None:
    """Put all that the app's stacks store under the key."""
    Aspects.of(app).add(StoredUnder(key))
