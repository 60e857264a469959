"""The core of aggregation knows no system: it keeps the aggregates of whatever catalog it is given."""

import random
from collections import Counter
from dataclasses import replace
from decimal import Decimal
from typing import Any, NamedTuple

import pytest

from edgewise import KeyTemplate
from edgewise.aggregates.catalog import Catalog, DeclarationError
from edgewise.aggregates.feeds import Feed, Source
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.keys import of as key
from edgewise.aggregates.kinds import Kind, Shared
from edgewise.aggregates.measures import Cell, Fed, Observation
from edgewise.aggregates.recounts.declaration import Extremal, FromSources, Read
from edgewise.aggregates.stored import cells
from edgewise.dynamodb.attributes import Item, integer, n, s, string
from edgewise.dynamodb.keys import Key, Partitions, join, split
from edgewise.dynamodb.queries import Between, Query
from edgewise.dynamodb.table import Table
from edgewise.pending import FollowUp
from edgewise.stream.consumer import consume
from edgewise.stream.follow_ups import FollowUps
from edgewise.stream.register import register
from edgewise.stream.verification import verify
from tests.support.streams import StreamedMemory, window_event


class Sighting(NamedTuple):
    """Somebody has seen so many birds of a species."""

    watcher: str
    species: str
    number: int
    birds: int


class Edge(NamedTuple):
    watcher: str
    species: str


def sighting_item(seen: Sighting) -> Item:
    place = {"PK": s(join("WATCHER", seen.watcher)), "SK": s(join("SIGHTING", seen.species, str(seen.number)))}
    return place | {"Type": s("SIGHTING"), "Birds": n(seen.birds)}


def sighting(item: Item) -> Sighting:
    (_, watcher), (_, species, number) = split(string(item["PK"])), split(string(item["SK"]))
    return Sighting(watcher, species, int(number), integer(item["Birds"]))


def edge(item: Item) -> Edge | None:
    return Edge(*names(string(item["PK"]), string(item["SK"]))) if cells(item) else None


def names(pk: str, sk: str) -> tuple[str, str]:
    return split(pk)[1], split(sk)[1]


def of_watched(seen: Sighting) -> Fed:
    yield (seen.watcher, seen.species), {"Birds": Observation(1, Decimal(seen.birds), 0)}


def of_watcher(watched: Edge) -> Fed:
    yield (watched.watcher,), {"Species": Observation()}


WATCHERS = Partitions("WATCHER")


def sightings(watcher: str, species: str) -> Query:
    return Query(WATCHERS(watcher), Between(join("SIGHTING", species), join("SIGHTING", species, ":")))


WATCHED = Kind(
    name="WATCHED",
    rank=1,
    cells="birds of a species, seen by a watcher; fewest, most",
    feeds=(Feed(Source("SIGHTING", sighting), of_watched),),
    key=KeyTemplate("WATCHER#{watcher}", "WATCHED#{species}"),
    sources=lambda reader, watcher, species: reader.read(sightings(watcher, species)),
    parts=(Extremal(FromSources(lambda _, watcher, species: iter([Read(sightings(watcher, species))]))),),
)
WATCHER = Kind(
    name="BIRDWATCHER",
    rank=2,
    cells="distinct species",
    feeds=(Feed(WATCHED.source(edge), of_watcher),),
    key=KeyTemplate("WATCHER#{watcher}", "SUMMARY"),
    sources=lambda reader, watcher: reader.read(Query(WATCHERS(watcher))),
)
CATALOG = Catalog([WATCHED, WATCHER])


def deliver(table: StreamedMemory, rng: random.Random) -> None:
    """Every shard to its end, some batches twice, and again as long as the consumer's own writes bring records."""
    seen = dict.fromkeys(table.shards, 0)
    while any(seen[shard] < len(records) for shard, records in table.shards.items()):
        for shard, records in table.shards.items():
            end = min(seen[shard] + rng.randint(1, 5), len(records))
            for start in (seen[shard], max(0, end - rng.randint(0, 8))):
                event = window_event(shard, records[start:end])
                consume(CATALOG, table, register(table), shard, event, lambda: True, None, lambda *_: ())
            seen[shard] = end


