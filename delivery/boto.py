"""The hook for boto3 and botocore: any DynamoDB client, on AWS, on an emulator or on moto."""

from types import SimpleNamespace
from typing import Any

from delivery.writes import ThrottledError, WriteHook

WRITES = (
    "PutItem",
    "UpdateItem",
    "DeleteItem",
    "BatchWriteItem",
    "TransactWriteItems",
    "ExecuteStatement",
    "BatchExecuteStatement",
    "ExecuteTransaction",
)
_THROTTLED = "ProvisionedThroughputExceededException"
_BEFORE, _AFTER = "before-call.dynamodb.", "needs-retry.dynamodb."


def install(client: Any, hook: WriteHook) -> None:
    """Call the hook around every write of this client (for a resource or table: its `meta.client`)."""

    def before_call(**_: Any) -> Any:
        try:
            hook.before()
        except ThrottledError as error:
            # What botocore has after the last of its own retries.
            refusal = {"Error": {"Code": _THROTTLED, "Message": str(error)}, "ResponseMetadata": {}}
            return SimpleNamespace(status_code=400), refusal
        return None

    def needs_retry(response: Any, **_: Any) -> float | None:
        """Seconds to wait before the request is sent again: botocore handles a lost answer like a bad one."""
        applied = response is not None and response[0].status_code < 300
        return 0.0 if applied and hook.after() else None

    for operation in WRITES:
        client.meta.events.register_first(_BEFORE + operation, before_call, _BEFORE + operation)
        client.meta.events.register_first(_AFTER + operation, needs_retry, _AFTER + operation)


def uninstall(client: Any) -> None:
    """Restore the client."""
    for event in (stage + operation for operation in WRITES for stage in (_BEFORE, _AFTER)):
        client.meta.events.unregister(event, unique_id=event)
