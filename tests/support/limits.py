"""DynamoDB's limits, the longest input that the models let through, and the fullest aggregates."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from pydantic import TypeAdapter

from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Cell, Extremes, Moment, Observation
from edgewise.aggregates.recounts.unknown import Unknown
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.schema import INDEXES
from edgewise.stream import register
from edgewise.times import HOUR, LATEST
from functions.replay.validation import PARTITION_KEY_BYTES, SORT_KEY_BYTES
from functions.systems.telemetry.entity import HOURLY
from functions.web.fields import PlacePath

WRITE_UNIT = 1024
GREATEST = Decimal("-1234567890123.123456789012345678")


def size(value: Mapping[str, Any]) -> int:
    """Bytes of an attribute value, as the developer guide's rules for item sizes say."""
    ((kind, content),) = value.items()
    match kind:
        case "S":
            return len(content.encode())
        case "B":
            return len(content)
        case "N":
            digits = len(content.lstrip("-").replace(".", "").strip("0"))
            return 1 + (digits + 1) // 2 + int(content.startswith("-"))
        case "BOOL":
            return 1
        case "L":
            return 3 + sum(1 + size(element) for element in content)
        case "M":
            return 3 + sum(1 + len(name.encode()) + size(element) for name, element in content.items())
    raise AssertionError(kind)


def item_size(item: Item) -> int:
    return sum(len(name.encode()) + size(value) for name, value in item.items())


def assert_keys_fit(item: Item) -> None:
    pairs = [("PK", "SK")] + [(index.partition_key, index.sort_key) for index in INDEXES]
    for partition, sort in pairs:
        assert len(item.get(partition, {"S": ""})["S"].encode()) <= PARTITION_KEY_BYTES
        assert len(item.get(sort, {}).get("S", "").encode()) <= SORT_KEY_BYTES


# The longest texts of one, two, three and four bytes, and of three bytes a character when escaped.
CHARACTERS = ("x", "é", "€", "\U0001f600", " ")


def longest(kind: Any, character: str) -> str:
    """The longest run of a character that the field type accepts."""
    adapter = TypeAdapter(kind)
    for length in range(200, 0, -1):
        try:
            accepted: str = adapter.validate_python(character * length)
        except ValueError:
            continue
        return accepted
    raise AssertionError(character)


def longest_place(levels: int, character: str) -> tuple[str, ...]:
    adapter = TypeAdapter(PlacePath)
    for length in range(200, 0, -1):
        try:
            accepted = adapter.validate_python([character * length] * levels)
        except ValueError:
            continue
        return tuple(accepted)
    raise AssertionError(levels)


def greatest_cell(start: int, bucket: int, count: int = -(10**12)) -> Cell:
    """With numbers of 31 digits, so many that a device would send 1,000 of them a second for thirty years."""
    first, last = (Moment(start + bucket - left, GREATEST) for left in (2, 1))
    return Cell(count, GREATEST * 10**12, Extremes(GREATEST, GREATEST, first, last))


def full(aggregate_id: AggregateId, cells: int, shards: int = 1) -> Aggregate:
    """An aggregate with cells of the greatest size, under the longest names."""
    cell = Cell()
    start = aggregate_id.dimensions[-1] if isinstance(aggregate_id.dimensions[-1], int) else 0
    for at in range(start, start + 2):
        cell.add(Observation(1, GREATEST, at + HOURLY.bucket - 2))
    names = [f"0.{number:04d}{chr(0x1F600) * 60}" for number in range(cells)]
    checkpoints = {f"{shard:020d}-12345678": Checkpoint(int("9" * 40), LATEST) for shard in range(shards)}
    due = Unknown(due=frozenset(names[:1]))
    return Aggregate(aggregate_id, 10**9, dict.fromkeys(names, cell), checkpoints, unknown=due)


# More names than fit into one item, and the shards that feed it during the 36 hours that a checkpoint may be kept: 500
# at a time, each for four hours; with records of theirs in quarantine.
MANY, SHARDS = 2000, 500 * 36 // 4
MISSING = frozenset(int("8" * 40) - number for number in range(register.LIMIT))


def fullest(aggregate_id: AggregateId, names: list[str], cell: Cell, shards: int = SHARDS) -> Aggregate:
    """An aggregate that has taken as many of these names as it does, all of them due, all with such a cell."""
    absorbed = Aggregate(aggregate_id).absorb(
        "shard", [Effect(Checkpoint(1, LATEST), {name: Observation() for name in names}, {})], now=LATEST
    )
    assert absorbed is not None
    item = absorbed.aggregate
    assert item.full
    checkpoints = {
        f"{10**13 + shard:020d}-12345678": Checkpoint(int("9" * 40), LATEST - shard * HOUR // 125)
        for shard in range(shards)
    }
    checkpoints[min(checkpoints)] = Checkpoint(int("9" * 40), LATEST, MISSING)
    due = Unknown(due=frozenset(item.cells))
    return replace(item, version=10**13, cells=dict.fromkeys(item.cells, cell), checkpoints=checkpoints, unknown=due)
