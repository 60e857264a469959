"""DynamoDB's client, for an engine that need not know how an existing table's keys are called, or which table has what.

It knows all operations but those that send statements: the names of attributes stand in their text. In expressions,
attributes must have placeholders.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from botocore.exceptions import ClientError

from edgewise.dynamodb.attributes import string
from edgewise.dynamodb.existing import BESIDE, IN_MAP, INDEX, MAP, ExistingTable, is_others
from edgewise.dynamodb.schema import PARTITION_KEY

_PLACEHOLDER = re.compile(r"#\w+")


class ExistingTableClient:
    """Translates each request to the table, and each answer. `beside`: the table of the engine's items, if apart."""

    def __init__(self, client: Any, table: ExistingTable, beside: str = "") -> None:
        self._client, self._table, self._beside = client, table, beside
        self.exceptions = client.exceptions

    def __getattr__(self, operation: str) -> Any:
        return partial(self._perform, getattr(self._client, operation))

    def scan_others(self, **request: Any) -> Any:
        """A page of the table's own items, and of the engine's if they are in the same table."""
        return self._translated(self._client.scan, request, apart=False)

    def describe_others(self, name: str) -> Any:
        """The table of the owner's items as DynamoDB describes it."""
        return self._client.describe_table(TableName=name)["Table"]

    def _perform(self, call: Callable[..., Any], **request: Any) -> Any:
        if self._beside and "RequestItems" in request:
            return self._in_both(call, request)
        apart = bool(self._beside) and not _names_others(request)
        return self._translated(call, request, apart=apart)

    def _in_both(self, call: Callable[..., Any], request: Mapping[str, Any]) -> Any:
        """A batch of keys, or of writes: the table's own items in one request, and the engine's in another."""
        ((name, asked),) = request["RequestItems"].items()
        if not isinstance(asked, Mapping):  # writes, which are the engine's alone
            answered = self._translated(call, request, apart=True)
            left = [each for of_table in answered.get("UnprocessedItems", {}).values() for each in of_table]
            return {**answered, "UnprocessedItems": {name: left}}
        answer: dict[str, Any] = {"Responses": {name: []}, "UnprocessedKeys": {}, "ConsumedCapacity": []}
        for apart in (False, True):
            keys = [key for key in asked["Keys"] if is_others(string(key[PARTITION_KEY])) is not apart]
            if keys:
                part = {**request, "RequestItems": {name: {**asked, "Keys": keys}}}
                _merge(answer, self._translated(call, part, apart=apart), name)
        return answer

    def _translated(self, call: Callable[..., Any], request: Mapping[str, Any], *, apart: bool) -> Any:
        if apart:
            beside = ExistingTableClient(self._client, BESIDE)
            return beside._translated(call, _renamed(request, self._beside), apart=False)
        try:
            return self._answered(call(**self._asked(request)))
        except ClientError as error:
            error.response = self._answered(error.response)
            raise

    def _asked(self, request: Any) -> Any:
        if isinstance(request, list):
            return list(map(self._asked, request))
        if not isinstance(request, Mapping):
            return request
        asked = {name: self._member(name, each) for name, each in request.items()}
        if "ExpressionAttributeNames" in request:
            asked |= self._expressions(request)
        values = asked.get("ExpressionAttributeValues", {})
        if ":pk" in values and "IndexName" not in asked:
            asked["ExpressionAttributeValues"] = self._table.condition(values)
        return asked

    def _expressions(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """A request's expressions and their names: all but what stands beside the map are paths into it."""
        names: Mapping[str, str] = request["ExpressionAttributeNames"]
        told = {placeholder: self._table.name(name) for placeholder, name in names.items()}
        inside = {placeholder for placeholder, name in names.items() if not self._table.is_beside(name)}
        if not inside or _names_others(request):
            return {"ExpressionAttributeNames": told}

        def path(found: re.Match[str]) -> str:
            return f"{IN_MAP}.{found[0]}" if found[0] in inside else found[0]

        expressions = {
            name: _PLACEHOLDER.sub(path, each) for name, each in request.items() if name.endswith("Expression")
        }
        return expressions | {"ExpressionAttributeNames": told | {IN_MAP: MAP}}

    def _member(self, name: str, value: Any) -> Any:
        match name:
            case "Item":
                return self._table.stored(value)
            case "Key" | "ExclusiveStartKey":
                return self._table.key(value)
            case "Keys":
                return list(map(self._table.key, value))
            case "IndexName":
                return INDEX
            case "RequestItems":
                return {table: self._asked(each) for table, each in value.items()}
            case "ExpressionAttributeNames" | "ExpressionAttributeValues":
                return value
        return self._asked(value)

    def _answered(self, answer: Any) -> Any:
        if isinstance(answer, list):
            return list(map(self._answered, answer))
        if not isinstance(answer, Mapping):
            return answer
        return {name: self._told(name, each) for name, each in answer.items()}

    def _told(self, name: str, value: Any) -> Any:
        match name:
            case "Item":
                return self._table.read(value)
            case "Items":
                return list(map(self._table.read, value))
            case "LastEvaluatedKey":
                return self._table.read_key(value)
            case "Keys":  # what was left unprocessed, to be asked for again
                return list(map(self._table.read_key, value))
            case "Responses":
                return {table: list(map(self._table.read, items)) for table, items in value.items()}
            case "UnprocessedItems" | "UnprocessedKeys":
                return {table: self._answered(each) for table, each in value.items()}
            case "ConsumedCapacity":
                return value
        return self._answered(value)


def _names_others(request: Mapping[str, Any]) -> bool:
    """Whether a request is for the table's own items: for one of them, or for a partition of them."""
    partition = request.get("Key", {}).get(PARTITION_KEY) or request.get("ExpressionAttributeValues", {}).get(":pk")
    return bool(partition) and is_others(string(partition))


def _renamed(request: Any, table: str) -> Any:
    """The same request for another table."""
    if isinstance(request, list):
        return [_renamed(each, table) for each in request]
    if not isinstance(request, Mapping):
        return request
    if "RequestItems" in request:
        return {**request, "RequestItems": dict.fromkeys([table], *request["RequestItems"].values())}
    found = {**request, "TableName": table} if "TableName" in request else dict(request)
    if "TransactItems" in found:
        found["TransactItems"] = [
            {act: {**each, "TableName": table} for act, each in item.items()} for item in found["TransactItems"]
        ]
    return found


def _merge(answer: dict[str, Any], part: Mapping[str, Any], name: str) -> None:
    """Add the answer of one of two tables, as if both were the one with this name."""
    for items in part["Responses"].values():
        answer["Responses"][name] += items
    for left in part.get("UnprocessedKeys", {}).values():
        both = answer["UnprocessedKeys"].setdefault(name, {**left, "Keys": []})
        both["Keys"] += left["Keys"]
    answer["ConsumedCapacity"] += part.get("ConsumedCapacity", [])
