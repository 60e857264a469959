"""Starts a run in memory (functions/replay/), in a process of its own.

There, time and chance are the run's own, nobody hears of its metrics, and no credentials are at hand: so a run can
touch no table, and nothing of it is left.
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Final

from edgewise.observability import logger
from functions.errors import RunUnavailableError
from functions.settings import HTTP_TIMEOUT_SECONDS

MODULE: Final = "functions.replay"
# Within what a request may take.
PATIENCE_SECONDS: Final = HTTP_TIMEOUT_SECONDS - 1
# What Python itself needs to start.
_KEPT: Final = ("LD_LIBRARY_PATH", "PATH", "PYTHONDONTWRITEBYTECODE", "SYSTEMROOT")


def run(seed: int, script: str) -> str:
    """The answer to a valid seed and script, as JSON; raises RunUnavailableError if it takes too long."""
    command = [sys.executable, "-m", MODULE, str(seed), script]
    try:
        ended = subprocess.run(  # noqa: S603 -- both were validated, and no shell reads them
            command, env=environment(), capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True
        )
    except subprocess.TimeoutExpired as error:
        raise RunUnavailableError(HTTP_TIMEOUT_SECONDS) from error
    except subprocess.CalledProcessError as error:
        logger.error("run failed", seed=seed, script=script, said=error.stderr[-2000:])
        raise
    return ended.stdout


def environment() -> Mapping[str, str]:
    """What the process of a run knows: no credentials, and no table."""
    own = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return own | {
        "PYTHONPATH": os.pathsep.join(sys.path),
        "PYTHONHASHSEED": "0",
        "POWERTOOLS_LOG_LEVEL": "CRITICAL",
        "POWERTOOLS_METRICS_NAMESPACE": "Simulated",
        "POWERTOOLS_SERVICE_NAME": "simulated",
    }
