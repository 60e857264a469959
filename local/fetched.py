"""What the tools fetch on first use, into a folder that git ignores."""

import tempfile
from collections.abc import Callable
from pathlib import Path


def fetched(ready: Path, fetch: Callable[[Path], Path]) -> Path:
    """The folder `ready`; if it isn't there, `fetch` makes it within a scratch folder and returns where.

    It is moved as a whole, so an interrupted fetch is never taken for a finished one.
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
