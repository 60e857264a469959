"""Passes alerts on to a topic, where the stage's queues and functions subscribe."""

import json
from collections.abc import Sequence
from typing import Any

from edgewise import aws
from edgewise.alerting import Crossing
from edgewise.dynamodb.table import CONFIG
from edgewise.errors import PassingError

# SNS takes no more in one request.
_AT_ONCE = 10


class NotToldError(PassingError):
    """The topic did not take some of the alerts."""


class AlertTopic:
    """A FIFO topic: it tells of each aggregate in order, and drops what comes again within five minutes."""

    def __init__(self, arn: str) -> None:
        self._arn = arn
        self._client = aws.client("sns", CONFIG)

    def publish(self, found: Sequence[Crossing]) -> None:
        """Tell of all of these; raises NotToldError if the topic leaves some."""
        for start in range(0, len(found), _AT_ONCE):
            entries = [_message(number, each) for number, each in enumerate(found[start : start + _AT_ONCE])]
            answer = self._client.publish_batch(TopicArn=self._arn, PublishBatchRequestEntries=entries)
            if left := answer.get("Failed"):
                raise NotToldError(f"the topic did not take {len(left)} alerts: {left[0].get('Code')}")


def _message(number: int, of: Crossing) -> dict[str, Any]:
    told = of.plain
    chosen = {name: {"DataType": "String", "StringValue": told[name]} for name in ("alert", "change", "kind")}
    return {
        "Id": str(number),
        "Message": json.dumps(told),
        "MessageGroupId": of.of,
        "MessageDeduplicationId": told["id"],
        "MessageAttributes": chosen,
    }
