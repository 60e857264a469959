"""Acknowledges findings of cdk-nag: next to the resource, with the reason for the exception."""

from aws_cdk import Acknowledgment, CfnResource, Stack, Validations
from constructs import IConstruct


def acknowledge(construct: IConstruct, rule: str, reason: str) -> None:
    """Accept a finding (`rule` as the report prints it, with its detail in brackets) below this construct."""
    Validations.of(construct).acknowledge(Acknowledgment(id=rule, reason=reason))


def acknowledge_any(construct: IConstruct, of: CfnResource, rest: str, reason: str) -> None:
    """Accept that a policy below this construct names all that begins with the ARN of a resource of the same stack."""
    arn = f"<{Stack.of(of).resolve(of.logical_id)}.Arn>"
    acknowledge(construct, f"AwsSolutions-IAM5[Resource::{arn}{rest}]", reason)


def acknowledge_arn(construct: IConstruct, arn: str, reason: str) -> None:
    """Accept that a policy below this construct names this ARN, in which CloudFormation fills in names."""
    _, parts = Stack.of(construct).resolve(arn)["Fn::Join"]
    told = "".join(part if isinstance(part, str) else f"<{part['Ref']}>" for part in parts)
    acknowledge(construct, f"AwsSolutions-IAM5[Resource::{told}]", reason)
