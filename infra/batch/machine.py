"""The state machine of a run: exports of the table, a job over them, and then what the job has found is written.

The variable `run` holds what the function answers when it begins the run (functions/handlers/batch_run.py): its name,
its kind, its instants, its prefixes in the bucket. Whatever fails later ends in `Failed`, which gives the lock back.
"""

from dataclasses import dataclass
from typing import Any, Final

from infra.batch.exports import Exports
from infra.batch.lag import Lag
from infra.batch.sizing import Sizing
from infra.batch.states import REQUEST_SECONDS, Function, State, States, catch, choice, fail, retry

# The lock ends 3 hours after it was renewed.
JOB_SECONDS: Final = 120 * 60
# Step Functions stops waiting a little later.
JOB_MINUTES: Final = JOB_SECONDS // 60 - 5
# The whole run. Its end can't be caught, so every part of it ends earlier.
RUN_SECONDS: Final = 10 * 3600
# How many files of summaries are published at once.
PUBLISHERS: Final = 4
# What comes after the job.
AFTER: Final = "What is written?"
_RUN: Final = "{% $run.run %}"


@dataclass(frozen=True)
class Machine:
    """What a run needs: functions that begin and end it, verify, repair with a file of its plan, publish another file.

    `job`: its states, of which the first is `Job`, and the last one has no `Next`. `sizing`: None: no job is sized.

    The job sets `billed`: what the report is told of what it cost.
    """

    function: Function
    verify: Function
    repair: Function
    publish: Function
    exports: Exports
    lag: Lag
    job: States
    sizing: Sizing | None

    def definition(self) -> dict[str, Any]:
        """The machine in Amazon States Language."""
        return {
            "Comment": "Checks the table's aggregates, or computes what its graph says, from exports of the table",
            "QueryLanguage": "JSONata",
            "TimeoutSeconds": RUN_SECONDS,
            "StartAt": "Begin",
            "States": {
                **self._begun("Export table"),
                **self.exports.states("Renew for job"),
                "Renew for job": self._renew("Job"),
                **{name: {"Catch": catch("Failed"), "Next": AFTER, **job} for name, job in self.job.items()},
                AFTER: self._written(),
                **self.lag.states(self._verify("Is a plan asked for?"), "Renew to repair", "Report"),
                "Renew to repair": self._renew("List plan"),
                **self._repaired("Report"),
                "Renew to publish": self._renew("List summaries"),
                **self._published("Report"),
                **self._ended(),
            },
        }

    def _begun(self, then: str) -> States:
        if not self.sizing:
            return {"Begin": self._begin(then)}
        return {"Begin": self._begin("How large?"), **self.sizing.states(then)}

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

    def _renew(self, then: str) -> State:
        return self._caught(self.function.call({"do": "renew", "run": _RUN}, then))

    def _written(self) -> State:
        """A fill's summaries, or what a check's plan says, after what could not be compared was verified directly."""
        return choice("$run.kind = 'fill'", "Renew to publish", "How far behind?")

    def _verify(self, then: str) -> State:
        """It may be repeated: it writes the same file."""
        return {**self._caught(self.verify.call({"run": _RUN}, then)), "Retry": [retry("States.ALL", times=3)]}

    def _repaired(self, then: str) -> States:
        """Apply the plan in order while the run still has the lock: what feeds others comes after these."""
        apply = self.repair.call({"run": _RUN, "part": "{% $states.input %}"}, None)
        # It may be repeated: what has been added is not added again.
        again = {**apply, "Retry": [retry("States.ALL", times=3)]}
        return self._for_each("$apply & '/part-'", ("List plan", "Repair", "Apply"), again, 1, then)

    def _published(self, then: str) -> States:
        """Store the summaries of nodes beside the current ones, then let readers see all of them."""
        put = self.publish.call({"do": "publish", "run": _RUN, "part": "{% $states.input %}"}, None)
        again = {**put, "Retry": [retry("OutOfTimeError", times=10, slower=1), retry("States.ALL", times=3)]}
        names = ("List summaries", "Publish", "Put")
        complete = self.publish.call({"do": "complete", "run": _RUN}, then)
        return {
            **self._for_each("'nodes/part-'", names, again, PUBLISHERS, "Complete"),
            "Complete": self._caught({**complete, "Retry": [retry("ConcurrentChangeError"), *complete["Retry"]]}),
        }

    def _for_each(self, files: str, names: tuple[str, str, str], state: State, at_once: int, then: str) -> States:
        """List some files of the results, and enter a state for each; `names`: of the list, of all, of each."""
        lists, every, each = names
        # One list has 1,000 names, each of a file with 1,000 lines.
        whole = "$assert($string($states.result.IsTruncated) != 'true', 'there are more files than one list names')"
        prefix = f"{{% $run.result_prefix & '/' & {files} %}}"
        return {
            lists: {
                "Type": "Task",
                "Resource": "arn:aws:states:::aws-sdk:s3:listObjectsV2",
                "Arguments": {"Bucket": self.exports.bucket, "Prefix": prefix},
                "TimeoutSeconds": REQUEST_SECONDS,
                "Assign": {"files": f"{{% ({whole}; [$states.result.Contents.Key]) %}}"},
                "Retry": [retry("States.ALL")],
                "Catch": catch("Failed"),
                "Next": every,
            },
            every: {
                "Type": "Map",
                "Items": "{% $files %}",
                "MaxConcurrency": at_once,
                "ItemProcessor": {"StartAt": each, "States": {each: state}},
                # The answers of all files may be too much for a state.
                "Output": {},
                "Catch": catch("Failed"),
                "Next": then,
            },
        }

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
