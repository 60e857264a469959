"""The longest input that the models let through always fits DynamoDB's limits."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from pydantic import TypeAdapter

from functions.aggregates.aggregate import VALUE_BYTES, Aggregate, Checkpoint, Effect
from functions.aggregates.cells import pack
from functions.aggregates.continuations import continuation
from functions.aggregates.edges import Edge
from functions.aggregates.ids import AggregateId
from functions.aggregates.measures import Cell, Extremes, Moment, Observation
from functions.aggregates.recounts import TOGETHER, Position, Progress
from functions.aggregates.stored import aggregate_item
from functions.catalog import CATALOG
from functions.dynamodb.attributes import Item
from functions.dynamodb.schema import INDEXES
from functions.revisions.versions import MAX_VERSION, counted_by
from functions.stream import register
from functions.stream.quarantine import quarantine_items
from functions.systems.audits import codec as audits_codec
from functions.systems.audits.entity import BY_RESULT, Audit
from functions.systems.billing import codec as billing_codec
from functions.systems.billing.entity import Billed
from functions.systems.chat import codec as chat_codec
from functions.systems.chat import keys as chat_keys
from functions.systems.chat.entity import MAX_SHARDS, Message
from functions.systems.documents import codec as documents_codec
from functions.systems.documents import models as limits
from functions.systems.documents.entity import (
    BY_AUTHOR,
    MAX_INFORMATION,
    Information,
    InformationNames,
    Metadata,
    Permissions,
    Revision,
)
from functions.systems.documents.system import DOCUMENT
from functions.systems.games import codec as games_codec
from functions.systems.games.entity import Play, Played
from functions.systems.orders import codec as orders_codec
from functions.systems.orders.entity import Order
from functions.systems.places import codec as places_codec
from functions.systems.places.entity import Resident
from functions.systems.telemetry import codec as telemetry_codec
from functions.systems.telemetry.entity import HOURLY, Reading, cell_name
from functions.systems.telemetry.models import MAX_ATTRIBUTE_BYTES, MAX_ATTRIBUTES, MAX_METRICS
from functions.systems.telemetry.system import ROLLUP_HOUR
from functions.times import DAY, HOUR, LATEST
from functions.web.fields import Id, Name, PlacePath, ShortId

PARTITION_KEY_BYTES, SORT_KEY_BYTES, ITEM_BYTES, WRITE_UNIT = 2048, 1024, 400 * 1024, 1024
PAGE_BYTES = 1024 * 1024
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


@pytest.mark.parametrize("character", CHARACTERS)
def test_the_longest_ids_fit_every_key(character: str) -> None:
    long, short = longest(Id, character), longest(ShortId, character)
    event = Reading(long, LATEST, short, longest_place(8, character), {"x" * 64: GREATEST})
    message = Message(long, MAX_SHARDS, long, LATEST, short, "hi")
    for item in (telemetry_codec.event_item(event), chat_codec.message_item(message)):
        assert_keys_fit(item)
    guard = chat_keys.message_guard(long, long, short)
    assert len(guard.pk.encode()) <= PARTITION_KEY_BYTES
    for kind, source in (("EVENT", event), ("MESSAGE", message), ("POSTED_IN", Edge((long,), (long,), 1))):
        for aggregate_id in CATALOG.contributions(kind, source):
            assert_keys_fit(aggregate_item(full(aggregate_id, 1)))


@pytest.mark.parametrize("character", CHARACTERS)
@pytest.mark.parametrize("levels", range(1, 9))
def test_the_longest_places_fit_every_key(levels: int, character: str) -> None:
    device, place = longest(Id, character), longest_place(levels, character)
    sources = {"REPORTED_FROM": Edge((device,), place, 1), "HOSTS": Edge(place, (device,), 1)}
    event = Reading(device, LATEST, "e", place, {})
    fed = [
        *CATALOG.contributions("EVENT", event),
        *(id for kind, edge in sources.items() for id in CATALOG.contributions(kind, edge)),
    ]
    assert {"REPORTED_FROM", "HOSTS", "PLACE"} <= {aggregate_id.kind.name for aggregate_id in fed}
    for aggregate_id in fed:
        assert_keys_fit(aggregate_item(full(aggregate_id, 1)))


@pytest.mark.parametrize("character", CHARACTERS)
@pytest.mark.parametrize("levels", [1, 8])
def test_the_longest_residents_fit_every_key(levels: int, character: str) -> None:
    entity, place = longest(Id, character), longest_place(levels, character)
    assert_keys_fit(places_codec.resident_item(Resident("EQUIPMENT", entity, place)))
    for aggregate_id in CATALOG.contributions("RESIDENT", Resident("EQUIPMENT", entity, place)):
        assert_keys_fit(aggregate_item(full(aggregate_id, 1)))


@pytest.mark.parametrize("character", CHARACTERS)
def test_the_longest_bills_fit_every_key(character: str) -> None:
    billed = Billed(longest(Id, character), longest(Id, character), GREATEST, 10**9)
    assert_keys_fit(billing_codec.billed_item(billed))
    for aggregate_id in CATALOG.contributions("BILLED", billed):
        assert_keys_fit(aggregate_item(full(aggregate_id, 1)))


@pytest.mark.parametrize("character", CHARACTERS)
def test_the_longest_orders_and_plays_fit_every_key(character: str) -> None:
    name = longest(Id, character)
    order, play = Order(name, name, LATEST, GREATEST), Play(name, name, LATEST, 1, name)
    for item in (orders_codec.order_item(order), games_codec.play_item(play)):
        assert_keys_fit(item)
    for kind, source in (("ORDER", order), ("PLAY", play), ("PLAYED", Played(name, name, 1, 1))):
        for aggregate_id, observations in CATALOG.contributions(kind, source).items():
            cells = {cell: Cell() for cell in observations}
            for cell, observation in observations.items():
                cells[cell].add(observation)
            assert_keys_fit(aggregate_item(Aggregate(aggregate_id, 1, cells, {"shard": Checkpoint(1, LATEST)})))


@pytest.mark.parametrize("character", CHARACTERS)
def test_the_longest_audits_and_documents_fit_every_key(character: str) -> None:
    name = longest(Id, character)
    audit = Audit(name, name, MAX_VERSION, LATEST, name, name)
    revision = Revision(name, MAX_VERSION, LATEST, name, "")
    for item in (
        audits_codec.audit_item(audit),
        audits_codec.newest_item(audit),
        documents_codec.revision_item(revision),
        documents_codec.newest_item(revision),
        documents_codec.metadata_item(Metadata(name, name)),
        documents_codec.permissions_item(Permissions(name, name)),
        documents_codec.information_item(Information(name, longest(Name, character), "{}")),
    ):
        assert_keys_fit(item)
    for kind, source in (("AUDIT", audit), ("DOCUMENT_REVISION", revision)):
        for aggregate_id in CATALOG.contributions(kind, source):
            assert_keys_fit(aggregate_item(full(aggregate_id, 1)))


def test_all_of_a_document_that_one_query_reads_fits_a_page() -> None:
    """As many authors as a summary holds, as many readers and writers as are let through, the longest of all texts."""
    wide, name = "\U0001f600", "x" * 200
    authors = [counted_by(BY_AUTHOR, f"{number:04d}{wide * 196}") for number in range(MANY)]
    summary = fullest(DOCUMENT(name), authors, Cell(10**9), shards=100)
    attributes = {f"{number:02d}{wide * 62}": wide * limits.MAX_ATTRIBUTE for number in range(limits.MAX_ATTRIBUTES)}
    readers, writers = (
        frozenset(f"{one}{number:02d}{wide * 197}" for number in range(limits.MAX_USERS)) for one in "rw"
    )
    revision = Revision(name, MAX_VERSION, LATEST, wide * 200, "x" * limits.MAX_CONTENT_BYTES, wide * limits.MAX_NOTE)
    items = [
        aggregate_item(summary),
        documents_codec.metadata_item(Metadata(name, wide * 200, wide * limits.MAX_DESCRIPTION, attributes)),
        documents_codec.permissions_item(Permissions(name, name, readers, writers)),
        documents_codec.newest_item(revision),
        documents_codec.information_names_item(
            InformationNames(name, frozenset(f"{number:02d}{wide * 20}" for number in range(MAX_INFORMATION)), 10**9)
        ),
    ]
    assert max(map(item_size, items)) <= ITEM_BYTES
    assert sum(map(item_size, items)) <= PAGE_BYTES


def test_the_longest_shard_and_sequence_number_fit_quarantine() -> None:
    (item,) = quarantine_items("x" * 65, {"dynamodb": {"SequenceNumber": "9" * 40}}, "e" * 5000)
    assert_keys_fit(item)


def test_the_fullest_register_is_far_from_the_limit_of_an_item() -> None:
    names = frozenset(f"{number:040d}" for number in range(register.LIMIT))
    one_shard = register.Register(1, {"x" * 65: names})
    each_its_own = register.Register(
        1, {f"{'x' * 61}{number:04d}": frozenset([name]) for number, name in enumerate(names)}
    )
    assert max(item_size(register.replacement(full).item) for full in (one_shard, each_its_own)) < ITEM_BYTES / 3


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
    return Aggregate(aggregate_id, 10**9, dict.fromkeys(names, cell), checkpoints, due=frozenset(names[:1]))


# More names than fit into one item, and the shards that feed it during the 36 hours that a checkpoint may be kept: 500
# at a time, each for four hours; with records of theirs in quarantine.
MANY, SHARDS = 2000, 500 * 36 // 4
MISSING = frozenset(int("8" * 40) - number for number in range(register.LIMIT))


def fullest(aggregate_id: AggregateId, names: list[str], cell: Cell, shards: int = SHARDS) -> Aggregate:
    """An aggregate that has taken as many of these names as it does, all of them due, all with such a cell."""
    absorbed = Aggregate(aggregate_id, unbounded=True).absorb(
        "shard", [Effect(Checkpoint(1, LATEST), {name: Observation() for name in names}, {})], now=LATEST
    )
    assert absorbed is not None
    item = absorbed.aggregate
    assert item.full
    checkpoints = {
        f"{10**19 + shard:020d}-12345678": Checkpoint(int("9" * 40), LATEST - shard * HOUR // 125)
        for shard in range(shards)
    }
    checkpoints[min(checkpoints)] = Checkpoint(int("9" * 40), LATEST, MISSING)
    return replace(
        item, version=10**13, cells=dict.fromkeys(item.cells, cell), checkpoints=checkpoints, due=frozenset(item.cells)
    )


@pytest.mark.parametrize("character", [*CHARACTERS, ""])
@pytest.mark.parametrize(("kind", "bucket"), [("ROLLUP_HOUR", HOUR), ("ROLLUP_DAY", DAY)])
def test_the_fullest_aggregate_fits_an_item(kind: str, bucket: int, character: str) -> None:
    """Whatever legal names are sent: the longest of each width of a character, and short ones."""
    rollup = CATALOG.kinds[kind](longest(Id, "x"), 0)
    names = [f"{number % 4}.{number:04d}{character * 60}" for number in range(MANY)]
    item = aggregate_item(fullest(rollup, names, greatest_cell(0, bucket)))
    assert 250 < len(item["Cells"]["M"]) < 850
    assert item_size(item) <= ITEM_BYTES
    continued = fullest(continuation(rollup, names[0]), names, greatest_cell(0, bucket))
    assert item_size(aggregate_item(continued)) <= ITEM_BYTES
    assert_keys_fit(aggregate_item(continued))


@pytest.mark.parametrize("character", [*CHARACTERS, ""])
def test_the_fullest_aggregate_fits_an_item_while_it_is_recounted(character: str) -> None:
    """All of its cells at once, as many together as may be; the others are queued."""
    names = [f"{number % 4}.{number:04d}{character * 60}" for number in range(MANY)]
    item = fullest(ROLLUP_HOUR(longest(Id, "x"), 0), names, greatest_cell(0, HOUR))
    at_start = replace(item, due=frozenset(), queued=frozenset(item.cells))
    greatest = greatest_cell(0, HOUR).extremes
    recounted = at_start.with_first_step(
        at_start.queued, Progress(dict.fromkeys(names, greatest), Position(3, "x" * 1024))
    )
    assert recounted.recount
    assert len(recounted.recount.found) == TOGETHER
    under_way = replace(recounted.recount, removed=recounted.recount.found)
    cells = {name: replace(cell, extremes=Extremes()) for name, cell in item.cells.items()}
    assert item_size(aggregate_item(replace(recounted, recount=under_way, cells=cells))) <= ITEM_BYTES
    # The others' extremes are known, so their cells are of the greatest size.
    known = {name: cells[name] if name in under_way.found else cell for name, cell in item.cells.items()}
    assert (
        item_size(aggregate_item(replace(recounted, recount=under_way, queued=frozenset(), cells=known))) <= ITEM_BYTES
    )


@pytest.mark.parametrize(("kind", "group"), [("EQUIPMENT", BY_RESULT), ("DOCUMENT", BY_AUTHOR)])
@pytest.mark.parametrize("character", CHARACTERS)
def test_the_fullest_summary_fits_an_item(kind: str, group: str, character: str) -> None:
    names = [counted_by(group, f"{number:04d}{character * 196}") for number in range(MANY)]
    summary = fullest(CATALOG.kinds[kind](longest(Id, character)), names, Cell(10**12))
    assert item_size(aggregate_item(summary)) <= ITEM_BYTES


def test_the_longest_value_of_a_cell() -> None:
    """In an item two bytes more: one in the map of cells, one in the list of those due."""
    values = [pack(greatest_cell(0, bucket), 0) for bucket in (HOUR, DAY)]
    assert max(map(size, values)) + 2 <= VALUE_BYTES


def test_nine_metrics_have_one_item_whatever_they_are_called() -> None:
    """And a hundred have: continuations are for devices that most people don't have."""
    for metrics, character in ((9, chr(0x1F600)), (100, "x")):
        names = [f"{hour}.{number:04d}{character * 60}" for hour in range(4) for number in range(metrics)]
        effect = Effect(Checkpoint(1, 0), {name: Observation() for name in names}, {})
        absorbed = Aggregate(ROLLUP_HOUR("d", 0), unbounded=True).absorb("shard", [effect], now=1)
        assert absorbed is not None
        assert not absorbed.aggregate.full


