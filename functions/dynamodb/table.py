"""The table: every request of the project goes through here, and what it consumed is counted."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar, cast

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from functions.dynamodb.attributes import Item, key_item, key_of
from functions.dynamodb.keys import Key
from functions.dynamodb.queries import Page, Query
from functions.dynamodb.throttling import UnprocessedError, check, rounds, throttled
from functions.dynamodb.usage import Usage
from functions.dynamodb.writes import Action, Check, Delete, Put, Write, at_version

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

T = TypeVar("T")
Response = TypeVar("Response")

WRITES_PER_BATCH = 25
KEYS_PER_BATCH = 100
ACTIONS_PER_TRANSACTION = 100
CONNECTIONS = 16
_ACTIONS = {Put: "Put", Delete: "Delete", Check: "ConditionCheck"}
_REFUSED = "ConditionalCheckFailed"
# Why a transaction may be cancelled although it can be sent again as it is.
_PASSING = frozenset({"None", "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"})

# Requests are values that this project builds and tests, so botocore need not validate them once more.
# Standard retries: 3 repetitions with jitter; what still fails is raised, and the event source delivers again.
# A fixed user agent: else botocore puts one together for each request, which takes 8 % of the consumer's CPU.
CONFIG = Config(
    user_agent="edgewise",
    max_pool_connections=CONNECTIONS,
    parameter_validation=False,
    retries={"mode": "standard", "total_max_attempts": 4},
    connect_timeout=2,
    read_timeout=5,
)
# Where somebody waits for the answer: a throttled request is repeated once, at most a second later (CONFIG: up to 7).
IMPATIENT = CONFIG.merge(Config(retries={"mode": "standard", "total_max_attempts": 2}))


class RefusedError(Exception):
    """A conditional write found something else than its condition says; `item` is what is there, if anything."""

    def __init__(self, item: Item | None) -> None:
        super().__init__("the item is not the one expected")
        self.item = item


class TransactionRefusedError(Exception):
    """Conditions of a transaction did not hold; nothing of it was done.

    `found` gives, by the position of each action refused, the item that is there, or None.
    """

    def __init__(self, found: Mapping[int, Item | None]) -> None:
        super().__init__(f"conditions of actions {sorted(found)} do not hold")
        self.found = found


class Table:
    """One DynamoDB table and what has been consumed through this object. Safe to use from several threads.

    Every request raises ThrottledError if the table has no capacity for it, also when it is repeated, and
    UnprocessedError if there is no time left to begin with it.
    """

    _until: float = math.inf

    def __init__(self, name: str, client: "DynamoDBClient | None" = None, config: Config = CONFIG) -> None:
        self.name = name
        self.client: DynamoDBClient = client or boto3.client("dynamodb", config=config)
        self.usage = Usage()

    def allow(self, seconds: float) -> None:
        """From now on, requests may be begun for so many seconds."""
        self._until = monotonic() + seconds

    def query(self, query: Query) -> Page:
        """One page: up to `limit` items or 1 MB."""
        response = self._perform(self.client.query, self._request(query.request()))
        self.usage.count(response, write=False)
        items = cast(list[Item], response["Items"])
        self.usage.notice(items)
        more = "LastEvaluatedKey" in response
        return Page(items, query.position(items[-1]) if more and items else None)

    def get(self, key: Key) -> Item | None:
        """One item, strongly consistent, or None."""
        response = self._perform(self.client.get_item, self._request({"Key": key_item(key), "ConsistentRead": True}))
        self.usage.count(response, write=False)
        item = cast(Item | None, response.get("Item"))
        self.usage.notice([item] if item else ())
        return item

    def get_many(self, wanted: Sequence[Key], *, consistent: bool = False) -> dict[Key, Item]:
        """The items under these keys, all different, that exist: 100 a request; strongly consistent costs twice."""
        found: dict[Key, Item] = {}
        for chunk in chunks(wanted, KEYS_PER_BATCH):
            pending: Any = [key_item(key) for key in chunk]
            for _ in rounds(self._until):
                batch = _batch({self.name: {"Keys": pending, "ConsistentRead": consistent}})
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

    def put_many(self, items: Sequence[Item]) -> None:
        """Write items as they are, 25 a request; items of equal keys must not stand in one call."""
        self._batches([{"PutRequest": {"Item": item}} for item in items])

    def delete_many(self, unwanted: Sequence[Key]) -> None:
        """Remove items, 25 a request, whether they exist or not."""
        self._batches([{"DeleteRequest": {"Key": key_item(key)}} for key in unwanted])

    def put_version(self, item: Item, replaces: int) -> None:
        """Write an item if the stored `Version` is `replaces` (0: if there is none).

        Raises RefusedError with the item found, which comes back with the refusal and costs no read.
        """
        self.write(Put(item, at_version(replaces)))

    def write(self, write: Write) -> None:
        """One put or delete; raises RefusedError if its condition does not hold.

        A transaction on the same item at the same time is waited for: the SDK does not repeat what it refused.
        """
        send = self.client.put_item if isinstance(write, Put) else self.client.delete_item
        for _ in rounds(self._until):
            try:
                response = self._perform(send, self._request(write.request()))
            except ClientError as error:
                code = error.response["Error"]["Code"]
                if code not in (f"{_REFUSED}Exception", "TransactionConflictException"):
                    raise
                self.usage.count_refusal()
                if code == f"{_REFUSED}Exception":
                    raise RefusedError(cast(Item | None, error.response.get("Item"))) from error
            else:
                self.usage.count(response, write=True)
                return

    def transact(self, actions: Sequence[Action]) -> None:
        """Up to 100 actions, all or none; raises TransactionRefusedError if a condition does not hold.

        Another transaction on the same items at the same time is waited for: it says nothing about the conditions.
        """
        request = {
            "TransactItems": [{_ACTIONS[type(act)]: {"TableName": self.name} | act.request()} for act in actions],
            "ReturnConsumedCapacity": "TOTAL",
        }
        for _ in rounds(self._until):
            try:
                response = self._perform(self.client.transact_write_items, request)
            except self.client.exceptions.TransactionCanceledException as error:
                reasons: Sequence[Mapping[str, Any]] = cast(Any, error.response)["CancellationReasons"]
                self.usage.count_refusal()
                if {reason["Code"] for reason in reasons} - _PASSING - {_REFUSED}:
                    raise
                if found := _refusals(reasons):
                    raise TransactionRefusedError(found) from error
            else:
                self.usage.count(response, write=True)
                return

    def _batches(self, requests: Sequence[Any]) -> None:
        for chunk in chunks(requests, WRITES_PER_BATCH):
            for left in self._write_batch(chunk):
                # A batch says what it left undone, but not why. Of one request alone DynamoDB leaves nothing: it is
                # done, or the batch is refused with the reason, and the SDK repeats it after growing pauses.
                if self._write_batch([left]):
                    raise UnprocessedError("a write was left undone without a reason")

    def _write_batch(self, requests: Sequence[Any]) -> Sequence[Any]:
        """Those of the requests that were left undone."""
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


def chunks(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """The items in slices of at most `size`."""
    return (items[start : start + size] for start in range(0, len(items), size))


def _batch(pending: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"RequestItems": pending, "ReturnConsumedCapacity": "TOTAL"}


def _refusals(reasons: Sequence[Mapping[str, Any]]) -> dict[int, Item | None]:
    """The actions whose conditions did not hold; none if the transaction only met another one."""
    return {position: reason.get("Item") for position, reason in enumerate(reasons) if reason["Code"] == _REFUSED}
