"""What Lambda sends to an on-failure destination: the position of the records, and to S3 also the event."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from delivery.clock import iso_8601
from delivery.records import Record


@dataclass(frozen=True)
class Given:
    """What was given up: records of a shard, the reason, the number of invocations, and whether the last one raised.

    `event` is the event's text, if the destination gets it.
    """

    shard_id: str
    stream_arn: str
    records: Sequence[Record]
    reason: str
    invocations: int
    raised: bool
    event: str | None


def document(given: Given, at: float, number: int, function_arn: str) -> dict[str, Any]:
    """The invocation record for SQS or SNS, and with the event's text for S3."""
    context = {
        "requestContext": {
            "requestId": f"{number:08x}-0000-4000-8000-000000000000",
            "functionArn": function_arn,
            "condition": given.reason,
            "approximateInvokeCount": given.invocations,
        },
        "version": "1.0",
        "timestamp": iso_8601(at, "milliseconds"),
        "DDBStreamBatchInfo": _position(given),
    }
    if given.invocations:
        error = {"functionError": "Unhandled"} if given.raised else {}
        context["responseContext"] = {"statusCode": 200, "executedVersion": "$LATEST", **error}
    return context if given.event is None else context | {"payload": given.event}


def _position(given: Given) -> dict[str, Any]:
    first, last = given.records[0], given.records[-1]
    return {
        "shardId": given.shard_id,
        "startSequenceNumber": str(first.sequence),
        "endSequenceNumber": str(last.sequence),
        "approximateArrivalOfFirstRecord": iso_8601(first.at),
        "approximateArrivalOfLastRecord": iso_8601(last.at),
        "batchSize": len(given.records),
        "streamArn": given.stream_arn,
    }
