"""The states that export the table: as it was at the run's instant, and for a check what changed around it."""

from dataclasses import dataclass
from typing import Final

from infra.batch.states import REQUEST_SECONDS, State, States, case, catch, choice, fail, retry

# The lock ends 3 hours after it was taken.
LATE_SECONDS: Final = 150 * 60
# The table's history ends some minutes ago; and only so many exports run at once.
_NOT_YET: Final = ("DynamoDb.InvalidExportTimeException", "DynamoDb.LimitExceededException")
_FULL: Final = {"ExportType": "FULL_EXPORT", "ExportTime": "{% $run.instant %}"}
_CHANGES: Final = {
    "ExportType": "INCREMENTAL_EXPORT",
    "IncrementalExportSpecification": {
        "ExportFromTime": "{% $run.from %}",
        "ExportToTime": "{% $run.to %}",
        "ExportViewType": "NEW_AND_OLD_IMAGES",
    },
}
_ARN: Final = "$states.result.ExportDescription.ExportArn"
_TOLD: Final = "$states.input.ExportDescription"


@dataclass(frozen=True)
class Exports:
    """The table's ARN, the bucket's name, and after how many seconds to look again whether an export is complete.

    `own_key`: the ARN of the key under which exports are stored; None: S3's own.
    """

    table: str
    bucket: str
    poll_seconds: int
    own_key: str | None = None

    def states(self, then: str) -> States:
        """From `Export table` on; sets `exported_bytes`."""
        return {
            "Export table": self._export("full", _FULL, f"[{_ARN}]", "Is it a check?"),
            # What was on its way at the instant is no difference.
            "Is it a check?": choice("$run.kind = 'reconcile'", "Let changes happen", "Exports"),
            "Let changes happen": {"Type": "Wait", "Timestamp": "{% $run.to %}", "Next": "Export changes"},
            "Export changes": self._export("increment", _CHANGES, f"$append($exports, {_ARN})", "Exports"),
            "Exports": {
                "Type": "Map",
                "Items": "{% $exports %}",
                "ItemProcessor": {"StartAt": "Look", "States": self._one()},
                "Assign": {"exported_bytes": "{% $sum($states.result) %}"},
                "Catch": catch("Failed"),
                "Next": then,
            },
        }

    def _export(self, name: str, arguments: State, exports: str, then: str) -> State:
        return {
            "Type": "Task",
            "Resource": "arn:aws:states:::aws-sdk:dynamodb:exportTableToPointInTime",
            "Arguments": {
                "TableArn": self.table,
                "S3Bucket": self.bucket,
                "S3Prefix": f"{{% $run.{name}_prefix %}}",
                **self._encryption(),
                "ExportFormat": "DYNAMODB_JSON",
                # A repetition begins no other export.
                "ClientToken": f"{{% $run.run & '-{name}' %}}",
                **arguments,
            },
            "TimeoutSeconds": REQUEST_SECONDS,
            "Assign": {"exports": f"{{% {exports} %}}"},
            "Retry": [retry(*_NOT_YET, seconds=60, times=20, slower=1)],
            "Catch": catch("Failed"),
            "Next": then,
        }

    def _encryption(self) -> State:
        if self.own_key is None:
            return {"S3SseAlgorithm": "AES256"}
        return {"S3SseAlgorithm": "KMS", "S3SseKmsKeyId": self.own_key}

    def _one(self) -> States:
        """Look at one export until it is complete; the result is its size in bytes."""
        late = f"$millis() - $toMillis($states.context.Execution.StartTime) > {LATE_SECONDS * 1000}"
        again = {"Seconds": self.poll_seconds, "Output": f"{{% {_TOLD}.ExportArn %}}"}
        return {
            "Look": {
                "Type": "Task",
                "Resource": "arn:aws:states:::aws-sdk:dynamodb:describeExport",
                "Arguments": {"ExportArn": "{% $states.input %}"},
                "TimeoutSeconds": REQUEST_SECONDS,
                "Retry": [retry("States.ALL")],
                "Next": "Is it complete?",
            },
            "Is it complete?": {
                "Type": "Choice",
                "Choices": [
                    case(f"{_TOLD}.ExportStatus = 'COMPLETED'", "Complete"),
                    case(f"{_TOLD}.ExportStatus = 'FAILED'", "Export failed"),
                    case(late, "Export late"),
                ],
                "Default": "Look again",
            },
            "Look again": {"Type": "Wait", **again, "Next": "Look"},
            "Complete": {"Type": "Pass", "Output": f"{{% {_TOLD}.BilledSizeBytes %}}", "End": True},
            "Export failed": fail("ExportFailed", f"{{% 'an export failed: ' & {_TOLD}.FailureMessage %}}"),
            "Export late": fail("ExportLate", f"an export was not complete after {LATE_SECONDS} seconds"),
        }
