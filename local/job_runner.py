"""Runs of the batch side on the local cloud: its state machine begins and ends them, and their job is done here.

The emulator has no EMR Serverless, and says only that it has exported a table: both are made up for in this process.
"""

import json
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from batch import exports, job
from batch.folders import Folder
from batch.graph import in_process
from batch.job import Job
from batch.reconcile import Check, Declared, Tell
from functions import clock
from functions.systems.checks import results
from functions.times import SECOND, Millis, rfc_3339
from local import changes, deploy
from local.cloud import Cloud
from local.deploy import Outputs
from local.errors import LocalError
from local.stored import items

Done = TypeVar("Done")
# The name of an export, which DynamoDB would choose.
EXPORT = "AWSDynamoDB/local"
ITEMS_A_FILE = 10_000
# How long one look at the queue may wait.
LOOK_SECONDS = 1
# How long a change may be under way.
AFTER_SECONDS = 10
ERROR, CAUSE = "JobFailed", "the job failed on the machine that did it, which tells why"


class RunFailedError(LocalError):
    """A run failed, or could not begin; the message says why."""


def reconcile(cloud: Cloud, apply: str, tell: Tell) -> tuple[str, Check]:
    """Check the table; returns the run's name and what it found. Raises LocalError, TornExportError.

    `apply`: which of the plans is applied, `plan` or `backfill`; empty: none.
    """
    runner = Runner(cloud, deploy.outputs(cloud), tell)
    execution = runner.begin({"kind": "reconcile", "apply": apply})
    done = [(asked["run"]["run"], runner.answered(asked, runner.checked)) for asked in runner.asked(execution)]
    runner.end(execution)
    return done[-1]


def fill(cloud: Cloud, tell: Tell) -> Mapping[str, Any]:
    """Compute what the graph says of its nodes, and publish it; returns the summary. Raises what `reconcile` raises."""
    runner = Runner(cloud, deploy.outputs(cloud), tell)
    execution = runner.begin({"kind": "fill"})
    done = [runner.answered(asked, runner.filled) for asked in runner.asked(execution)]
    runner.end(execution)
    return done[-1]


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

    def begin(self, asked: Mapping[str, str]) -> str:
        """Begin a run; returns the name of its execution."""
        machine, told = self.outputs["BatchMachineArn"], json.dumps(asked)
        return str(self.states.start_execution(stateMachineArn=machine, input=told)["executionArn"])

    def asked(self, execution: str) -> Iterator[Mapping[str, Any]]:
        """What the machine asks for until the execution ends."""
        seen = 0
        while self._state(execution)["status"] == "RUNNING":
            found = self._messages(execution)
            seen = self._tell_of_states(execution, seen)
            yield from found
        self._tell_of_states(execution, seen)

    def answered(self, asked: Mapping[str, Any], done: Callable[[Mapping[str, Any]], Done]) -> Done:
        """Do a job, and let the machine go on; if the job fails, so does the run."""
        token = {"taskToken": asked["token"]}
        with ExitStack() as stack:
            stack.callback(self.states.send_task_failure, **token, error=ERROR, cause=CAUSE)
            found = done(asked["run"])
            stack.pop_all()
        self.states.send_task_success(**token, output="{}")
        return found

    def end(self, execution: str) -> None:
        """Raise RunFailedError unless the execution has ended well."""
        state = self._state(execution)
        if state["status"] != "SUCCEEDED":
            raise RunFailedError(f"the run failed: {_said(state.get('cause', state['status']))}")

    def filled(self, run: Mapping[str, Any]) -> Mapping[str, Any]:
        """Write the export that the emulator did not, fill in the summaries, and put all files into the bucket."""
        folder, full = self._folder(), f"{run['full_prefix']}/{EXPORT}"
        self._export(folder, full)
        summary = in_process.run(folder, Job(run["run"], full, None, run["result_prefix"]))
        self._put(folder, run["run"])
        return summary

    def _folder(self) -> Folder:
        home = self.cloud.home / "runs"
        shutil.rmtree(home, ignore_errors=True)
        return Folder(home)

    def checked(self, run: Mapping[str, Any]) -> Check:
        """Write the exports that the emulator did not, reconcile them, and put all files into the bucket."""
        folder = self._folder()
        full, increment = (f"{run[prefix]}/{EXPORT}" for prefix in ("full_prefix", "increment_prefix"))
        instant = self._export(folder, full)
        self._export_changes(folder, increment, instant)
        previous = run["previous_prefix"]
        self._get(folder, previous)
        asked = Job(run["run"], full, increment, run["result_prefix"], previous)
        check, _ = job.run(folder, asked, self.tell, Declared())
        self._put(folder, run["run"])
        return check

    def _export(self, folder: Folder, prefix: str) -> Millis:
        """Export the table; returns the instant when this began, which the export shows or a later one."""
        instant = clock.now() // SECOND * SECOND
        lines = map(exports.full_line, items(self.cloud, self.outputs["TableName"]))
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

    def _messages(self, execution: str) -> Sequence[Mapping[str, Any]]:
        """What this execution asks for now. Other executions that are running have runners of their own."""
        queue, client = self.outputs["JobQueueUrl"], self.cloud.client("sqs")
        found = client.receive_message(QueueUrl=queue, WaitTimeSeconds=LOOK_SECONDS).get("Messages", ())
        mine = list[Mapping[str, Any]]()
        for message in found:
            asked, receipt = json.loads(message["Body"]), {"ReceiptHandle": message["ReceiptHandle"]}
            if asked["execution"] == execution:
                mine.append(asked)
            elif self._state(asked["execution"])["status"] == "RUNNING":
                client.change_message_visibility(QueueUrl=queue, **receipt, VisibilityTimeout=0)
                continue
            client.delete_message(QueueUrl=queue, **receipt)
        return mine

    def _state(self, execution: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.states.describe_execution(executionArn=execution)
        return found

    def _tell_of_states(self, execution: str, seen: int) -> int:
        """Tell of the states that were entered after the first `seen` events; returns how many events there are."""
        events = self.states.get_execution_history(executionArn=execution, maxResults=1000)["events"]
        for event in events[seen:]:
            if entered := event.get("stateEnteredEventDetails"):
                self.tell(f"{entered['name']} ...")
        return len(events)


def _said(cause: str) -> str:
    """What a function raised, or the cause as it is."""
    with suppress(ValueError, TypeError, KeyError):
        return str(json.loads(cause)["errorMessage"])
    return cause
