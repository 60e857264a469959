"""The states between the job and what is written: how far the stream's consumer is behind, and what that permits.

While it is behind, what looks wrong may be under way: nothing is repaired then, and nothing verified directly.
"""

from dataclasses import dataclass
from typing import Final

from infra.batch.states import REQUEST_SECONDS, State, States, case, catch, choice, retry

# As late as the consumer can be, in milliseconds. Heartbeats come through the stream in every minute: if the metric has
# nothing, nobody reads the stream. The emulator has no such metric.
AS_LATE_AS_CAN_BE: Final = 24 * 3600 * 1000
# The metric's period, and for how long it tells of the present: it comes a few minutes late.
PERIOD_SECONDS: Final = 60
PRESENT_SECONDS: Final = 10 * 60
_AGES: Final = "$states.result.Datapoints"
_PRESENT: Final = f"{_AGES}[$toMillis(Timestamp) >= $millis() - {1000 * PRESENT_SECONDS}]"


@dataclass(frozen=True)
class Lag:
    """The consumer, by the name of its function, and by how many seconds it may be behind.

    `verify_seconds`: now, for a direct verification; `repair_seconds`: since the run's instant, for a repair.
    `measured`: whether the stage tells at all.
    """

    consumer: str
    verify_seconds: int
    repair_seconds: int
    measured: bool

    def states(self, verify: State, repair: str, report: str) -> States:
        """From `How far behind?` on; `verify` verifies directly, `repair` and `report` are the states that follow."""
        too_late = f"$apply != '' and $max([$lag, $lag_now]) > {1000 * self.repair_seconds}"
        late = f"$lag_now > {1000 * self.verify_seconds}"
        behind = [case(too_late, "Behind"), case(late, "Is a plan asked for?")]
        return {
            "How far behind?": self._look("Is that too far?"),
            "Is that too far?": {"Type": "Choice", "Choices": behind, "Default": "Verify"},
            "Verify": verify,
            "Is a plan asked for?": choice("$apply != ''", repair, report),
            "Behind": {"Type": "Pass", "Assign": {"error": self._error()}, "Next": "Failed"},
        }

    def _look(self, then: str) -> State:
        return {
            "Type": "Task",
            "Resource": "arn:aws:states:::aws-sdk:cloudwatch:getMetricStatistics",
            "Arguments": {
                "Namespace": "AWS/Lambda",
                "MetricName": "IteratorAge",
                "Dimensions": [{"Name": "FunctionName", "Value": self.consumer}],
                "StartTime": "{% $run.instant %}",
                "EndTime": "{% $now() %}",
                "Period": PERIOD_SECONDS,
                "Statistics": ["Maximum"],
            },
            "TimeoutSeconds": REQUEST_SECONDS,
            "Assign": {"lag": self._most(_AGES), "lag_now": self._most(_PRESENT)},
            "Retry": [retry("States.ALL")],
            "Catch": catch("Failed"),
            "Next": then,
        }

    def _error(self) -> State:
        seconds = "$round($max([$lag, $lag_now]) / 1000)"
        cause = f"'nothing is repaired: the consumer was behind by ' & {seconds} & ' seconds, or reads nothing'"
        return {"Error": "ConsumerBehind", "Cause": f"{{% {cause} %}}"}

    def _most(self, ages: str) -> str:
        """The greatest of these figures."""
        without = AS_LATE_AS_CAN_BE if self.measured else 0
        return f"{{% $max($append($count({ages}) > 0 ? 0 : {without}, {ages}.Maximum)) %}}"
