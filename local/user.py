"""`make user`: makes a user of a deployed stage, or puts one into more groups."""

import sys

from functions.system import GROUPS
from local import passwords
from local.errors import LocalError
from local.identity import Identity
from local.stage import Stage


class NoGroupError(LocalError):
    """There is no such group."""


def groups_of(text: str) -> list[str]:
    """Groups as the command line gives them, joined by commas; raises NoGroupError."""
    groups = [group for group in text.split(",") if group]
    for group in groups:
        if group not in GROUPS:
            raise NoGroupError(f"GROUPS={text}: expected some of {','.join(GROUPS)}, or none for who only reads")
    return groups


def make_user(on: str, name: str, groups: list[str]) -> str:
    """Make the user `name` of a stage, or put it into groups; what to tell of it. Raises LocalError.

    The password is the environment's, or a new one that is kept. Made by somebody else, a user keeps the one it has.
    """
    stage = Stage(on)
    with stage.telling():
        identity = Identity.of_stage(stage)
        password = passwords.given()
        ours = password or passwords.kept_in(on, name).exists() or not identity.knows(name)
        if ours:
            identity.ensure(name, password or passwords.generated(on, name))
        identity.join(name, groups)
    where = f"is kept in {passwords.kept_in(on, name)}" if ours and not password else "is the one you know"
    return f"{name} on {on}: {', '.join(groups) or 'no groups'}; the password {where}"


if __name__ == "__main__":
    if len(sys.argv) != 4 or not all(sys.argv[1:3]):
        sys.exit("usage: make user ON=STAGE NAME=... GROUPS=ingest,write")
    try:
        print(make_user(sys.argv[1], sys.argv[2], groups_of(sys.argv[3])))
    except LocalError as error:
        sys.exit(str(error))
