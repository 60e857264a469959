"""The table: every request of the project goes through here, and its cost is counted."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from botocore.config import Config
from botocore.exceptions import ClientError

from edgewise.dynamodb import units
from edgewise.dynamodb.attributes import Item, key_item, key_of
from edgewise.dynamodb.client import client as new_client
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.queries import Page, Query
from edgewise.dynamodb.throttling import CrowdedError, UnprocessedError, check, crowding, rounds, throttled
from edgewise.dynamodb.usage import Usage
from edgewise.dynamodb.writes import (
    Action,
    Check,
    Condition,
    Delete,
    Put,
    Replacement,
    Reply,
    Write,
    replies,
    shared_failure,
)
from edgewise.failures import PoisonError, code_of, sorted_out

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

T = TypeVar("T")
Response = TypeVar("Response")

WRITES_PER_BATCH = STATEMENTS_PER_BATCH = 25
KEYS_PER_BATCH = 100
ACTIONS_PER_TRANSACTION = 100
CONNECTIONS = 16
_ACTIONS = {Put: "Put", Delete: "Delete", Check: "ConditionCheck"}
_REFUSED = "ConditionalCheckFailed"
# Cancellation reasons after which the same transaction can be sent again.
_PASSING = frozenset({"None", "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"})

# This project builds and tests its requests, so botocore need not validate them again.
# Standard retries: up to 3, with jitter; a request that still fails raises, and the event source delivers again.
# A fixed user agent: otherwise botocore builds one for each request, which takes 8 % of the consumer's CPU.
CONFIG = Config(
    user_agent="edgewise",
    max_pool_connections=CONNECTIONS,
    parameter_validation=False,
    retries={"mode": "standard", "total_max_attempts": 4},
    connect_timeout=2,
    read_timeout=5,
)
# For callers who wait for the answer: a throttled request is retried once, at most a second later (CONFIG: up to 7).
IMPATIENT = CONFIG.merge(Config(retries={"mode": "standard", "total_max_attempts": 2}))


class RefusedError(Exception):
    """The condition of a write did not hold; `item` is the stored item, None if there is none."""

    def __init__(self, item: Item | None) -> None:
        super().__init__("the stored item is not the one expected")
        self.item = item


class TransactionRefusedError(Exception):
    """Conditions of a transaction did not hold; none of its actions was performed.

    `found` gives, by the position of each refused action, the stored item, or None.
    """

    def __init__(self, found: Mapping[int, Item | None]) -> None:
        super().__init__(f"conditions of actions {sorted(found)} do not hold")
        self.found = found


class Table:
    """One DynamoDB table and the usage through this object. Safe to use from several threads.

    Every request raises ThrottledError if the table has no capacity for it even after retries, and UnprocessedError if
    there is no time left to begin it.

    `consistent`: whether every read of the table itself is strongly consistent, which costs twice as much.

    `statements`: whether many replacements go in one request, as statements of PartiQL; if not, each goes as a put.
    """

    _until: float = math.inf
    statements: bool = False
    consistent: bool = False

    def __init__(
        self, name: str, client: "DynamoDBClient | None" = None, config: Config = CONFIG, *, statements: bool = False
    ) -> None:
        self.name, self.statements = name, statements
        self.client: DynamoDBClient = client or new_client(config)
        self.usage = Usage()

    def apart(self) -> Self:
        """The same table, whose usage through this object is counted apart."""
        other = copy(self)
        other.usage = Usage()
        return other

    def allow(self, seconds: float) -> None:
        """Allow requests to begin for this many seconds from now."""
        self._until = monotonic() + seconds

    def query(self, query: Query) -> Page:
        """One page: up to `limit` items or 1 MB."""
        if self.consistent and query.index is None:
            query = replace(query, consistent=True)
        response = self._perform(self.client.query, self._request(query.request()))
        self.usage.count(response, write=False)
        items = cast(list[Item], response["Items"])
        self.usage.notice(items)
        # A page without items is not the last one for that.
        last = cast(Item | None, response.get("LastEvaluatedKey"))
        return Page(items, query.position(items[-1] if items else last) if last else None)

    def get(self, key: Key) -> Item | None:
        """One item, strongly consistent, or None."""
        response = self._perform(self.client.get_item, self._request({"Key": key_item(key), "ConsistentRead": True}))
        self.usage.count(response, write=False)
        item = cast(Item | None, response.get("Item"))
        self.usage.notice([item] if item else ())
        return item

    def get_many(self, wanted: Sequence[Key], *, consistent: bool = False) -> dict[Key, Item]:
        """The items that exist under these distinct keys, 100 per request; `consistent` reads cost twice as much."""
        found: dict[Key, Item] = {}
        for chunk in chunks(wanted, KEYS_PER_BATCH):
            pending: Any = [key_item(key) for key in chunk]
            for _ in rounds(self._until):
                batch = _batch({self.name: {"Keys": pending, "ConsistentRead": consistent or self.consistent}})
                response = self._perform(self.client.batch_get_item, batch)
                self.usage.count(response, write=False)
                items = cast(list[Item], response["Responses"][self.name])
                self.usage.notice(items)
                for item in items:
                    found[key_of(item)] = item
                unprocessed = response.get("UnprocessedKeys")
                if not unprocessed:
                    break
                pending = unprocessed[self.name]["Keys"]
        return found

    def keys_after(self, after: Key | None) -> tuple[Sequence[Item], Key | None]:
        """One page of all items, of each its key and its type; and the key after which to go on, None at the end.

        It is no snapshot: an item is as it was when the page was read, or a moment before.
        """
        start = {"ExclusiveStartKey": key_item(after)} if after else {}
        shown = {"ProjectionExpression": "PK, SK, #type", "ExpressionAttributeNames": {"#type": "Type"}}
        request = self._request({"Select": "SPECIFIC_ATTRIBUTES", **shown, **start})
        response = self._perform(self.client.scan, request)
        self.usage.count(response, write=False)
        last = response.get("LastEvaluatedKey")
        return cast(list[Item], response["Items"]), key_of(cast(Item, last)) if last else None

    def put_many(self, items: Sequence[Item]) -> None:
        """Write items unconditionally, 25 per request; no two items of one call may have the same key."""
        for chunk in chunks([{"PutRequest": {"Item": item}} for item in items], WRITES_PER_BATCH):
            for left in self._write_batch(chunk):
                # A batch names its unprocessed requests, but not the reason. A batch of one request is either performed
                # or refused with the reason, and the SDK then retries it after growing pauses.
                if self._write_batch([left]):
                    raise UnprocessedError("a write was left unprocessed without a reason")

    def put_version(self, item: Item, replaces: int) -> None:
        """Write an item if the stored `Version` is `replaces` (0: if there is no item).

        Raises RefusedError with the stored item, which DynamoDB returns with the refusal, at no read cost.
        """
        self.write(Put(item, Condition.at_version(replaces)))

    def replace(self, replacement: Replacement) -> None:
        """Replace one item; raises RefusedError if it is not the item that was read any more."""
        self.write(replacement.put())

    def replace_many(self, replacements: Sequence[Replacement]) -> list[Reply]:
        """Replace up to 25 items, each on its own; no two may have the same key.

        The SDK repeats the request, but not a statement that fails on its own. A request that is refused as a whole,
        because it is too large or denied, says nothing of its statements; each then goes as a put, which takes 14 times
        the processor's time: `usage.failures` counts such requests.
        """
        if not self.statements or len(replacements) == 1:
            return singly(self.replace, replacements)
        statements = [replacement.statement(self.name) for replacement in replacements]
        request = {"Statements": statements, "ReturnConsumedCapacity": "TOTAL"}
        try:
            with sorted_out():
                response = self._perform(self.client.batch_execute_statement, request)
        except (PoisonError, ClientError) as error:
            self.usage.count_failure(code_of(error))
            return [Reply.UNCLEAR] * len(replacements)
        found = replies(response["Responses"])
        if code := shared_failure(response["Responses"]):
            self.usage.count_failure(code)
        self.usage.count(response, write=True, refused=found.count(Reply.REFUSED))
        return found

    def write(self, write: Write) -> None:
        """One put or delete; raises RefusedError if its condition does not hold.

        It is retried while it conflicts with a transaction on the same item, because the SDK does not retry that error.
        """
        send = self.client.put_item if isinstance(write, Put) else self.client.delete_item
        for _ in rounds(self._until):
            try:
                response = self._perform(send, self._request(write.request()))
            except ClientError as error:
                code = error.response["Error"]["Code"]
                if code not in (f"{_REFUSED}Exception", "TransactionConflictException"):
                    raise
                found = cast(Item | None, error.response.get("Item"))
                self.usage.count_refusal(units.of_refused(found, write.item if isinstance(write, Put) else None))
                if code == f"{_REFUSED}Exception":
                    raise RefusedError(found) from error
            else:
                self.usage.count(response, write=True)
                return

    def transact(self, actions: Sequence[Action]) -> None:
        """Up to 100 actions, all or none; raises TransactionRefusedError if a condition does not hold.

        It is retried while it conflicts with another transaction, because that says nothing about the conditions, and
        while it is throttled. Raises CrowdedError if it is throttled to the end because of entries in an index.
        """
        request = {
            "TransactItems": [{_ACTIONS[type(act)]: {"TableName": self.name} | act.request()} for act in actions],
            "ReturnConsumedCapacity": "TOTAL",
        }
        reasons: Sequence[Mapping[str, Any]] = ()
        try:
            for _ in rounds(self._until):
                reasons = self._canceled(request)
                if not reasons:
                    return
        except UnprocessedError as error:
            if crowded := crowding(reasons):
                raise CrowdedError(crowded) from error
            raise

    def _canceled(self, request: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        """Send a transaction once; returns the reasons if it was canceled and may be sent again, none if it is done."""
        try:
            response = self._perform(self.client.transact_write_items, request)
        except self.client.exceptions.TransactionCanceledException as error:
            reasons: Sequence[Mapping[str, Any]] = cast(Any, error.response)["CancellationReasons"]
            self.usage.count_refusal(_prepared(request["TransactItems"]))
            if {reason["Code"] for reason in reasons} - _PASSING - {_REFUSED}:
                raise
            if found := _refusals(reasons):
                raise TransactionRefusedError(found) from error
            return reasons
        self.usage.count(response, write=True)
        return ()

    def _write_batch(self, requests: Sequence[Any]) -> Sequence[Any]:
        """Send these requests in one batch; returns those left unprocessed."""
        response = self._perform(self.client.batch_write_item, _batch({self.name: requests}))
        self.usage.count(response, write=True)
        return response.get("UnprocessedItems", {}).get(self.name, ())

    def _perform(self, call: Callable[..., Response], request: Mapping[str, Any]) -> Response:
        check(self._until)
        try:
            return call(**request)
        except ClientError as error:
            if shortage := throttled(error):
                raise shortage from error
            raise

    def _request(self, request: dict[str, Any]) -> Mapping[str, Any]:
        return {"TableName": self.name, "ReturnConsumedCapacity": "TOTAL"} | request


def singly(replace: Callable[[Replacement], None], replacements: Sequence[Replacement]) -> list[Reply]:
    """Replace items one after the other; `replace` raises RefusedError."""
    return [_alone(replace, replacement) for replacement in replacements]


def _alone(replace: Callable[[Replacement], None], replacement: Replacement) -> Reply:
    try:
        with sorted_out(), suppress(RefusedError):
            replace(replacement)
            return Reply.TAKEN
    except PoisonError:
        return Reply.UNCLEAR
    return Reply.REFUSED


def chunks(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """The items in slices of at most `size`."""
    return (items[start : start + size] for start in range(0, len(items), size))


def _batch(pending: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"RequestItems": pending, "ReturnConsumedCapacity": "TOTAL"}


def _prepared(actions: Sequence[Mapping[str, Any]]) -> int:
    """The units of a transaction that is canceled: each action is billed twice."""
    return 2 * sum(units.of_refused(None, action.get("Put", {}).get("Item")) for action in actions)


def _refusals(reasons: Sequence[Mapping[str, Any]]) -> dict[int, Item | None]:
    """The actions whose conditions did not hold; empty if the transaction only conflicted with another one."""
    return {position: reason.get("Item") for position, reason in enumerate(reasons) if reason["Code"] == _REFUSED}
