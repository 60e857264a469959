"""A release that can't read some items, at any time and for any time: what it sets aside is counted exactly once."""

import hashlib
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import boto3
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from functions.domain.errors import MalformedRecordError
from functions.handlers import edge_aggregator
from functions.settings import ConsumerSettings
from functions.store import aggregate_writer, codec, stream
from functions.store.attributes import Item
from functions.store.held import register
from functions.store.quarantine import page
from functions.store.redrive import redrive
from functions.store.schema import create_table_request
from functions.store.table import CONFIG, Table
from tests.delivery.actual import actual, children
from tests.delivery.history import CHANGED, Change, Sources, changes
from tests.delivery.hostile import Delivery, FragileEngine, FragileMemory, FragileTable, KilledError, Step
from tests.delivery.recount import Expected, recount
from tests.support.memory import key_of

Consumer = Callable[[Table], Callable[[dict[str, Any]], Any]]
KINDS = ("EVENT", "MESSAGE", "POSTED_IN", "REPORTED_FROM")


@dataclass(frozen=True)
class Release:
    """From now on a release runs that can't read these kinds of items; if `some`, every second of them only."""

    unreadable: frozenset[str]
    some: bool

    def reads(self, kind: str, item: Item) -> bool:
        chosen = hashlib.sha256(f"{key_of(item)}".encode()).digest()[0] % 2 == 0
        return kind not in self.unreadable or (self.some and not chosen)


@dataclass(frozen=True)
class Redrive:
    """Somebody redrives one of the records in quarantine; the process dies at a write, or somebody is faster."""

    which: int
    fault: str
    write: int


class Releases:
    """What the consumer reads items with: a dictionary of decoders, like the real one."""

    def __init__(self, decoders: Mapping[str, Callable[[Item], Any]]) -> None:
        self._decoders = decoders
        self.current = Release(frozenset(), some=False)

    def __contains__(self, kind: object) -> bool:
        return kind in self._decoders

    def __getitem__(self, kind: str) -> Callable[[Item], Any]:
        def decode(item: Item) -> Any:
            if not self.current.reads(kind, item):
                raise KeyError(kind)
            return self._decoders[kind](item)

        return decode


Happening = Change | Step | Release | Redrive
FAULTS = ("plain", "plain", "rewind", "zombie", "killed", "answer_lost", "race")
steps = st.builds(
    Step,
    lane=st.integers(0, 3),
    size=st.integers(1, 12),
    fault=st.sampled_from(FAULTS),
    back=st.integers(0, 15),
    write=st.integers(0, 8),
)
# Often one that reads everything: only then a redrive has an effect.
unreadable = st.one_of(st.just(frozenset[str]()), st.frozensets(st.sampled_from(KINDS), min_size=1))
releases = st.builds(Release, unreadable, st.booleans())
redrives = st.builds(
    Redrive, st.integers(0, 5), st.sampled_from(("plain", "killed", "answer_lost", "race")), st.integers(0, 12)
)
changed = changes(CHANGED)
histories = st.lists(
    st.one_of(changed, changed, changed, steps, steps, releases, redrives, redrives), min_size=30, max_size=80
)


@contextmanager
def released() -> Iterator[Releases]:
    with pytest.MonkeyPatch.context() as patch:
        releases = Releases(codec.SOURCES)
        patch.setattr(stream, "SOURCES", releases)
        yield releases


def run(history: list[Happening], table: FragileTable, consumer: Consumer) -> tuple[Expected, Expected]:
    """What the aggregates say after everything could be read and was redriven, and what they must say."""
    sources, delivery = Sources(table), Delivery(table, consumer(table))
    with released() as releases:
        for happening in history:
            match happening:
                case Change():
                    sources.change(happening)
                case Step():
                    delivery.step(happening)
                case Release():
                    releases.current = happening
                case Redrive():
                    redrive_one(table, happening)
        releases.current = Release(frozenset(), some=False)
        settle(table, delivery)
    return actual(table.all_items()), recount(*sources.counted())