def stored(table: Table, about: AggregateId) -> dict[str, Cell]:
    item = table.get(key(about))
    return cells(item) if item else {}


@pytest.mark.histories(5)
def test_the_consumer_keeps_the_aggregates_of_a_catalog_that_is_declared_here(seed: int) -> None:
    rng, table, alive = random.Random(seed), StreamedMemory(2), dict[Key, Sighting]()
    for number in range(120):
        seen = Sighting(rng.choice("ab"), rng.choice(("wren", "owl", "kite")), number, rng.randint(-9, 9))
        item = sighting_item(seen)
        table.put_many([item])
        alive[Key(string(item["PK"]), string(item["SK"]))] = seen
        if rng.random() < 0.6:
            gone = rng.choice(sorted(alive))
            table.delete(gone)
            del alive[gone]
    deliver(table, rng)

    for watcher in "ab":
        birds = Counter(seen.species for seen in alive.values() if seen.watcher == watcher)
        found = stored(table, WATCHER(watcher))
        assert {name: cell.count for name, cell in found.items()} == ({"Species": len(birds)} if birds else {})
        for species in ("wren", "owl", "kite"):
            of = [seen.birds for seen in alive.values() if (seen.watcher, seen.species) == (watcher, species)]
            told = stored(table, WATCHED(watcher, species)).get("Birds", Cell())
            assert (told.count, int(told.total)) == (len(of), sum(of))
            assert verify(table, WATCHED(watcher, species), lambda: True).equal
        assert verify(table, WATCHER(watcher), lambda: True).equal


def replaced(kind: Kind, **changes: Any) -> Kind:
    return replace(kind, **changes)


@pytest.mark.parametrize(
    ("kinds", "why"),
    [
        ([WATCHED, replaced(WATCHED, key=WATCHER.key)], "two kinds of aggregates are called WATCHED"),
        (
            [WATCHED, replaced(WATCHER, feeds=(Feed(Source("SIGHTING", edge), of_watcher),))],
            "SIGHTING are decoded in two",
        ),
        ([WATCHER], "BIRDWATCHER is fed by WATCHED, which must be declared"),
        ([WATCHED, replaced(WATCHER, rank=1)], "of a lower rank"),
        (
            [WATCHED, replaced(WATCHER, feeds=(Feed(Source("WATCHED", edge), of_watcher),))],
            "not by the kind of that name",
        ),
        ([replaced(WATCHED, parts=(*WATCHED.parts, Shared()))], "must only count and add up"),
    ],
)
def test_what_is_missing_or_named_twice_is_named(kinds: list[Kind], why: str) -> None:
    with pytest.raises(DeclarationError, match=why):
        Catalog(kinds)


@pytest.mark.parametrize("needed", ["SIGHTING", "WATCHED", "BIRDWATCHER"])
def test_nothing_that_is_counted_may_be_ignored(needed: str) -> None:
    with pytest.raises(DeclarationError, match=f"must deliver {needed}"):
        Catalog([WATCHED, WATCHER], ignored=("LOCK", needed))


def test_nothing_that_is_followed_may_be_ignored() -> None:
    followed = FollowUp(pending=lambda new, old: None, finish=lambda table, pending: None)
    with pytest.raises(DeclarationError, match="must deliver LOCK"):
        FollowUps(Catalog([WATCHED, WATCHER], ignored=("LOCK",)), [{"LOCK": followed}])


def test_what_is_ignored_is_not_delivered_to_anybody() -> None:
    catalog = Catalog([WATCHED, WATCHER], ignored=("LOCK",))
    assert "LOCK" in catalog.undelivered_types
    assert "LOCK" in FollowUps(catalog, []).undelivered_types
