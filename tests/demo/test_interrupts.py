"""An interrupt that comes while Python runs what may not fail is raised again."""

import subprocess
import sys

PROGRAM = """
import os, signal, time
from demo import interrupts
interrupts.insist()

class Dropped:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)

try:
    Dropped()
    print("goes on", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    interrupts.heard()
    os.kill(os.getpid(), signal.SIGINT)
    print("heard")
"""


def test_one_that_a_destructor_drops_comes_again_and_then_no_more() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert done.stdout == "goes on\nheard\n", done.stderr
    assert "ignored" in done.stderr, "the first one is dropped"
