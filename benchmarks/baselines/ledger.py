"""One transaction per record: a ledger item, on the condition that it does not exist, and an `ADD` for each aggregate.

Exact as long as the ledger keeps its items, at two units per item of the transaction.
"""

from collections.abc import Mapping
from typing import Any

from benchmarks.baselines.add import Handler
from benchmarks.baselines.increments import Increments, addition
from edgewise.dynamodb.attributes import key_item, s
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import Table
from edgewise.dynamodb.writes import Condition, Put

_REFUSED = "ConditionalCheckFailed"


def handler(table: Table, increments: Increments) -> Handler:
    """A batch handler."""

    def handle(event: Mapping[str, Any]) -> Mapping[str, Any]:
        for record in event["Records"]:
            _count(table, record, increments)
        return {}

    return handle


def _count(table: Table, record: Any, increments: Increments) -> None:
    entry = Put(key_item(Key(f"LEDGER#{record['eventID']}", "SEEN")) | {"Type": s("LEDGER")}, Condition.ABSENT)
    actions: list[Any] = [{"Put": {"TableName": table.name} | entry.request()}]
    actions += [{"Update": addition(table.name, key, numbers)} for key, numbers in increments(record).items()]
    try:
        table.client.transact_write_items(TransactItems=actions)
    except table.client.exceptions.TransactionCanceledException as error:
        reasons: Any = error.response
        if reasons["CancellationReasons"][0]["Code"] != _REFUSED:
            raise
