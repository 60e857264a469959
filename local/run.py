"""`make run`: the demo, from its first import on without a traceback for whoever interrupts it."""

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
    # Not sys.exit, which waits for threads: requests that are under way have nobody to answer any more.
    os._exit(status)
