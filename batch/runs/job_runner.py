"""Runs of the batch side on the local cloud: its state machine begins and ends them, and their job is done here.

The emulator has no EMR Serverless, and says only that it has exported a table: both are made up for in this process.
"""

import json
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from batch import exports, job
from batch.folders import Folder
from batch.graph import in_process
from batch.job import Job
from batch.reconcile import Declared
from batch.runs import changes, execution
from batch.runs.execution import Execution, Progress, Tell
from edgewise import clock
from edgewise.times import SECOND, Millis, rfc_3339
from functions.systems.checks import results
from ops import local_cloud
from ops.local_cloud import Cloud, Outputs

# The name of an export, which DynamoDB would choose.
EXPORT = "AWSDynamoDB/local"
ITEMS_A_FILE = 10_000
# How long one look at the queue may wait.
LOOK_SECONDS = 1
# How long a change may be under way.
AFTER_SECONDS = 10
ERROR, CAUSE = "JobFailed", "the job failed on the machine that did it, which tells why"


def run(cloud: Cloud, asked: Mapping[str, str], tell: Tell) -> str:
    """Begin a run, and do its job when it is asked for; returns its name. Raises LocalError, TornExportError."""
    runner = Runner(cloud, local_cloud.outputs(cloud), tell)
    begun = execution.begun(runner.states, runner.outputs["BatchMachineArn"], asked)
    for each in runner.asked(begun):
        runner.answer(each)
    return begun.run


@dataclass(frozen=True)
class Runner:
    """Begins runs, does the job of each, and tells of the states that a run enters."""

    cloud: Cloud
    outputs: Outputs
    tell: Tell

    @property
    def states(self) -> Any:
        """The client of the state machine."""
        return self.cloud.client("stepfunctions")

    def asked(self, begun: Execution) -> Iterator[Mapping[str, Any]]:
        """What the machine asks for until the execution ends."""
        progress = Progress(begun, self.tell)
        while begun.running:
            found = self._messages(begun.arn)
            progress.news()
            yield from found
        progress.news()

    def answer(self, asked: Mapping[str, Any]) -> None:
        """Do a job, and let the machine go on; if the job fails, so does the run."""
        token = {"taskToken": asked["token"]}
        with ExitStack() as stack:
            stack.callback(self.states.send_task_failure, **token, error=ERROR, cause=CAUSE)
            self._do(asked["run"])
            stack.pop_all()
        self.states.send_task_success(**token, output="{}")

    def _do(self, run: Mapping[str, Any]) -> None:
        """Write the exports that the emulator did not, do the job over them, and put all files into the bucket."""
        home = self.cloud.home / "runs"
        shutil.rmtree(home, ignore_errors=True)
        folder = Folder(home)
        (self._fill if run["kind"] == "fill" else self._check)(folder, run)
        self._put(folder, run["run"])

    def _fill(self, folder: Folder, run: Mapping[str, Any]) -> None:
        full = f"{run['full_prefix']}/{EXPORT}"
        self._export(folder, full)
        in_process.run(folder, Job(run["run"], full, None, run["result_prefix"]))

    def _check(self, folder: Folder, run: Mapping[str, Any]) -> None:
        full, increment = (f"{run[prefix]}/{EXPORT}" for prefix in ("full_prefix", "increment_prefix"))
        instant = self._export(folder, full)
        self._export_changes(folder, increment, instant)
        previous = run["previous_prefix"]
        self._get(folder, previous)
        asked = Job(run["run"], full, increment, run["result_prefix"], previous)
        job.run(folder, asked, self.tell, Declared())

    def _export(self, folder: Folder, prefix: str) -> Millis:
        """Export the table; returns the instant when this began, which the export shows or a later one."""
        instant = clock.now() // SECOND * SECOND
        lines = map(exports.full_line, self.cloud.items(self.outputs["TableName"]))
        exports.written(folder.write, prefix, [rfc_3339(instant)], lines, ITEMS_A_FILE)
        return instant

    def _export_changes(self, folder: Folder, prefix: str, instant: Millis) -> None:
        """Export the changes around an instant, to some seconds after the present."""
        self.tell("waiting for what is under way ...")
        time.sleep(AFTER_SECONDS)
        end = clock.now() // SECOND * SECOND + SECOND
        start = instant - (end - instant)
        lines = map(exports.change_line, changes.since(self.cloud, self.outputs["TableName"], start))
        exports.written(folder.write, prefix, [rfc_3339(start), rfc_3339(end)], lines, ITEMS_A_FILE)

    def _get(self, folder: Folder, prefix: str) -> None:
        """Fetch what a run before this one has found; nothing if there is none."""
        bucket, name = self.cloud.client("s3"), self.outputs["RunsBucketName"]
        found = bucket.list_objects_v2(Bucket=name, Prefix=f"{prefix}/").get("Contents", ()) if prefix else ()
        for each in found:
            folder.write(each["Key"], bucket.get_object(Bucket=name, Key=each["Key"])["Body"].read())

    def _put(self, folder: Folder, run: str) -> None:
        bucket, of_run = self.cloud.client("s3"), folder.root / results.folder(run)
        for path in sorted(path for path in of_run.rglob("*") if path.is_file()):
            name = path.relative_to(folder.root).as_posix()
            bucket.put_object(Bucket=self.outputs["RunsBucketName"], Key=name, Body=path.read_bytes())

    def _messages(self, arn: str) -> Sequence[Mapping[str, Any]]:
        """What this execution asks for now. Other executions that are running have runners of their own."""
        queue, client = self.outputs["JobQueueUrl"], self.cloud.client("sqs")
        found = client.receive_message(QueueUrl=queue, WaitTimeSeconds=LOOK_SECONDS).get("Messages", ())
        mine = list[Mapping[str, Any]]()
        for message in found:
            asked, receipt = json.loads(message["Body"]), {"ReceiptHandle": message["ReceiptHandle"]}
            if asked["execution"] == arn:
                mine.append(asked)
            elif Execution(self.states, asked["execution"]).running:
                client.change_message_visibility(QueueUrl=queue, **receipt, VisibilityTimeout=0)
                continue
            client.delete_message(QueueUrl=queue, **receipt)
        return mine
