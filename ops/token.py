"""`make token`, or `python -m ops.token [STAGE] USER`, prints an access token of a user of a deployed stage."""

import sys

from ops import passwords
from ops.errors import LocalError
from ops.identity import Identity
from ops.stage import Stage


def token(on: str, name: str) -> str:
    """An access token of a user, valid for a quarter of an hour; raises LocalError."""
    stage = Stage(on)
    with stage.telling():
        identity = Identity.of_stage(stage)
        return identity.token(name, passwords.known(on, name))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or not all(sys.argv[1:]):
        sys.exit("usage: make token ON=STAGE NAME=...")
    try:
        print(token(*(sys.argv[1:] if len(sys.argv) == 3 else ["local", sys.argv[1]])))
    except LocalError as error:
        sys.exit(str(error))
