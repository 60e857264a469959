"""`make deploy` first checks what the account lacks; `make bootstrap` sets what can be set for every stage."""

import sys
from collections.abc import Callable
from dataclasses import replace

from botocore.exceptions import BotoCoreError, ClientError

from infra.bundle import python_version
from infra.preflight import of_python, problems
from infra.settings import InfraSettings
from ops import vaults
from ops.account import account, ensure_log_role, own_client, reading_client
from ops.errors import LocalError
from ops.settings import settings_of


class PreflightError(LocalError):
    """The stage can't be deployed to this account as it is."""


def check(settings: InfraSettings) -> str:
    """What to print before a deployment; raises PreflightError if it must not begin, botocore's errors."""
    client = reading_client(settings)
    there = replace(account(client, settings), without_vaults=vaults.missing(client, settings))
    found = [*of_python(python_version()), *problems(settings, there)]
    told = "\n".join(f"preflight: {each.text}" for each in found)
    if any(each.fatal for each in found):
        raise PreflightError(told)
    return told


def bootstrap(settings: InfraSettings) -> str:
    """Set what every stage of an account needs and no stack owns; returns what to print. Raises botocore's errors."""
    former = ensure_log_role(own_client(settings))
    told = f"API Gateway logs as {former}, as before" if former else "API Gateway has a role to log with"
    regions = vaults.ensure(own_client(settings), settings)
    return f"{told}; copies have the vault {settings.prefix} in {' and '.join(regions)}" if regions else told


COMMANDS: dict[str, Callable[[InfraSettings], str]] = {"check": check, "bootstrap": bootstrap}


def main(command: str, stage: str, like: str) -> str:
    """Run one of the commands; returns what to print. Raises LocalError."""
    settings = settings_of(stage, like)
    try:
        return "" if settings.emulator else COMMANDS[command](settings)
    except (BotoCoreError, ClientError) as error:
        raise PreflightError(
            f"preflight: {error}\nIs the account bootstrapped (make bootstrap STAGE={stage})?"
        ) from error


if __name__ == "__main__":
    try:
        if told := main(*sys.argv[1:]):
            print(told)
    except LocalError as error:
        sys.exit(str(error))
