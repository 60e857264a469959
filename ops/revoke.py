"""`make revoke`: takes a user of a deployed stage out, or out of groups; what its tokens allow ends within a minute."""

import sys

from edgewise.dynamodb.table import Table
from functions import revocations
from ops.errors import LocalError
from ops.identity import Identity
from ops.stage import Stage
from ops.user import groups_of

USAGE = "usage: make revoke ON=STAGE NAME=... [GROUPS=write,admin]"


def revoke(on: str, name: str, groups: list[str]) -> str:
    """Disable the user `name` of a stage, or let it leave groups; returns the message to print. Raises LocalError.

    Cognito first: else the user could get another token after the present ones are taken back.
    """
    stage = Stage(on)
    with stage.telling():
        identity = Identity.of_stage(stage)
        if groups:
            identity.leave(name, groups)
        else:
            identity.disable(name)
        table = stage.outputs("table", "TableName")["TableName"]
        revocations.revoke(Table(table, stage.client("dynamodb")), identity.sub(name))
    done = f"no longer in {', '.join(groups)}" if groups else "disabled"
    return f"{name} on {on}: {done}; every token and socket of before is refused within a minute"


if __name__ == "__main__":
    if len(sys.argv) != 4 or not all(sys.argv[1:3]):
        sys.exit(USAGE)
    try:
        print(revoke(sys.argv[1], sys.argv[2], groups_of(sys.argv[3])))
    except LocalError as error:
        sys.exit(str(error))
