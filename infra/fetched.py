"""What is downloaded or built once, into a folder that git ignores."""

import tempfile
from collections.abc import Callable
from pathlib import Path


def fetched(ready: Path, fetch: Callable[[Path], Path]) -> Path:
    """The folder `ready`; if it doesn't exist, `fetch` makes it within a scratch folder and returns its path there.

    It is moved in one step, so an interrupted fetch never looks like a finished one.
    """
    if not ready.exists():
        ready.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=ready.parent) as scratch:
            fresh = fetch(Path(scratch))
            try:
                fresh.rename(ready)
            except OSError:
                if not ready.exists():  # else another process has fetched the same meanwhile
                    raise
    return ready
