"""A run on a stage in AWS: begun with the user's credentials, and followed until it ends."""

import time
from collections.abc import Mapping

from botocore.config import Config

from batch.runs import execution
from batch.runs.execution import Execution, Progress, Tell
from ops.errors import LocalError
from ops.stage import Stage, StageError

MACHINE, BUCKET = "BatchMachineArn", "RunsBucketName"
NO_BATCH = (
    "nothing that checks the table is deployed in this account and region: "
    "a stage needs a table [batch] in its file (docs/deploying.md, Settings of a stage)"
)
LOOK_SECONDS = 5
# Looks may be repeated, so a connection that breaks for a moment ends nothing.
LOOKING = Config(retries={"mode": "standard", "total_max_attempts": 10})


class LeftError(LocalError):
    """Nobody follows a run any more, but it goes on."""


def outputs(stage: Stage) -> Mapping[str, str]:
    """The outputs of the stage's batch side; raises StageError if it has none."""
    with stage.telling():
        found = stage.optional("batch", MACHINE, BUCKET)
    if found is None:
        raise StageError(f"ON={stage.name}: {NO_BATCH}")
    return found


def run(stage: Stage, asked: Mapping[str, str], tell: Tell) -> str:
    """Begin a run, and follow it to its end; returns its name. Raises StageError, RunFailedError, LeftError."""
    machine = outputs(stage)[MACHINE]
    with stage.telling():
        begun = execution.begun(stage.client("stepfunctions"), machine, asked)
    tell(f"{begun.arn.rpartition(':')[2]} began; Ctrl-C stops following it, not the run itself")
    try:
        with stage.telling():
            return _followed(Execution(stage.client("stepfunctions", LOOKING), begun.arn), tell)
    except (KeyboardInterrupt, StageError) as error:
        why = f"{error}\n" if str(error) else ""
        raise LeftError(f"{why}not followed any more, but the run goes on: GET /checks tells how it ends") from error


def _followed(begun: Execution, tell: Tell) -> str:
    progress = Progress(begun, tell)
    while begun.running:
        progress.news()
        time.sleep(LOOK_SECONDS)
    progress.news()
    return begun.run
