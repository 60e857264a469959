"""The secret that signs the cursors of paged answers: those of the API, and those that are pushed."""

from typing import cast

from aws_cdk.aws_iam import PolicyStatement
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_secretsmanager import CfnSecret, Secret, SecretStringGenerator
from constructs import Construct

from infra.nag import acknowledge


class CursorSecret(Secret):
    """Made once for a stage; `arn` is what functions read it by."""

    def __init__(self, scope: Construct, construct_id: str) -> None:
        super().__init__(
            scope,
            construct_id,
            description="Signs the cursors of paged answers",
            generate_secret_string=SecretStringGenerator(password_length=64, exclude_punctuation=True),
        )
        acknowledge(
            self,
            "AwsSolutions-SMG4",
            "it signs page positions and opens no data; a rotation would only break every page being read",
        )
        # `Id` is the ARN everywhere. `Ref`, which CDK would use, is the ARN on AWS but the name on the emulator.
        self.arn = cast(CfnSecret, self.node.default_child).attr_id

    def allow(self, function: Function) -> None:
        """Let a function read it."""
        function.add_to_role_policy(PolicyStatement(actions=["secretsmanager:GetSecretValue"], resources=[self.arn]))
