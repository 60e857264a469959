"""`make user`: creates a user of a deployed stage, or adds one to more groups."""

import sys

from functions.system import GROUPS
from ops import passwords
from ops.errors import LocalError
from ops.identity import Identity
from ops.stage import Stage


class NoGroupError(LocalError):
    """A group does not exist."""


def groups_of(text: str) -> list[str]:
    """The groups in a comma-separated list; raises NoGroupError."""
    groups = [group for group in text.split(",") if group]
    for group in groups:
        if group not in GROUPS:
            raise NoGroupError(f"GROUPS={text}: expected some of {','.join(GROUPS)}, or nothing for read-only users")
    return groups


def make_user(on: str, name: str, groups: list[str]) -> str:
    """Create the user `name` of a stage, or add it to groups; returns the message to print. Raises LocalError.

    The password comes from the environment, or a new one is generated and stored. A user that was created elsewhere
    keeps its password.
    """
    stage = Stage(on)
    with stage.telling():
        identity = Identity.of_stage(stage)
        password = passwords.given()
        ours = password or passwords.kept_in(on, name).exists() or not identity.knows(name)
        if ours:
            identity.ensure(name, password or passwords.generated(on, name))
        identity.join(name, groups)
    where = f"is stored in {passwords.kept_in(on, name)}" if ours and not password else "is the one you know"
    return f"{name} on {on}: {', '.join(groups) or 'no groups'}; the password {where}"


if __name__ == "__main__":
    if len(sys.argv) != 4 or not all(sys.argv[1:3]):
        sys.exit("usage: make user ON=STAGE NAME=... GROUPS=ingest,write")
    try:
        print(make_user(sys.argv[1], sys.argv[2], groups_of(sys.argv[3])))
    except LocalError as error:
        sys.exit(str(error))
