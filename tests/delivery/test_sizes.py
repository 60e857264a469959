"""Batches as large as Lambda's, of records as large and odd as DynamoDB's: the aggregates are those of a recount."""

import json
from base64 import b64encode
from collections.abc import Iterator
from decimal import Decimal
from itertools import count
from typing import Any

import pytest

from delivery.mapping import PAYLOAD
from delivery.sizes import item_size
from edgewise.aggregates.carriers.carrying import CARRIES
from edgewise.aggregates.open_hours.attributes import CLOSING
from edgewise.dynamodb.attributes import Item, key_of
from edgewise.stream.register import register
from functions.catalog import CATALOG
from functions.replay.validation import ITEM_BYTES
from functions.systems.audits import items as audits_items
from functions.systems.audits.entity import Audit
from functions.systems.chat import codec as chat_codec
from functions.systems.chat.entity import Message
from functions.systems.documents import items as documents_items
from functions.systems.documents.entity import Revision
from functions.systems.telemetry import codec as telemetry_codec
from functions.systems.telemetry.entity import Reading
from tests.adversarial.texts import ODD, WIDTHS, Texts, everywhere, longest
from tests.delivery.consuming import Consume
from tests.delivery.stories import audits, chat, documents, telemetry
from tests.delivery.stories.chat import Post
from tests.delivery.stories.story import Story
from tests.delivery.stories.telemetry import Sent
from tests.support.http import Context
from tests.support.streams import StreamedMemory, window_event

# The payload cuts batches at a little less than this, as records are.
MOST, START, HOUR = 10_000, 1_535_544_000_000, 3_600_000
# Readings of that time feed hours and days themselves.
PAST = START - 24 * HOUR
SHARD = "shard-0"


def batches(shard: list[dict[str, Any]], payload: int) -> Iterator[list[dict[str, Any]]]:
    """All that the mapping's filter lets through, also of what comes meanwhile, in the largest batches of Lambda's."""
    while wanted := [record for record in shard if passes(record)]:
        size, left = 0, payload - len(json.dumps(window_event(SHARD, [])))
        for record in wanted[:MOST]:
            left -= len(json.dumps(record, default=in_base64, ensure_ascii=False).encode()) + 1
            if left < 0:
                break
            size += 1
        shard[:] = wanted[size:]
        yield wanted[:size]


def type_of(record: dict[str, Any]) -> str:
    change = record["dynamodb"]
    return str((change.get("NewImage") or change["OldImage"])["Type"]["S"])


def passes(record: dict[str, Any]) -> bool:
    """Whether the filter lets a record through: of what passes something on, only the very put that does."""
    found = type_of(record)
    image = record["dynamodb"].get("NewImage", {})
    return CARRIES in image or CLOSING in image or (found in CATALOG.source_types and found not in CATALOG.senders)


def in_base64(binary: bytes) -> str:
    return b64encode(binary).decode()


def absorb(table: StreamedMemory, consume: Consume, payload: int = PAYLOAD) -> list[int]:
    """Let the consumer have everything; how many records each event had."""
    handler, sizes = consume(table), []
    for batch in batches(table.shards[SHARD], payload):
        handler(window_event(SHARD, batch), Context())
        sizes.append(len(batch))
    assert register(table).count == 0
    return sizes


def write(table: StreamedMemory, readings: list[Sent]) -> None:
    names = map(str, count())
    events = (Reading(one.device, one.at, next(names), one.place, one.metrics) for one in readings)
    table.put_many([telemetry_codec.event_item(event) for event in events])


def assert_exact(table: StreamedMemory, story: Story, facts: list[Any]) -> None:
    assert story.actual(table.all_items()) == story.recount(facts)


def test_ten_thousand_records_of_one_aggregate(consume: Consume) -> None:
    table = StreamedMemory()
    readings = [Sent("d", PAST + n * 100, (), {"t": Decimal(n * 7919 % 1000)}) for n in range(MOST)]
    write(table, readings)
    assert absorb(table, consume, 2 * PAYLOAD) == [MOST]
    assert_exact(table, telemetry.STORY, readings)
    assert len(table.items) == MOST + 3 + 1  # the position of the shard