def settle(table: FragileTable, delivery: Delivery) -> None:
    """Deliver and redrive until nothing is left of either: what is redriven may write edges, which are delivered."""
    delivery.drain()
    while register(table).count:
        for held in page(table, 1000, None)[0]:
            redrive(table, held.lane, held.sequence)
        delivery.drain()


def redrive_one(table: FragileTable, happening: Redrive) -> None:
    found, _ = page(table, 1000, None)
    if not found:
        return
    held = found[happening.which % len(found)]
    if happening.fault != "plain":
        table.writes_left = happening.write
        table.answer_lost = happening.fault == "answer_lost"
    if happening.fault == "race":
        table.interruption = lambda: attempt(table, held.lane, held.sequence)
    try:
        attempt(table, held.lane, held.sequence)
    except KilledError:
        pass
    finally:
        table.writes_left, table.interruption, table.answer_lost = None, None, False


def attempt(table: FragileTable, lane: str, sequence: str) -> None:
    try:
        redrive(table, lane, sequence)
    except MalformedRecordError:
        assert register(table).has(lane, sequence), "what can't be understood stays"


@pytest.fixture
def consumer(monkeypatch: pytest.MonkeyPatch, lambda_context: Any) -> Consumer:
    """Gives, for a table, the function that delivers one event to the stream consumer."""
    monkeypatch.setattr(aggregate_writer, "CONNECTIONS", 1)  # writes in a known order, so that a failure repeats
    monkeypatch.setattr(edge_aggregator, "settings", lambda: ConsumerSettings("Memory", "shard"))

    def on(table: Table) -> Callable[[dict[str, Any]], Any]:
        monkeypatch.setattr(edge_aggregator, "table", lambda: table)
        return lambda event: edge_aggregator.handler(event, lambda_context)

    return on


many = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(history=histories)
@many
def test_aggregates_equal_the_recount(history: list[Happening], consumer: Consumer) -> None:
    table = FragileMemory(shards=4)
    found, expected = run(history, table, consumer)
    assert found == expected
    assert children(table.all_items()) == {at: counts for at, counts in expected.places.items() if len(at) > 1}


@given(history=histories)
@settings(many, max_examples=10, phases=[Phase.generate])
def test_so_they_do_on_dynamodb_local(
    history: list[Happening], dynamodb_local: str, aws_env: pytest.MonkeyPatch, consumer: Consumer
) -> None:
    client = boto3.client("dynamodb", endpoint_url=dynamodb_local, config=CONFIG)
    name = f"redrive-{uuid.uuid4()}"
    client.create_table(**create_table_request(name))
    found, expected = run(history, FragileEngine(name, client, shards=4), consumer)
    assert found == expected


@pytest.mark.parametrize("fault", ["killed", "answer_lost"])
@pytest.mark.parametrize("write", range(12))
def test_what_stands_before_a_record_in_quarantine_is_in(write: int, fault: str, consumer: Consumer) -> None:
    """A redrive moves the marks to it: what the dead consumer had not absorbed before it would be lost."""
    table = FragileMemory(shards=1)
    sources, delivery = Sources(table), Delivery(table, consumer(table))
    with released() as releases:
        for number in range(4):
            sources.change(Change("event", number % 2, 0, number, 0, {"temp": Decimal(number)}))
        releases.current = Release(frozenset({"EVENT"}), some=True)
        stored = [item for item in table.all_items() if item["Type"]["S"] == "EVENT"]
        assert 0 < sum(releases.current.reads("EVENT", item) for item in stored) < len(stored)
        delivery.step(Step(0, 100, fault, 0, write))
        releases.current = Release(frozenset(), some=False)
        for held in page(table, 1000, None)[0]:
            redrive(table, held.lane, held.sequence)
        settle(table, delivery)
    assert actual(table.all_items()) == recount(*sources.counted())
