"""Delivers the streams of a local cloud until it is stopped: `python -m local.stream PORT`."""

import os
import sys
import threading
from datetime import UTC, datetime

from local.stream.outside import world
from local.stream.program import Program
from local.stream.server import Server
from ops.local_cloud import Cloud


def tell(line: str) -> None:
    """Write a line into the log."""
    print(datetime.now(UTC).isoformat(timespec="milliseconds"), line, flush=True)


def main(port: int) -> None:
    """Deliver and answer for ever."""
    cloud, woken = Cloud(port), threading.Event()
    program = Program(world(cloud, woken.set, tell), woken)
    threading.Thread(target=program.run, daemon=True).start()
    # Functions in containers read it too (docs/running-locally.md).
    Server((os.environ.get("EDGEWISE_BIND") or "127.0.0.1", cloud.streams_port), program, cloud.url).serve_forever()


if __name__ == "__main__":
    main(int(sys.argv[1]))
