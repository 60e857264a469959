"""`python -m local.token USER` prints an access token of a demo user of the running local cloud."""

import sys

from local import cloud, deploy
from local.errors import LocalError
from local.users import DEMO_USERS, token

if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in DEMO_USERS:
        sys.exit(f"usage: python -m local.token {'|'.join(DEMO_USERS)}")
    try:
        running = cloud.default()
        if running.pid() is None:
            sys.exit("the local cloud is not running: make run")
        print(token(running, deploy.outputs(running), sys.argv[1]))
    except LocalError as error:
        sys.exit(str(error))
