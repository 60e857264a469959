"""The terminal of commands that print tables."""

import sys

from rich.console import Console

WIDTH_OF_FILES = 160  # rich takes 80 columns if the output is not a terminal


def console() -> Console:
    """What prints on the present output, whatever that is later."""
    return Console(file=sys.stdout, width=None if sys.stdout.isatty() else WIDTH_OF_FILES)
