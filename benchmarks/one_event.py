"""One event handled by the consumer in a process of its own, as on Lambda: the time and the peak memory.

    python -m benchmarks.one_event FILE SECONDS

Prints JSON as its last line. A batch that is unfinished at the function's timeout is delivered again.
"""

import json
import resource
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.engine import Context
from edgewise.stream.writer import UnfinishedError
from functions.handlers import edge_aggregator

_STATUS = Path("/proc/self/status")


@dataclass(frozen=True)
class Clock(Context):
    """An invocation that began now and may take `seconds`."""

    seconds: float = 0
    began: float = field(default_factory=time.monotonic)

    def get_remaining_time_in_millis(self) -> int:
        """The rest of its time."""
        return int((self.began + self.seconds - time.monotonic()) * 1000)


def main(file: str, seconds: float) -> None:
    """Handle the event in a file until it is finished, and print what that took."""
    idle, longest, invocations = _peak(), 0.0, 0
    event, finished = json.loads(Path(file).read_text()), False
    while not finished:
        began = time.monotonic()
        finished = _finished(event, seconds)
        longest, invocations = max(longest, time.monotonic() - began), invocations + 1
    cpu = time.process_time()
    print(json.dumps({"idle": idle, "peak": _peak(), "longest": longest, "invocations": invocations, "cpu": cpu}))


def _finished(event: dict[str, Any], seconds: float) -> bool:
    context: Any = Clock(seconds=seconds)
    try:
        edge_aggregator.handler(event, context)
    except UnfinishedError:
        return False
    return True


def _peak() -> int:
    """Bytes. On Linux, getrusage starts from the parent process's memory, so there /proc is read instead."""
    if not _STATUS.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    (line,) = (line for line in _STATUS.read_text().splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
