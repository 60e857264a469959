"""A table's time to live: the emulator's leaves no record of what it removes, and is off for tables of templates."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError

from delivery.records import TIME_TO_LIVE
from local.stream.tail import Form

# At most so many items in one pass, so that nobody waits for it.
MOST = 100
# What was to expire longer ago than that stays, as on AWS.
YEARS = 5 * 365 * 24 * 3600
_REFUSED = "ConditionalCheckFailedException"
Item = Mapping[str, Any]


class Expiry:
    """Removes items when their time is over, and tells which removals it made.

    It knows of the items by their records, so whoever takes these must give it each of them, in order.
    """

    def __init__(self, dynamodb: Any, table: str, attribute: str) -> None:
        self._dynamodb, self._table, self._attribute = dynamodb, table, attribute
        self._ends: dict[str, tuple[int, Item]] = {}
        self._removed = Counter[tuple[str, int]]()

    def noted(self, form: Form) -> Form:
        """A record, with the service's identity if the item has expired."""
        change = form["dynamodb"]
        key = json.dumps(change["Keys"], default=repr)
        if form["eventName"] != "REMOVE":
            ends = self._end(change.get("NewImage", {}))
            self._ends.pop(key, None)
            if ends is not None:
                self._ends[key] = ends, change["Keys"]
            return form
        self._ends.pop(key, None)
        ends = self._end(change.get("OldImage", {}))
        if ends is None or not self._removed[key, ends]:
            return form
        self._removed[key, ends] -= 1
        return {**form, "userIdentity": TIME_TO_LIVE}

    def expire(self, now: float) -> None:
        """Remove what is over at an instant in epoch seconds; raises ClientError."""
        over = [key for key, (ends, _) in self._ends.items() if now - YEARS < ends <= now]
        for key in over[:MOST]:
            ends, item = self._ends.pop(key)
            if self._remove(item, ends):
                self._removed[key, ends] += 1

    def _remove(self, key: Item, ends: int) -> bool:
        """Remove an item, unless it ends at another time by now; whether it was removed."""
        condition = {
            "ConditionExpression": "#ends = :ends",
            "ExpressionAttributeNames": {"#ends": self._attribute},
            "ExpressionAttributeValues": {":ends": {"N": str(ends)}},
        }
        try:
            self._dynamodb.delete_item(TableName=self._table, Key=key, **condition)
        except ClientError as error:
            if error.response["Error"]["Code"] != _REFUSED:
                raise
            return False
        return True

    def _end(self, image: Item) -> int | None:
        """When an item ends; None: never. AWS takes whole numbers of seconds only."""
        text = image.get(self._attribute, {}).get("N", "")
        return int(text) if text.isdecimal() else None
