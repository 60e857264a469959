"""`make run`: the demo, which shows no traceback when interrupted, even during its imports."""

import os
import sys

if __name__ == "__main__":
    try:
        from local.demo import main  # takes a second

        status = main()
    except KeyboardInterrupt:
        print("interrupted")
        status = 130
    sys.stdout.flush()
    # Not sys.exit, which waits for threads: nobody needs the answers of requests that are under way.
    os._exit(status)
