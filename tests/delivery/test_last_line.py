"""A consumer that takes nothing for a day: what Lambda gives up is noted, and nothing is silently wrong."""

import io
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from delivery import NONE, Fault, Handler, KilledError
from delivery.invocation import Invocation
from edgewise.aggregates import keys
from edgewise.aggregates.cells import pack, unpack
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Cell
from edgewise.aggregates.open_hours.declaration import opened
from edgewise.aggregates.stored import aggregate
from edgewise.dynamodb.attributes import Item, key_of
from edgewise.dynamodb.keys import Key
from edgewise.stream import incomplete, lost
from functions.handlers import last_line
from functions.systems.telemetry.system import DEVICE
from tests.delivery.consuming import Consume
from tests.delivery.simulated import MAPPING, SimulatedMemory
from tests.delivery.stories import STORIES
from tests.support.http import Context

HOUR = 3600
# By the best score of each player: which of these would have moved, only a repair of what is noted on the player tells.
BY_EXTREMES = "SCORES"
LIMITED = replace(MAPPING, maximum_record_age=23 * HOUR, on_failure="s3")
# Items written, keys removed (None instead of an item).
Change = tuple[Key, Item | None]


@dataclass(frozen=True)
class Changes:
    """What is written before the outage, in the midst of it, and after it."""

    before: Sequence[Change]
    meanwhile: Sequence[Change]
    after: Sequence[Change]

    @classmethod
    def drawn(cls, random: Random) -> "Changes":
        stored: dict[Key, Item] = {}

        def change() -> Change:
            if stored and random.random() < 0.25:
                key = random.choice(sorted(stored))
                del stored[key]
                return key, None
            item = random.choice(STORIES).source(random).item
            stored[key_of(item)] = item
            return key_of(item), item

        return cls(*([change() for _ in range(number)] for number in (60, 40, 60)))


def make(table: SimulatedMemory, changes: Sequence[Change]) -> None:
    for key, item in changes:
        if item is None:
            table.delete(key)
        else:
            table.put_many([item])


def new_table() -> SimulatedMemory:
    table = SimulatedMemory(shards=3)
    table.mapping, table.faults = LIMITED, NONE
    for story in STORIES:
        table.put_many(story.setting)
    return table


def failing(table: SimulatedMemory, consumer: Handler, until: float, random: Random) -> Handler:
    """The consumer, which until then never comes to its end, but often to some of its writes."""

    def handler(event: dict[str, Any], context: Any, /) -> Any:
        if table.stream.clock.now >= until:
            return consumer(event, context)
        hook, table.hook = table.hook, Invocation(Fault.KILLED_BEFORE, random.randint(1, 30), lambda _: None)
        try:
            with suppress(KilledError):
                consumer(event, context)
        finally:
            table.hook = hook
        raise OSError("an outage")

    return handler


@contextmanager
def bucket_of(documents: Sequence[dict[str, Any]]) -> Iterator[None]:
    """The bucket of what was given up; keys are positions."""

    class Client:
        def get_object(self, Bucket: str, Key: str) -> dict[str, Any]:
            assert Bucket == "lost"
            return {"Body": io.BytesIO(json.dumps(documents[int(Key)]).encode())}

    with patch.object(lost, "client", Client):
        yield


def told(table: SimulatedMemory, number: int) -> None:
    detail = {"bucket": {"name": "lost"}, "object": {"key": str(number)}}
    with patch.object(last_line, "table", lambda: table):
        last_line.handler({"detail": detail}, Context())


def aggregates(table: SimulatedMemory) -> dict[Key, Any]:
    """The cells of all aggregates that stand for something, with what is open for them."""
    items = [item for item in table.all_items() if "Seqs" in item and item["Type"]["S"] != BY_EXTREMES]
    cells = {key_of(item): item.get("Cells", {"M": {}})["M"] for item in items}
    cells |= {keys.of(about): with_opened(table, about, item) for about, item in waiting(items)}
    # The digits of a sum depend on the order of what it sums up: as cells, equal numbers are equal.
    read = {key: {name: unpack(cell, 0) for name, cell in each.items()} for key, each in cells.items()}
    counted = {key: {name: cell for name, cell in each.items() if cell.counts} for key, each in read.items()}
    return {key: each for key, each in counted.items() if each}


def waiting(items: Sequence[Item]) -> Iterator[tuple[AggregateId, Item]]:
    """The aggregates for which something is open, each with the item in which it is."""
    for item in items:
        if item["Type"]["S"] == DEVICE.name:
            yield from ((about, item) for about in opened(DEVICE.at(key_of(item)), item))


def with_opened(table: SimulatedMemory, about: AggregateId, waits_in: Item) -> Any:
    """The cells of an aggregate once all that is open for it has closed."""
    cells = dict(aggregate(about, table.get(keys.of(about))).cells)
    for name, delta in opened(DEVICE.at(key_of(waits_in)), waits_in)[about].items():
        cells[name] = cells.get(name, Cell()).absorbed(delta)[0]
    return {name: pack(cell, about.bucket_start(name)) for name, cell in cells.items()}


def without_outage(changes: Changes, consume: Consume) -> dict[Key, Any]:
    table = new_table()
    simulator = table.delivered_to(consume(table), Random(0))
    for some in (changes.before, changes.meanwhile, changes.after):
        make(table, some)
        simulator.drain()
    return aggregates(table)


def with_outage(changes: Changes, consume: Consume, random: Random) -> tuple[SimulatedMemory, int]:
    """The table after it, and how many events were given up: told of soon, late, in any order, and some twice.

    Nothing of the stream can be read again. While it has what Lambda gave up, the consumer takes that up by itself.
    """
    table = new_table()
    ends = table.stream.clock.now + 26 * HOUR
    ready = [False]
    consumer = consume(table)
    broken = failing(table, consumer, ends, random)

    def handler(event: dict[str, Any], context: Any, /) -> Any:
        return (broken if ready[0] else consumer)(event, context)

    simulator = table.delivered_to(handler, random)
    make(table, changes.before)
    simulator.drain()
    ready[0] = True
    make(table, changes.meanwhile[:30])
    with patch.object(table.reads, "kept", 0):
        while table.stream.clock.now < ends - HOUR and simulator.step():
            pass
    make(table, changes.meanwhile[30:])
    table.stream.clock.wait_until(ends)
    make(table, changes.after)
    with bucket_of(simulator.destination), patch.object(table.reads, "kept", 0):
        numbers = iter(random.sample(range(n := len(simulator.destination)), n))
        while simulator.step():
            if random.random() < 0.2 and (number := next(numbers, None)) is not None:
                told(table, number)
        for number in [*numbers, *random.choices(range(n), k=3)]:
            told(table, number)
        simulator.drain()
    return table, n


@pytest.mark.parametrize("seed", [1, 12, 25, 33])
def test_after_a_day_of_failures_every_aggregate_is_exact_or_says_that_it_lacks_something(
    seed: int, consume: Consume
) -> None:
    changes = Changes.drawn(Random(seed))
    expected = without_outage(changes, consume)
    table, given_up = with_outage(changes, consume, Random(seed))
    assert given_up
    lacking = {key_of(item) for item in table.all_items() if "Lacks" in item}
    found = aggregates(table)
    wrong = {key for key in found.keys() | expected.keys() if found.get(key) != expected.get(key)}
    assert wrong, "the outage cost nothing: the test is in vain"
    assert wrong <= lacking
    assert lacking < found.keys() | lacking, "everything is suspected"
    noted, _ = incomplete.page(table, 1000, None)
    assert len(noted) == len(lacking)