def test_ten_thousand_records_of_three_times_as_many_aggregates(consume: Consume) -> None:
    table = StreamedMemory()
    readings = [Sent(f"{n}", PAST, (), {"t": Decimal(n)}) for n in range(MOST)]
    write(table, readings)
    assert absorb(table, consume, 2 * PAYLOAD) == [MOST]
    assert_exact(table, telemetry.STORY, readings)
    assert len(table.items) == MOST + 3 * MOST + 1


def test_places_of_the_greatest_depth_that_have_nothing_in_common(consume: Consume) -> None:
    """Each record feeds an edge, and each edge seventeen aggregates."""
    table, devices = StreamedMemory(), 250
    readings = [Sent(f"d{n}", START, tuple(f"{n}-{level}" for level in range(8)), {}) for n in range(devices)]
    write(table, readings)
    absorb(table, consume)
    assert_exact(table, telemetry.STORY, readings)
    assert len(table.items) == devices * (1 + 1 + 17) + 1


def filled(item: Item, name: str) -> Item:
    """The item with so much text that DynamoDB takes no byte more."""
    return item | {name: {"S": "x" * (ITEM_BYTES - item_size(item | {name: {"S": ""}}))}}


def store_and_change(table: StreamedMemory, items: list[Item], name: str) -> None:
    """Store the greatest items, then change each, so that its record has two great images, and remove the last one."""
    for text in ("y", "z"):
        table.put_many([filled(item | {"Changed": {"S": text}}, name) for item in items])
    table.delete(key_of(items[-1]))


def test_images_of_400_kb(consume: Consume) -> None:
    """Seven records are an event then."""
    table, size = StreamedMemory(), 12
    posts = [Post("r", f"u{n % 3}", START + n) for n in range(size)]
    messages = [Message("r", 1, post.user, post.at, f"{post.at}", "") for post in posts]
    store_and_change(table, [chat_codec.message_item(message) for message in messages], "Text")
    revisions = [Revision("d", n, START, f"a{n % 3}", "") for n in range(1, size)]
    store_and_change(table, [documents_items.REVISION.encode(revision) for revision in revisions], "Content")
    checks = [Audit("e", "", n, START, "amy", f"r{n % 3}") for n in range(1, size)]
    store_and_change(table, [audits_items.AUDIT.encode(audit) for audit in checks], "Notes")
    assert set(map(item_size, table.items.values())) == {ITEM_BYTES}
    assert 7 in absorb(table, consume)
    assert_exact(table, chat.STORY, posts[:-1])
    assert_exact(table, documents.STORY, [documents.Fact("d", revision.author) for revision in revisions[:-1]])
    assert_exact(table, audits.STORY, [audits.Fact("e", audit.result) for audit in checks[:-1]])


def spelt(text: str) -> str:
    """A text as it stands in keys."""
    return "".join(character if character > "$" else f"${ord(character):02x}" for character in text)


def spelt_in_keys(reading: Sent) -> Sent:
    return reading._replace(device=spelt(reading.device), place=tuple(map(spelt, reading.place)))


@pytest.mark.parametrize("texts", [[*map(everywhere, ODD)], [*map(longest, WIDTHS)]], ids=["odd", "longest"])
def test_ids_of_any_text(texts: list[Texts], consume: Consume) -> None:
    """Also such as look like numbers, keys or instants; no two of them are taken for one."""
    table, readings, posts = StreamedMemory(), [], []
    for number, t in enumerate(texts):
        reading = Sent(t.id, START + number * HOUR, t.place, {t.metric: Decimal(number)})
        event = Reading(reading.device, reading.at, t.short, reading.place, reading.metrics)
        message = Message(t.id, 1, t.id, START, t.short, t.text)
        table.put_many([telemetry_codec.event_item(event), chat_codec.message_item(message)])
        readings.append(spelt_in_keys(reading))
        posts.append(Post(spelt(t.id), spelt(t.id), START))
    absorb(table, consume)
    assert_exact(table, telemetry.STORY, readings)
    assert_exact(table, chat.STORY, posts)