def test_the_fullest_event_fits_an_item() -> None:
    metrics = {f"{number:04d}{chr(0x1F600) * 60}": GREATEST for number in range(MAX_METRICS)}
    attributes = {f"{number:02d}": "x" * (MAX_ATTRIBUTE_BYTES // MAX_ATTRIBUTES) for number in range(MAX_ATTRIBUTES)}
    event = Reading(longest(Id, "x"), LATEST, longest(ShortId, "x"), longest_place(8, "é"), metrics, attributes)
    assert item_size(telemetry_codec.event_item(event)) <= ITEM_BYTES


def test_four_hours_of_hourly_weather_cost_one_write_unit() -> None:
    """Nine measures read once an hour, as in the demo's data, written by two shards: a shard and its child."""
    readings = {
        "temp": "39.02", "dewp": "26.06", "humid": "59.37", "wind_dir": "270", "wind_speed": "10.35702",
        "wind_gust": "20.71404", "precip": "0.01", "pressure": "1012.3", "visib": "10",
    }  # fmt: skip
    cells = {}
    for hour in range(4):
        at = hour * HOURLY.bucket + 51 * 60_000
        for name, value in readings.items():
            cell = Cell()
            cell.add(Observation(1, Decimal(value), at))
            cells[cell_name(HOURLY, at, name)] = cell
    checkpoints = {
        f"{1535544000000 + shard:020d}-{shard:08d}": Checkpoint(10**22 + shard, 1535544000000) for shard in range(2)
    }
    item = aggregate_item(Aggregate(ROLLUP_HOUR("EWR", 0), 4, cells, checkpoints))
    assert len(item["Cells"]["M"]) == 36
    assert item_size(item) <= WRITE_UNIT
