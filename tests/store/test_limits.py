"""The longest input that the models let through always fits DynamoDB's limits."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest
from pydantic import TypeAdapter

from functions.domain.aggregates import MAX_CELLS, Aggregate, AggregateId, Mark
from functions.domain.audits import Audit
from functions.domain.billing import Billed
from functions.domain.catalog import contributions
from functions.domain.chat import MAX_SHARDS, Message
from functions.domain.documents import BY_AUTHOR, Metadata, Permissions, Revision
from functions.domain.edges import Edge
from functions.domain.games import Play, Played
from functions.domain.measures import Cell, Observation
from functions.domain.orders import Order
from functions.domain.places import Resident
from functions.domain.telemetry import HOURLY, Event, cell_name
from functions.domain.times import LATEST
from functions.domain.versions import MAX_VERSION, counted_by
from functions.handlers.models import documents as limits
from functions.handlers.models.fields import Id, PlacePath, ShortId
from functions.handlers.models.telemetry import MAX_METRICS
from functions.store import codec, held, keys
from functions.store.aggregate_items import aggregate_item
from functions.store.attributes import Item
from functions.store.quarantine import quarantine_items
from functions.store.schema import INDEXES

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
    event = Event(long, LATEST, short, longest_place(8, character), {"x" * 64: GREATEST})
    message = Message(long, MAX_SHARDS, long, LATEST, short, "hi")
    for item in (codec.telemetry.event_item(event), codec.chat.message_item(message)):
        assert_keys_fit(item)
    guard = keys.chat.message_guard(long, long, short)
    assert len(guard.pk.encode()) <= PARTITION_KEY_BYTES
    for kind, source in (("EVENT", event), ("MESSAGE", message), ("POSTED_IN", Edge((long,), (long,), 1))):
        for aggregate_id in contributions(kind, source):
            assert_keys_fit(aggregate_item(full(aggregate_id, 1)))


@pytest.mark.parametrize("character", CHARACTERS)
@pytest.mark.parametrize("levels", range(1, 9))
def test_the_longest_places_fit_every_key(levels: int, character: str) -> None:
    device, place = longest(Id, character), longest_place(levels, character)
    sources = {"REPORTED_FROM": Edge((device,), place, 1), "HOSTS": Edge(place, (device,), 1)}
    event = Event(device, LATEST, "e", place, {})
    fed = [*contributions("EVENT", event), *(id for kind, edge in sources.items() for id in contributions(kind, edge))]
    assert {"REPORTED_FROM", "HOSTS", "PLACE"} <= {aggregate_id.kind for aggregate_id in fed}
    for aggregate_id in fed:
        assert_keys_fit(aggregate_item(full(aggregate_id, 1)))


@pytest.mark.parametrize("character", CHARACTERS)
@pytest.mark.parametrize("levels", [1, 8])
def test_the_longest_residents_fit_every_key(levels: int, character: str) -> None:
    entity, place = longest(Id, character), longest_place(levels, character)
    assert_keys_fit(codec.places.resident_item(Resident("EQUIPMENT", entity, place)))
    for aggregate_id in contributions("RESIDENT", Resident("EQUIPMENT", entity, place)):
        assert_keys_fit(aggregate_item(full(aggregate_id, 1)))


@pytest.mark.parametrize("character", CHARACTERS)
def test_the_longest_bills_fit_every_key(character: str) -> None:
    billed = Billed(longest(Id, character), longest(Id, character), GREATEST, 10**9)
    assert_keys_fit(codec.billing.billed_item(billed))
    for aggregate_id in contributions("BILLED", billed):
        assert_keys_fit(aggregate_item(full(aggregate_id, 1)))


@pytest.mark.parametrize("character", CHARACTERS)
def test_the_longest_orders_and_plays_fit_every_key(character: str) -> None:
    name = longest(Id, character)
    order, play = Order(name, name, LATEST, GREATEST), Play(name, name, LATEST, 1, name)
    for item in (codec.orders.order_item(order), codec.games.play_item(play)):
        assert_keys_fit(item)
    for kind, source in (("ORDER", order), ("PLAY", play), ("PLAYED", Played(name, name, 1, 1))):
        for aggregate_id, observations in contributions(kind, source).items():
            cells = {cell: Cell() for cell in observations}
            for cell, observation in observations.items():
                cells[cell].add(observation)
            assert_keys_fit(aggregate_item(Aggregate(aggregate_id, 1, cells, {"lane": Mark(1, LATEST)})))


@pytest.mark.parametrize("character", CHARACTERS)
def test_the_longest_audits_and_documents_fit_every_key(character: str) -> None:
    name = longest(Id, character)
    audit = Audit(name, name, MAX_VERSION, LATEST, name, name)
    revision = Revision(name, MAX_VERSION, LATEST, name, "")
    for item in (
        codec.audits.audit_item(audit),
        codec.audits.newest_item(audit),
        codec.documents.revision_item(revision),
        codec.documents.newest_item(revision),
        codec.documents.metadata_item(Metadata(name, name)),
        codec.documents.permissions_item(Permissions(name, name)),
    ):
        assert_keys_fit(item)
    for kind, source in (("AUDIT", audit), ("DOCUMENT_REVISION", revision)):
        for aggregate_id in contributions(kind, source):
            assert_keys_fit(aggregate_item(full(aggregate_id, 1)))


def test_all_of_a_document_that_one_query_reads_fits_a_page() -> None:
    """As many authors as a summary holds, as many readers and writers as are let through, the longest of all texts."""
    wide, name = "\U0001f600", "x" * 200
    authors = [counted_by(BY_AUTHOR, f"{number:03d}{wide * 197}") for number in range(MAX_CELLS)]
    summary = Aggregate(
        AggregateId("DOCUMENT", (name,)),
        10**9,
        dict.fromkeys(authors, Cell(10**9)),
        {f"{lane:020d}-12345678": Mark(int("9" * 40), LATEST) for lane in range(100)},
    )
    attributes = {f"{number:02d}{wide * 62}": wide * limits.MAX_ATTRIBUTE for number in range(limits.MAX_ATTRIBUTES)}
    readers, writers = (
        frozenset(f"{one}{number:02d}{wide * 197}" for number in range(limits.MAX_USERS)) for one in "rw"
    )
    revision = Revision(name, MAX_VERSION, LATEST, wide * 200, "x" * limits.MAX_CONTENT_BYTES, wide * limits.MAX_NOTE)
    items = [
        aggregate_item(summary),
        codec.documents.metadata_item(Metadata(name, wide * 200, wide * limits.MAX_DESCRIPTION, attributes)),
        codec.documents.permissions_item(Permissions(name, name, readers, writers)),
        codec.documents.newest_item(revision),
    ]
    assert max(map(item_size, items)) <= ITEM_BYTES
    assert sum(map(item_size, items)) <= PAGE_BYTES


def test_the_longest_lane_and_sequence_number_fit_quarantine() -> None:
    (item,) = quarantine_items("x" * 65, {"dynamodb": {"SequenceNumber": "9" * 40}}, "e" * 5000)
    assert_keys_fit(item)


def test_the_fullest_register_is_far_from_the_limit_of_an_item() -> None:
    names = frozenset(f"{number:040d}" for number in range(held.LIMIT))
    one_lane = held.Register(1, {"x" * 65: names})
    each_its_own = held.Register(1, {f"{'x' * 61}{number:04d}": frozenset([name]) for number, name in enumerate(names)})
    assert max(item_size(held.replacement(full).item) for full in (one_lane, each_its_own)) < ITEM_BYTES / 3


def full(aggregate_id: AggregateId, cells: int, lanes: int = 1) -> Aggregate:
    """An aggregate with cells of the greatest size, under the longest names."""
    cell = Cell()
    start = aggregate_id.parts[-1] if isinstance(aggregate_id.parts[-1], int) else 0
    for at in range(start, start + 2):
        cell.add(Observation(1, GREATEST, at + HOURLY.bucket - 2))
    names = [f"0.{number:04d}{chr(0x1F600) * 60}" for number in range(cells)]
    marks = {f"{lane:020d}-12345678": Mark(int("9" * 40), LATEST) for lane in range(lanes)}
    return Aggregate(aggregate_id, 10**9, dict.fromkeys(names, cell), marks, overflow=10**9, due=frozenset(names[:1]))


def test_the_fullest_aggregate_fits_an_item() -> None:
    """Names of 64 characters of four bytes, numbers of 31 digits, as many lanes as a busy table has shards."""
    rollup = AggregateId("ROLLUP_HOUR", ("x" * 200, 0))
    assert item_size(aggregate_item(full(rollup, MAX_CELLS, lanes=100))) <= ITEM_BYTES


def test_the_fullest_event_fits_an_item() -> None:
    metrics = {f"{number:04d}{chr(0x1F600) * 60}": GREATEST for number in range(MAX_METRICS)}
    event = Event(longest(Id, "x"), LATEST, longest(ShortId, "x"), longest_place(8, "é"), metrics)
    assert item_size(codec.telemetry.event_item(event)) <= ITEM_BYTES


def test_four_hours_of_hourly_weather_cost_one_write_unit() -> None:
    """Nine measures read once an hour, as in the demo's data, written by two lanes: a shard and its child."""
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
    marks = {f"{1535544000000 + lane:020d}-{lane:08d}": Mark(10**22 + lane, 1535544000000) for lane in range(2)}
    item = aggregate_item(Aggregate(AggregateId("ROLLUP_HOUR", ("EWR", 0)), 4, cells, marks))
    assert len(item["Cells"]["M"]) == 36
    assert item_size(item) <= WRITE_UNIT
