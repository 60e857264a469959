"""What a client's requests consume, observed outside the code that makes them, and the time they take."""

import gc
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple

from benchmarks import statements
from edgewise.dynamodb import units
from edgewise.dynamodb.attributes import Item, key_of
from edgewise.dynamodb.keys import Key
from functions.systems.operations import prices

WRITES = frozenset({"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem"})
# A read unit costs a fifth of a write unit.
_READ_UNIT = float(prices.READ_UNITS / prices.WRITE_UNITS)
# DynamoDB Local reports too few units for transactions; AWS bills each item of up to 1 KB twice, refused or not.
TRANSACTED_ITEM = 2.0
# An eventually consistent read of a key that does not exist is billed, but DynamoDB Local reports nothing for it.
MISSING_KEY = 0.5


@dataclass
class Spent:
    """What was consumed: requests, capacity units, CPU and wall seconds of this process (not of the engine).

    `reads` are those of the requests that read. `refused` conditional writes are billed too, but no engine reports
    their units: one each is assumed, as for items of up to 1 KB.
    """

    requests: int = 0
    reads: int = 0
    refused: int = 0
    write_units: float = 0.0
    read_units: float = 0.0
    cpu: float = 0.0
    wall: float = 0.0

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))

    def __sub__(self, other: "Spent") -> "Spent":
        return Spent(*(getattr(self, each.name) - getattr(other, each.name) for each in fields(self)))

    @property
    def billed(self) -> float:
        """Write units, refused writes included."""
        return self.write_units + self.refused

    @property
    def price(self) -> float:
        """All units, expressed in write units of the same price."""
        return self.billed + self.read_units * _READ_UNIT


class Heard(NamedTuple):
    """A request and its answer. `counts`: its units are to be computed."""

    counts: bool
    params: dict[str, Any]
    parsed: dict[str, Any]


@dataclass
class Meter:
    """While `measuring`, counts the requests of the clients that it watches, and the time.

    The units of statements are computed from the items before and after (edgewise/dynamodb/units.py), when somebody
    asks what was spent.
    """

    _spent: Spent = field(default_factory=Spent)
    _on: bool = False
    _items: dict[Key, Item] = field(default_factory=dict, repr=False)
    _heard: list[Heard] = field(default_factory=list, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def spent(self) -> Spent:
        """All that was consumed until now."""
        self._settle()
        return replace(self._spent)

    def watch(self, client: Any) -> None:
        """Count this client's requests from now on, and ask for the units of each."""
        client.meta.events.register("provide-client-params.dynamodb", self._before)
        client.meta.events.register("after-call.dynamodb", self._after)

    def know(self, items: Iterable[Item]) -> None:
        """Take these as the stored items, whoever wrote them."""
        self._settle()
        self._items |= {key_of(item): item for item in items}

    def passed_on(self) -> tuple[Spent, list[Heard]]:
        """What was consumed and heard since the last call, for a meter of another process: this one forgets it."""
        spent, heard, self._spent, self._heard = self._spent, self._heard, Spent(), []
        return spent, heard

    def count(self, spent: Spent, heard: Sequence[Heard]) -> None:
        """Count what the meter of another process passed on."""
        self._spent += spent
        self._heard += heard

    @contextmanager
    def measuring(self) -> Iterator[None]:
        """Count what happens inside the block."""
        gc.freeze()  # keeps the garbage collector from searching the benchmark's own objects in the measured time
        cpu, wall, self._on = time.process_time(), time.perf_counter(), True
        try:
            yield
        finally:
            self._on = False
            self._spent.cpu += time.process_time() - cpu
            self._spent.wall += time.perf_counter() - wall

    def _before(self, params: dict[str, Any], context: dict[str, Any], **_: Any) -> None:
        params.setdefault("ReturnConsumedCapacity", "TOTAL")
        context["asked"] = sum(
            len(asked["Keys"]) for asked in params.get("RequestItems", {}).values() if "Keys" in asked
        )
        context["transacted"] = len(params.get("TransactItems", ()))
        context["params"] = params

    def _after(self, parsed: dict[str, Any], model: Any, context: dict[str, Any], **_: Any) -> None:
        with self._lock:
            self._heard.append(Heard(self._on and model.name == statements.OPERATION, context["params"], parsed))
        if not self._on:
            return
        consumed = parsed.get("ConsumedCapacity") or []
        parts = consumed if isinstance(consumed, list) else [consumed]
        reported = sum(part["CapacityUnits"] for part in parts)
        with self._lock:
            self._spent.requests += 1
            self._spent.refused += parsed.get("Error", {}).get("Code") == "ConditionalCheckFailedException"
            if model.name == statements.OPERATION:
                self._spent.refused += statements.refused(parsed.get("Responses", ()))
            elif context["transacted"]:
                self._spent.write_units += TRANSACTED_ITEM * context["transacted"]
            elif model.name in WRITES:
                self._spent.write_units += reported
            else:
                self._spent.reads += 1
                self._spent.read_units += reported + MISSING_KEY * _missing(parsed, context["asked"])

    def _settle(self) -> None:
        """Compute the units of the statements answered until now."""
        heard, self._heard = self._heard, []
        for counts, params, parsed in heard:
            for item in statements.items_of(params, parsed):
                if "PK" in item:  # items of other tables have other keys
                    computed = self._written(item)
                    self._spent.write_units += computed if counts else 0

    def _written(self, item: Item) -> int:
        """The units of an item that was written, which from now on is the stored one."""
        key = key_of(item)
        former, self._items[key] = self._items.get(key), item
        return units.of_put(former, item)


def _missing(parsed: dict[str, Any], asked: int) -> int:
    unprocessed = sum(len(left["Keys"]) for left in parsed.get("UnprocessedKeys", {}).values())
    return asked - unprocessed - sum(map(len, parsed["Responses"].values())) if asked else 0
