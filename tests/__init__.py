"""The tests. With `--chosen`, functions note their files, so the project is imported in another way from here on."""

import os
import sys

from tests.support.reach import noting

# Test processes learn it from the process that hands out tests.
if "--chosen" in sys.argv:
    os.environ["EDGEWISE_CHOSEN"] = "yes"
    noting.begin()
elif os.environ.pop("EDGEWISE_CHOSEN", ""):
    noting.begin()
