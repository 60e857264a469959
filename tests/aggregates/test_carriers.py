"""What a carrier takes of a shard's records, its item, and what its record brings."""

import json
import zlib
from decimal import Decimal
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.aggregates import packed_checkpoints
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.carriers import carrying
from edgewise.aggregates.carriers.carrying import Carrier, Taken
from edgewise.aggregates.checkpoints import LATEST_DELIVERY, REPAIRS, Checkpoint
from edgewise.aggregates.effects import Batch, Effect, Made
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.kinds import Kind
from edgewise.aggregates.measures import ZERO, Observation
from edgewise.dynamodb.attributes import Item
from functions.catalog import CATALOG
from tests.support.streams import PRESENT

ROOM, PLACE = CATALOG.kinds["ROOM"]("seattle"), CATALOG.kinds["PLACE"](("US", "NY"))
SCORES = CATALOG.kinds["SCORES"]("chess")
NOBODY: dict[str, frozenset[int]] = {}


def effect(sequence: int, *, at: int = PRESENT, amount: Decimal | None = None, weight: int = 1) -> Effect:
    return Effect(Checkpoint(sequence, at), {"Edges": Observation(weight, amount=amount)}, {})


NEW = Carrier(0, "shard")


def taken(batch: Batch, before: Carrier = NEW, upto: Checkpoint | None = None) -> Taken:
    found = before.absorb(batch, upto, PRESENT, NOBODY)
    assert found is not None
    return found


def after(item: Item) -> Carrier:
    return carrying.carrier(0, "shard", item)


def brought(item: Item) -> dict[AggregateId, Effect]:
    shares = carrying.sent(CATALOG, item).items()
    return {about: Effect(Checkpoint(7, 99), each.changes, {}, made=each.made) for about, each in shares}


def test_its_item() -> None:
    item = taken(
        {
            SCORES: [effect(5, amount=Decimal("2.5")), effect(6, at=PRESENT + 4_000)],
            ROOM: [effect(6, at=PRESENT + 4_000)],
        }
    ).item
    packed = item.pop(carrying.CARRIED)["B"]
    assert item == {
        "PK": {"S": "CARRIER#0"},
        "SK": {"S": "shard"},
        "Type": {"S": "CARRIER"},
        "Version": {"N": str(PRESENT)},
        "Seqs": {"B": packed_checkpoints.pack({"shard": Checkpoint(6, PRESENT + 4_000)})},
        "Carries": {"S": "2"},
    }
    assert json.loads(zlib.decompress(packed)) == [
        [["ROOM", ["seattle"]], PRESENT + 4_000, 0, 0, {"Edges": 1}],
        [["SCORES", ["chess"]], PRESENT, 4_000, 0, {"Edges": [2, "2.5"]}],
    ]


amounts = st.none() | st.decimals(-(10**12), 10**12, places=6)
effects = st.lists(st.tuples(st.integers(-3, 3), amounts, st.booleans()), min_size=1, max_size=6)


@given(effects)
def test_what_it_brings_is_the_net_change(each: list[tuple[int, Decimal | None, bool]]) -> None:
    seen = [(Observation(weight, amount=amount), adds) for weight, amount, adds in each]
    batch = {
        SCORES: [
            Effect(Checkpoint(number, PRESENT), {"n": one} if adds else {}, {} if adds else {"n": one})
            for number, (one, adds) in enumerate(seen, 1)
        ]
    }
    weight = sum(one.weight if adds else -one.weight for one, adds in seen)
    total = sum(((one.amount or ZERO) if adds else -(one.amount or ZERO) for one, adds in seen), ZERO)
    changes = {"n": Observation(weight, amount=total)} if weight or total else {}
    found = brought(taken(batch).item)
    assert found == {SCORES: Effect(Checkpoint(7, 99), changes, {}, made=Made(PRESENT, PRESENT))}


def test_the_next_put_carries_only_what_it_absorbed_itself() -> None:
    first = taken({ROOM: [effect(5)], SCORES: [effect(5)]})
    second = taken({ROOM: [effect(5), effect(6, weight=3)], SCORES: [effect(5)]}, after(first.item))
    assert {about: found.added["Edges"].weight for about, found in brought(second.item).items()} == {ROOM: 3}
    assert int(second.item["Version"]["N"]) == int(first.item["Version"]["N"]) + 1
    assert after(second.item).absorb({ROOM: [effect(5), effect(6)]}, None, PRESENT, NOBODY) is None


def test_a_put_that_only_moves_its_checkpoint_carries_nothing() -> None:
    """The stream need not deliver it: if it did, and the next position said so, there would be no end."""
    item = taken({}, upto=Checkpoint(9, PRESENT)).item
    assert not {carrying.CARRIES, carrying.CARRIED} & item.keys()
    assert carrying.sent(CATALOG, item) == {}
    assert after(item).checkpoint == Checkpoint(9, PRESENT)
    assert after(item).absorb({}, Checkpoint(9, PRESENT), PRESENT, NOBODY) is None


def test_what_cancels_still_moves_the_checkpoints() -> None:
    batch = {ROOM: [effect(5), effect(6, weight=-1)]}
    item = taken(batch).item
    assert {about: found.added for about, found in brought(item).items()} == {ROOM: {}}
    assert after(item).absorb({ROOM: batch[ROOM][1:]}, None, PRESENT, NOBODY) is None


