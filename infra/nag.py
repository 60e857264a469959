"""Acknowledges findings of cdk-nag: next to the resource, with the reason for the exception."""

from aws_cdk import Acknowledgment, Validations
from constructs import IConstruct


def acknowledge(construct: IConstruct, rule: str, reason: str) -> None:
    """Accept a finding (`rule` as the report prints it, with its detail in brackets) below this construct."""
    Validations.of(construct).acknowledge(Acknowledgment(id=rule, reason=reason))
