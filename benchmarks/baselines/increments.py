"""What a record adds to which items, in a form that `ADD` supports: counts and sums, one attribute each."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any

from edgewise.aggregates import keys
from edgewise.aggregates.measures import Observation
from edgewise.dynamodb.attributes import Item, key_item, n
from edgewise.dynamodb.keys import Key, join
from edgewise.times import HOUR, Millis, rfc_3339
from functions.catalog import CATALOG
from functions.systems.chat import keys as chat_keys
from functions.systems.chat.entity import Message
from functions.systems.graph import keys as graph_keys
from functions.systems.telemetry import keys as telemetry_keys
from functions.systems.telemetry.entity import Reading

Numbers = Mapping[str, Decimal]
Increments = Callable[[Any], Mapping[Key, Numbers]]
COUNT, SUM = "Count", "Sum"
_ONE = Decimal(1)


def one_edge(record: Any) -> Mapping[Key, Numbers]:
    """A count on the record's edge, the minimum: no summary, no rollup, no distinct count."""
    match _source(record):
        case Reading() as event:
            return {telemetry_keys.REPORTED_FROM(event.device, event.place): {COUNT: _ONE}}
        case Message() as message:
            return {chat_keys.POSTED_IN(message.user, message.room): {COUNT: _ONE}}
        case source:
            raise TypeError(f"feeds no edge: {source!r}")


def everything(record: Any) -> Mapping[Key, Numbers]:
    """Count and sum of each cell that the new item itself feeds; `ADD` has no minimum, first or distinct count."""
    image = _image(record)
    return {
        keys.of(aggregate_id): {
            name: number
            for cell, seen in observations.items()
            for name, number in ((f"{cell}.{COUNT}", Decimal(seen.weight)), (f"{cell}.{SUM}", _summed(seen)))
            if number is not None
        }
        for aggregate_id, observations in CATALOG.contributions(image["Type"]["S"], _source(record)).items()
    }


def both_ends(record: Any) -> Mapping[Key, Numbers]:
    """Count and sum of weights, for the nodes at both ends of a graph's edge."""
    edge = _source(record)
    numbers = {COUNT: _ONE, SUM: edge.weight}
    return {
        graph_keys.DEGREE(edge.source, "out", edge.label): numbers,
        graph_keys.DEGREE(edge.target, "in", edge.label): numbers,
    }


def device_hours(record: Any) -> Mapping[Key, Numbers]:
    """A count and the sum of each metric, for the device and the hour of a reading."""
    reading = _source(record)
    return {hour_of(reading.device, reading.at): {COUNT: _ONE} | dict(reading.metrics)}


def hour_of(device: str, at: Millis) -> Key:
    """The item of a device for an hour."""
    return Key(telemetry_keys.device(device), join("HOUR", rfc_3339(at - at % HOUR)))


def folded(records: Iterable[Any], increments: Increments) -> Mapping[Key, Numbers]:
    """The totals that some records add to each item."""
    return {key: summed(numbers for _, numbers in each) for key, each in by_aggregate(records, increments).items()}


def by_aggregate(records: Iterable[Any], increments: Increments) -> Mapping[Key, list[tuple[Any, Numbers]]]:
    """For each item, the records that add to it, in order, and what each adds."""
    found: defaultdict[Key, list[tuple[Any, Numbers]]] = defaultdict(list)
    for record in records:
        for key, numbers in increments(record).items():
            found[key].append((record, numbers))
    return found


def summed(some: Iterable[Numbers]) -> Numbers:
    """The totals that they add to one item."""
    sums: defaultdict[str, Decimal] = defaultdict(Decimal)
    for numbers in some:
        for name, number in numbers.items():
            sums[name] += number
    return sums


def addition(table_name: str, key: Key, numbers: Numbers) -> dict[str, Any]:
    """The update that adds numbers to an item."""
    names = {f"#{position}": name for position, name in enumerate(numbers)}
    values = {f":{position}": n(number) for position, number in enumerate(numbers.values())}
    return {
        "TableName": table_name,
        "Key": key_item(key),
        "UpdateExpression": "ADD " + ", ".join(f"#{position} :{position}" for position in range(len(numbers))),
        "ExpressionAttributeNames": names,
        "ExpressionAttributeValues": values,
    }


def _image(record: Any) -> Item:
    image: Item = record["dynamodb"]["NewImage"]
    return image


def _source(record: Any) -> Any:
    image = _image(record)
    return CATALOG.decoders[image["Type"]["S"]](image)


def _summed(seen: Observation) -> Decimal | None:
    return seen.value if seen.amount is None else seen.amount