def test_records_in_quarantine_stay_missing_until_they_come() -> None:
    carrier = Carrier(0, "shard")
    first = carrier.absorb({ROOM: [effect(6)]}, None, PRESENT, {"shard": frozenset({5})})
    assert first is not None
    known = after(first.item).checkpoint
    assert known is not None
    assert known.missing == {5}
    redriven = after(first.item).absorb({ROOM: [effect(5)]}, None, PRESENT, {"shard": frozenset({5})})
    assert redriven is not None
    (found,) = brought(redriven.item).values()
    assert found.made == Made(PRESENT, PRESENT, redriven=True)
    assert after(redriven.item).checkpoint == Checkpoint(6, PRESENT)


def test_what_comes_too_late_is_not_carried_but_named() -> None:
    """The checkpoint that covered it may have been dropped."""
    old = effect(5, at=PRESENT - LATEST_DELIVERY - 1)
    found = taken({ROOM: [old, effect(6)], SCORES: [old]})
    assert {about: got.added["Edges"].weight for about, got in brought(found.item).items()} == {ROOM: 1}
    assert found.too_late == {ROOM: [old], SCORES: [old]}
    kept = Carrier(0, "shard").absorb({ROOM: [old]}, None, PRESENT, {"shard": frozenset({5})})
    assert kept is not None
    assert (kept.too_late, len(brought(kept.item))) == ({}, 1)


def test_what_is_too_large_for_an_item_goes_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carrying, "MOST_BYTES", 400)
    rooms = {CATALOG.kinds["ROOM"](f"{number * 7**40:x}"): [effect(number)] for number in range(1, 60)}
    carrier, found, puts = Carrier(0, "shard"), dict[AggregateId, Effect](), 0
    while part := carrier.absorb(rooms, Checkpoint(99, PRESENT), PRESENT, NOBODY):
        assert not found.keys() & brought(part.item).keys()
        found |= brought(part.item)
        carrier, puts = after(part.item), puts + 1
    assert found.keys() == rooms.keys()
    assert carrier.checkpoint == Checkpoint(99, PRESENT)
    assert puts > 3


def test_kinds_that_the_release_does_not_know_are_passed_over() -> None:
    packed = zlib.compress(json.dumps([[["DECLARED_LATER", ["x"]], 0, 0, 0, {"n": 1}]]).encode())
    assert carrying.sent(CATALOG, {carrying.CARRIED: {"B": packed}}) == {}


@pytest.mark.parametrize("kind", CATALOG.kinds.values(), ids=lambda kind: kind.name)
def test_shared_aggregates_only_count_and_add_up(kind: Kind) -> None:
    """Carriers bring neither extremes nor closings; and they stand between two ranks, so the chain ends."""
    if kind.shared:
        assert kind.extremes is None
        assert kind.name not in CATALOG.feeds
        assert kind.opened_in is None


def test_these_are_shared() -> None:
    assert {kind.name for kind in CATALOG.kinds.values() if kind.shared} == {
        "ROOM",
        "PLACE",
        "GAME",
        "SCORES",
    }


def test_everything_of_a_put_has_its_own_time() -> None:
    batch = {ROOM: [effect(1, at=PRESENT - 9_000), effect(3)], SCORES: [effect(2, at=PRESENT - 5_000)]}
    found = brought(taken(batch).item)
    assert {about: got.made for about, got in found.items()} == {
        ROOM: Made(PRESENT - 9_000, PRESENT),
        SCORES: Made(PRESENT - 5_000, PRESENT - 5_000),
    }
    assert set(chain.from_iterable(got.added for got in found.values())) == {"Edges"}


def test_ordinary_and_redriven_changes_are_carried_apart() -> None:
    """A plan has counted the ones but not the others, and judges a share as a whole."""
    batch, set_aside = {ROOM: [effect(5), effect(6), effect(7)]}, {"shard": frozenset({6})}
    carrier, puts = Carrier(0, "shard"), []
    while part := carrier.absorb(batch, Checkpoint(9, PRESENT), PRESENT, set_aside):
        (found,) = brought(part.item).values()
        puts.append((found.added["Edges"].weight, found.made and found.made.redriven, part.whole))
        carrier = after(part.item)
    assert puts == [(1, False, False), (1, True, False), (1, False, True)]
    assert carrier.checkpoint == Checkpoint(9, PRESENT)


PLANNED = {REPAIRS: Checkpoint(PRESENT, PRESENT)}


@pytest.mark.parametrize(
    ("made", "at", "counted", "doubted"),
    [
        (Made(PRESENT - 9, PRESENT), PRESENT + 5, 0, False),
        (Made(PRESENT + 1, PRESENT + 9), PRESENT + 9, 1, False),
        (Made(PRESENT - 9, PRESENT + 9), PRESENT + 9, 1, True),
        (Made(PRESENT - 9, PRESENT, redriven=True), PRESENT + 5, 1, False),
        (Made(PRESENT - 9, PRESENT, redriven=True), PRESENT - 1, 0, False),
    ],
    ids=["before", "after", "both", "redriven after", "redriven before"],
)
@pytest.mark.parametrize("set_aside", [False, True])
def test_what_a_plan_has_counted_is_passed_over_even_if_the_carrier_was_in_quarantine(
    made: Made, at: int, counted: int, doubted: bool, set_aside: bool
) -> None:
    """A source that nobody could read was not counted; that of an unreadable carrier was."""
    effects = [Effect(Checkpoint(7, at), {"Messages": Observation()}, {}, made=made)]
    found = Aggregate(ROOM, 1, {}, PLANNED).absorb("other", effects, at, {"other": {7}} if set_aside else NOBODY)
    cells = found.aggregate.cells if found else {}
    assert (len(cells), bool(found and found.aggregate.lacks)) == (counted, doubted)
