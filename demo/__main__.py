"""`make run`: the demo. An interrupt shows no traceback, not even during the imports."""

import os
import sys

from demo import interrupts

if __name__ == "__main__":
    interrupts.insist()
    try:
        from demo.program import main  # takes a second

        status = main()
    except KeyboardInterrupt:
        interrupts.heard()
        print("interrupted")
        status = 130
    sys.stdout.flush()
    # Not sys.exit, which would wait for threads: the answers of requests under way are no longer needed.
    os._exit(status)
