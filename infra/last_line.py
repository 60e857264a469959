"""The bucket for stream records that no invocation processed for 23 hours, in the stack of the table."""

from aws_cdk import Stack
from aws_cdk.aws_lambda import IFunction
from constructs import Construct

from edgewise.cdk import lost_records
from infra.nag import acknowledge
from infra.settings import InfraSettings


class LostRecords(lost_records.LostRecords):
    """The engine's bucket, which functions of other stacks use."""

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings) -> None:
        super().__init__(scope, construct_id, emulator=not settings.tls_only, removal_policy=settings.removal_policy)
        acknowledge(
            self,
            "AwsSolutions-S1",
            "Lambda writes to it and one function reads it; objects are rare, and alarms report them",
        )

    @property
    def objects(self) -> str:
        """As other stacks refer to them: explicitly, since the accepted finding contains the export's name."""
        return f"{Stack.of(self).export_value(self.bucket_arn)}/*"

    def let(self, function: IFunction, action: str) -> None:
        """Allow it, and accept that the policy names all objects."""
        super().let(function, action)
        name = Stack.of(self).resolve(Stack.of(self).export_value(self.bucket_arn))["Fn::ImportValue"]
        assert function.role is not None
        acknowledge(function.role, f"AwsSolutions-IAM5[Resource::{name}/*]", "Lambda chooses the objects' names")
