"""`make deploy` of a stage that gives up push, search or checks: their stacks go first.

A deployment leaves alone a stack that the stage does not have any more. But that one imports what others then no longer
export, which CloudFormation refuses. So the API, which imports of it, is deployed first; then it is deleted.
"""

import subprocess
import sys
from collections.abc import Sequence

from botocore.exceptions import BotoCoreError, ClientError

from infra.preflight import leaving
from infra.settings import InfraSettings
from ops.account import Client, own_client, reading_client, stacks
from ops.emptying import empty_stack
from ops.errors import LocalError
from ops.settings import settings_of


class LeavingError(LocalError):
    """A stack of what the stage gives up could not be deleted; or the API could not be deployed before."""


def leave(settings: InfraSettings, reading: Client, client: Client, deploy: Sequence[str]) -> list[str]:
    """Delete the stacks of what the stage gives up; returns their names. May be repeated.

    `reading`: clients that only read; `client`: those with the rights to delete, which are asked only if something is
    to go. `deploy`: the command that deploys a stack whose name follows. Raises LeavingError, botocore's errors.
    """
    deployed = stacks(reading, settings)
    names = [deployed[part]["StackName"] for part in leaving(settings, deployed)]
    if names and subprocess.run([*deploy, "--exclusively", f"{settings.prefix}-api"]).returncode:
        raise LeavingError(f"the API must be deployed before {', '.join(names)} can go")
    cloudformation = client("cloudformation")
    for name in names:
        # Production keeps the buckets, and protects each stack from being deleted.
        if settings.production:
            cloudformation.update_termination_protection(StackName=name, EnableTerminationProtection=False)
        else:
            empty_stack(name, client)
        cloudformation.delete_stack(StackName=name)
        cloudformation.get_waiter("stack_delete_complete").wait(StackName=name)
    return names


def main(stage: str, like: str, *deploy: str) -> None:
    """Delete them, and say so. Raises LocalError."""
    settings = settings_of(stage, like)
    try:
        for name in leave(settings, reading_client(settings), own_client(settings), deploy):
            print(f"deleted {name}")
    except (BotoCoreError, ClientError) as error:
        raise LeavingError(f"STAGE={stage}: {error}") from error


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except LocalError as error:
        sys.exit(str(error))
