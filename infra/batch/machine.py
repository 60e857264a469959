"""The state machine of a run: exports of the table, a job over them, and then what the job has found is written.

The variable `run` holds what the function answers when it begins the run (functions/handlers/batch_run.py): its name,
its kind, its instants, its prefixes in the bucket. Whatever fails later ends in `Failed`, which gives the lock back.
"""

from dataclasses import dataclass
from typing import Any, Final

from infra.batch.exports import Exports
from infra.batch.states import REQUEST_SECONDS, Function, State, States, catch, choice, fail, retry

# The lock ends 3 hours after it was renewed.
JOB_SECONDS: Final = 120 * 60
# The whole run. Its end can't be caught, so every part of it ends earlier.
RUN_SECONDS: Final = 10 * 3600
_RUN: Final = "{% $run.run %}"


@dataclass(frozen=True)
class Machine:
    """What a run needs: the function that begins and ends it, and the one that applies a file of its plan.

    `job`: its states, of which the first is `Job`, and the last one has no `Next`.

    The job sets `billed`: what the report is told of what it cost.
    """

    function: Function
    repair: Function
    exports: Exports
    job: States

    def definition(self) -> dict[str, Any]:
        """The machine in Amazon States Language."""
        return {
            "Comment": "Checks the table's aggregates, or computes what its graph says, from exports of the table",
            "QueryLanguage": "JSONata",
            "TimeoutSeconds": RUN_SECONDS,
            "StartAt": "Begin",
            "States": {
                "Begin": self._begin("Export table"),
                **self.exports.states("Renew for job"),
                "Renew for job": self._renew("Job"),
                **{
                    name: {"Catch": catch("Failed"), "Next": "Is it a repair?", **job} for name, job in self.job.items()
                },
                "Is it a repair?": choice("$apply != ''", "Renew to repair", "Report"),
                "Renew to repair": self._renew("List plan"),
                **self._repaired("Report"),
                **self._ended(),
            },
        }

    def _begin(self, then: str) -> State:
        told = {"kind": "{% $states.input.kind %}", "execution": "{% $states.context.Execution.Name %}"}
        begin = self.function.call({"do": "begin", **told}, then)
        return {
            **begin,
            "Assign": {"run": "{% $states.result.Payload %}", "apply": "{% $states.input.apply & '' %}"},
            # A run is named after its second.
            "Retry": [retry("ConcurrentChangeError"), *begin["Retry"]],
            # Another run has the lock: this one has nothing to give back.
            "Catch": catch("Fail"),
        }

    def _worked(self, then: str) -> States:
        return {name: {"Catch": catch("Failed"), "Next": then, **state} for name, state in self.job.items()}

    def _renew(self, then: str) -> State:
        return self._caught(self.function.call({"do": "renew", "run": _RUN}, then))

    def _repaired(self, then: str) -> States:
        """Apply the plan, file by file, while the run still has the lock."""
        # One list has 1,000 names, each of a file with 1,000 aggregates.
        prefix = "{% $run.result_prefix & '/' & $apply & '/part-' %}"
        whole = "$assert($string($states.result.IsTruncated) != 'true', 'there are more files than one list names')"
        return {
            "List plan": {
                "Type": "Task",
                "Resource": "arn:aws:states:::aws-sdk:s3:listObjectsV2",
                "Arguments": {"Bucket": self.exports.bucket, "Prefix": prefix},
                "TimeoutSeconds": REQUEST_SECONDS,
                "Assign": {"plan": f"{{% ({whole}; [$states.result.Contents.Key]) %}}"},
                "Retry": [retry("States.ALL")],
                "Catch": catch("Failed"),
                "Next": "Repair",
            },
            "Repair": {
                "Type": "Map",
                "Items": "{% $plan %}",
                # What is below is repaired before what it feeds: the files are in this order.
                "MaxConcurrency": 1,
                "ItemProcessor": {"StartAt": "Apply", "States": {"Apply": self._apply()}},
                # The answers of all files may be too much for a state.
                "Output": {},
                "Catch": catch("Failed"),
                "Next": then,
            },
        }

    def _apply(self) -> State:
        """It may be repeated: what has been added is not added again."""
        apply = self.repair.call({"run": _RUN, "part": "{% $states.input %}"}, None)
        return {**apply, "Retry": [retry("States.ALL", times=3)]}

    def _ended(self) -> States:
        report = "{% $merge([{'do': 'report', 'run': $run.run}, $billed]) %}"
        error = "{% $substring($error.Error & ': ' & $error.Cause, 0, 1000) %}"
        failed = self.function.call({"do": "failed", "run": _RUN, "error": error}, "Fail")
        return {
            "Report": {**self._caught(self.function.call(report, None)), "Output": "{% $states.result.Payload %}"},
            "Failed": {**failed, "Retry": [retry("States.ALL")]},
            "Fail": fail("{% $error.Error %}", "{% $error.Cause & '' %}"),
        }

    def _caught(self, state: State) -> State:
        return {**state, "Catch": catch("Failed")}
