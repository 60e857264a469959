"""The properties that all stacks of a stage share: name, account and region, tags, deletion protection."""

from aws_cdk import Stack
from constructs import Construct

from infra.settings import InfraSettings


class StageStack(Stack):
    """A stack of one stage; `part` is the last part of its name."""

    def __init__(self, scope: Construct, part: str, settings: InfraSettings) -> None:
        super().__init__(
            scope,
            f"{settings.prefix}-{part}",
            env=settings.environment,
            tags=settings.all_tags,
            termination_protection=settings.refuses_deletion,
        )
