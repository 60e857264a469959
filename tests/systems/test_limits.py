"""The longest ids that the models let through always fit DynamoDB's limits, in systems that have them in common."""

import pytest

from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.edges import Edge
from edgewise.aggregates.measures import Cell
from edgewise.aggregates.stored import aggregate_item
from edgewise.times import LATEST
from functions.catalog import CATALOG
from functions.replay.validation import ITEM_BYTES, PARTITION_KEY_BYTES
from functions.revisions.versions import MAX_VERSION
from functions.systems.audits import items as audits_items
from functions.systems.audits.entity import Audit
from functions.systems.chat import codec as chat_codec
from functions.systems.chat import keys as chat_keys
from functions.systems.chat.entity import MAX_SHARDS, Message
from functions.systems.chat.models import MAX_TEXT
from functions.systems.documents import items as documents_items
from functions.systems.documents.entity import Information, Metadata, Permissions, Revision
from functions.systems.games import codec as games_codec
from functions.systems.games.entity import Play, Played
from functions.systems.orders.entity import Order
from functions.systems.orders.items import ORDER
from functions.systems.telemetry import codec as telemetry_codec
from functions.systems.telemetry.entity import Reading
from functions.web.fields import Id, Name, ShortId
from tests.support.limits import CHARACTERS, GREATEST, assert_keys_fit, full, item_size, longest, longest_place


@pytest.mark.parametrize("character", CHARACTERS)
def test_the_longest_ids_fit_every_key(character: str) -> None:
    long, short = longest(Id, character), longest(ShortId, character)
    event = Reading(long, LATEST, short, longest_place(8, character), {"x" * 256: GREATEST})
    message = Message(long, MAX_SHARDS, long, LATEST, short, "hi")
    for item in (telemetry_codec.event_item(event), chat_codec.message_item(message)):
        assert_keys_fit(item)
    guard = chat_keys.message_guard(long, long, short)
    assert len(guard.pk.encode()) <= PARTITION_KEY_BYTES
    for kind, source in (("EVENT", event), ("MESSAGE", message), ("POSTED_IN", Edge((long,), (long,), 1))):
        for aggregate_id in CATALOG.contributions(kind, source):
            assert_keys_fit(aggregate_item(full(aggregate_id, 1)))


def test_the_longest_message_fits_an_item() -> None:
    name = longest(Id, chr(0x1F600))
    message = Message(name, MAX_SHARDS, name, LATEST, longest(ShortId, "x"), chr(0x1F600) * MAX_TEXT)
    assert item_size(chat_codec.message_item(message)) <= ITEM_BYTES


@pytest.mark.parametrize("character", CHARACTERS)
def test_the_longest_orders_and_plays_fit_every_key(character: str) -> None:
    name = longest(Id, character)
    order, play = Order(name, name, LATEST, GREATEST), Play(name, name, LATEST, 1, name)
    for item in (ORDER.encode(order), games_codec.play_item(play)):
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
        audits_items.AUDIT.encode(audit),
        audits_items.NEWEST.encode(audit),
        documents_items.REVISION.encode(revision),
        documents_items.NEWEST.encode(revision),
        documents_items.METADATA.encode(Metadata(name, name)),
        documents_items.PERMISSIONS.encode(Permissions(name, name)),
        documents_items.INFORMATION.encode(Information(name, longest(Name, character), "{}")),
    ):
        assert_keys_fit(item)
    for kind, source in (("AUDIT", audit), ("DOCUMENT_REVISION", revision)):
        for aggregate_id in CATALOG.contributions(kind, source):
            assert_keys_fit(aggregate_item(full(aggregate_id, 1)))
