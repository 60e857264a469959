"""Which partial aggregate takes a record, and what may have partial aggregates."""

from itertools import chain

import pytest

from functions.aggregates.checkpoints import Checkpoint
from functions.aggregates.edges import Edge
from functions.aggregates.effects import Effect
from functions.aggregates.ids import AggregateId
from functions.aggregates.kinds import Kind
from functions.aggregates.measures import ZERO, Observation
from functions.aggregates.partials import NO_PARTIALS, Partials
from functions.catalog import CATALOG
from functions.stream import windows
from functions.systems.chat.system import ROOM
from functions.systems.games.entity import Play, Played
from functions.systems.graph.entity import GraphEdge, NodeId
from functions.systems.places.entity import Resident
from functions.systems.telemetry.entity import Reading

STEP = 1_796_083_200_000  # 2026-12-01T00:00:00Z
SHARDS = [f"{1541011234567 + 77_777 * number:020d}-{number * 987_654_321 % 2**32:08x}" for number in range(64)]


def partials_of(history: str, at: int) -> list[int | None]:
    return [Partials.parse(history).partial_of(shard, at) for shard in SHARDS]


def test_one_partial_is_none() -> None:
    assert set(partials_of("1", STEP)) == {None}


def test_shards_share_the_partials_evenly_enough() -> None:
    found = partials_of("8", STEP)
    assert set(found) == set(range(8))
    assert max(found.count(partial) for partial in range(8)) <= 2 * len(SHARDS) / 8


def test_a_record_keeps_its_partial_when_the_number_changes_later() -> None:
    """Else one that comes again, or is redriven, would count in a second partial aggregate."""
    changed = "2,4@2026-12-01T00:00:00Z,1@2026-12-02T00:00:00Z"
    assert partials_of(changed, STEP - 1) == partials_of("2", 0)
    assert partials_of(changed, STEP) == partials_of("4", 0) != partials_of("2", 0)
    assert partials_of(changed, STEP + 24 * 3_600_000) == partials_of("1", 0)


@pytest.mark.parametrize("text", ["1", "64", "1,4@2026-12-01T00:00:00.000Z,2@2026-12-01T00:00:00.001Z"])
def test_a_history_as_text(text: str) -> None:
    assert str(Partials.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "'' must be a number of partial aggregates from 1 to 64"),
        ("0", "'0' must be a number"),
        ("65", "'65' must be a number"),
        ("٤", "must be a number"),
        ("-1", "'-1' must be a number"),
        ("4@2026-12-01T00:00:00Z", "must be a number"),
        ("1,4", "RFC 3339"),
        ("1,4@tomorrow", "RFC 3339"),
        ("1,4@2026-12-01T00:00:00", "with an offset"),
        ("1,4@2026-12-01T00:00:00Z,2@2026-12-01T01:00:00+01:00", r"2026-12-01T01:00:00\+01:00 must be later"),
        ("1,65@2026-12-01T00:00:00Z", "'65' must be a number"),
    ],
)
def test_a_history_that_is_none(text: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        Partials.parse(text)


AMY, BOB = NodeId("person", "amy"), NodeId("person", "bob")


@pytest.mark.parametrize(
    ("source", "item", "slotted"),
    [
        ("POSTED_IN", Edge(("amy",), ("seattle",), 7), {("ROOM", ("seattle",))}),
        (
            "EVENT",
            Reading("123", 0, "e1", ("US", "NY"), {"temp": ZERO}),
            {("PLACE", (("US",),)), ("PLACE", (("US", "NY"),))},
        ),
        ("HOSTS", Edge(("US", "NY"), ("123",), 2), set()),
        ("RESIDENT", Resident("ROOM", "seattle", ("US",)), {("PLACE", (("US",),))}),
        (
            "GRAPH_EDGE",
            GraphEdge(AMY, "KNOWS", BOB, ZERO),
            {("DEGREE", (BOB, "in", "KNOWS"))},
        ),
        ("PLAY", Play("amy", "chess", 0, 1, "Champ"), set()),
        (
            "PLAYED",
            Played("amy", "chess", 1, 0),
            {("GAME", ("chess",))} | {("SCORES", ("chess", f"{2**39:010x}"[:digits])) for digits in range(0, 10, 2)},
        ),
    ],
)
def test_what_items_of_many_partitions_feed_goes_to_the_partial(
    source: str, item: object, slotted: set[object]
) -> None:
    direct, by_partial = CATALOG.contributions(source, item), CATALOG.contributions(source, item, partial=3)
    to_partials = by_partial.keys() - direct.keys()
    assert {(each.kind.name, each.dimensions) for each in to_partials} == slotted
    assert {each.aggregate: seen for each, seen in by_partial.items()} == direct
    assert all(each.partial == 3 for each in to_partials)


def test_a_partial_of_an_aggregate() -> None:
    room = ROOM("seattle")
    partial = AggregateId(room.kind, ("seattle",), partial=3)
    assert partial.aggregate == room.aggregate == room
    assert (partial.type, partial.is_read, room.type, room.is_read) == ("PART", False, "ROOM", True)


def test_partials_wait_with_what_they_are_of() -> None:
    effect = Effect(Checkpoint(1, 1), {"Users": Observation()}, {})
    room, game = (CATALOG.kinds[kind]("a")._replace(partial=2) for kind in ("ROOM", "GAME"))
    batch = {room: [effect], game: [effect]}
    ready, state = windows.split(CATALOG, {}, batch)
    assert not ready
    assert windows.ended(CATALOG, state, ready).ready == batch


@pytest.mark.parametrize("kind", CATALOG.kinds.values(), ids=lambda kind: kind.name)
def test_only_what_is_never_recounted_has_partials(kind: Kind) -> None:
    """They have no extremes; and they stand between two ranks, so the chain ends all the same."""
    if any(feed.shared for feed in kind.feeds):
        assert kind.extremes is None
        assert all(feed.source.kind is None or feed.source.kind.rank < kind.rank for feed in kind.feeds)


def test_partials_bring_no_extremes() -> None:
    fed = CATALOG.contributions("POSTED_IN", Edge(("amy",), ("seattle",), 7), partial=1)
    observed = chain.from_iterable(seen.values() for about, seen in fed.items() if about.partial is not None)
    assert {(each.value, each.at) for each in observed} == {(None, None)}


def test_the_consumer_is_always_sent_partials() -> None:
    """A deployment that asks for none may follow one that did."""
    assert set(CATALOG.delivered_types) == {*CATALOG.source_types, "PART"}


MINUTE = 60_000


def test_a_step_counts_from_a_minute_later_on() -> None:
    """Whoever runs now knows nothing of it, and has no record of that time."""
    assert str(NO_PARTIALS.extended(4, STEP)) == "1,4@2026-12-01T00:01:00.000Z"


def test_as_many_partials_as_there_are_is_no_step() -> None:
    assert NO_PARTIALS.extended(1, STEP) is NO_PARTIALS


def test_two_releases_beside_each_other_do_not_take_turns() -> None:
    """The older one asks for 1, the newer one for 4; after ten minutes only one of them runs."""
    history = NO_PARTIALS.extended(4, STEP)
    for minutes in range(11):
        assert history.extended(1, STEP + minutes * MINUTE - 1) == history
    assert history.extended(1, STEP + 11 * MINUTE).steps[-1] == (STEP + 12 * MINUTE, 1)
