"""Rankings as values: who enters, who leaves, in which order, and what a refill knows; and their items."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.measures import Cell
from edgewise.aggregates.rankings import codec, roster
from edgewise.aggregates.rankings.declaration import RankingId, tie
from edgewise.aggregates.rankings.floor import KEPT, LEAST, MOST, TOP, Place, Ranking, Refill, best_first
from edgewise.aggregates.rankings.magnitude import magnitude
from edgewise.aggregates.stored import aggregate, aggregate_item
from functions.catalog import CATALOG
from functions.systems.graph.entity import EDGES, NodeId
from functions.systems.graph.system import DEGREE

ID = RankingId(DEGREE, ("KNOWS", "in"), "count")
FLOOR = Place(Decimal(5), tie("person#amy"))
numbers = st.decimals(allow_nan=False, allow_infinity=False, places=18, min_value=-(10**31), max_value=10**31)


def member(number: int) -> str:
    return f"person#{number}"


def of(count: int) -> dict[str, Decimal | None]:
    """Members with the numbers 0, 1, 2 and so on."""
    return {member(number): Decimal(number) for number in range(count)}


def test_without_a_floor_everybody_with_a_place_is_named() -> None:
    assert Ranking(ID).judging({"a": Decimal(-7), "b": None}).names == {"a"}


def test_who_reaches_the_floor_enters_and_who_fell_below_is_unsure() -> None:
    known = Ranking(ID, 3, FLOOR, frozenset("abc"), frozenset("d"))
    after = known.judging({"a": Decimal(4), "b": None, "d": Decimal(6), "e": Decimal(7), "f": Decimal(4)})
    assert (after.names, after.unsure) == (frozenset("cde"), frozenset("ab"))
    assert known.judging({"c": Decimal(6), "f": Decimal(4), "d": Decimal(4)}) is known


def test_of_equal_numbers_the_digest_decides() -> None:
    known = Ranking(ID, 3, FLOOR)
    names = [member(number) for number in range(20)]
    after = known.judging(dict.fromkeys(names, Decimal(5)))
    assert after.names == {name for name in names if tie(name) >= tie("person#amy")}
    assert 0 < len(after.names) < len(names)


def test_after_the_second_look_those_below_the_floor_are_gone() -> None:
    known = Ranking(ID, 3, FLOOR, frozenset("a"), frozenset("bcd"))
    after = known.settled({"b": Decimal(4), "c": Decimal(6)})
    assert (after.names, after.unsure) == (frozenset("ac"), frozenset("d"))


def test_a_prune_keeps_the_best_and_makes_the_others_unsure() -> None:
    found = of(MOST + 20)
    stored = frozenset(member(number) for number in range(0, MOST + 20, 2))
    after = Ranking(ID, 3, names=frozenset(found)).pruned(found, stored)
    kept = {member(number) for number in range(MOST + 20 - KEPT, MOST + 20)}
    assert after.names == kept
    assert after.unsure == stored - kept
    assert after.floor == Place(Decimal(MOST + 20 - KEPT), tie(member(MOST + 20 - KEPT)))


def test_a_prune_that_reaches_what_was_complete_ends_a_refill() -> None:
    found = of(MOST + 1)
    for above, ended in ((Decimal(MOST + 1), False), (Decimal(1), True)):
        pruned = Ranking(ID, 3, None, frozenset(found), refill=Refill(2, Place(above, ""))).pruned(found, frozenset())
        assert (pruned.refill is None) == ended


def test_a_short_ranking_is_refilled_and_complete_only_at_the_end() -> None:
    names = frozenset(of(LEAST))
    assert not Ranking(ID, 3, FLOOR, names).is_short
    assert not Ranking(ID, 3, None, frozenset()).is_short
    short = Ranking(ID, 3, FLOOR, names - {member(1)})
    assert short.is_short
    lowered = short.lowered()
    assert (lowered.floor, lowered.complete_from, lowered.is_short) == (None, FLOOR, False)
    going_on = lowered.filled({"z": Decimal(-1)}, "ROSTER#1")
    assert (going_on.complete_from, going_on.refill) == (FLOOR, Refill(3, FLOOR, "ROSTER#1"))
    assert "z" in going_on.names
    assert going_on.filled({}, None).complete_from is None


def test_as_many_as_readers_want_are_left_before_a_refill_begins() -> None:
    assert TOP < LEAST < KEPT < MOST


@given(st.dictionaries(st.text("abc", min_size=1), st.none() | st.decimals(-3, 3, places=0)))
def test_the_order_is_that_of_the_numbers(found: dict[str, Any]) -> None:
    order = [found[name] for name in best_first(found, found)]
    assert order == sorted((number for number in found.values() if number is not None), reverse=True)


@given(numbers, numbers)
def test_a_greater_number_never_has_a_smaller_magnitude(one: Decimal, other: Decimal) -> None:
    assert (magnitude(one) <= magnitude(other)) or one > other


@pytest.mark.parametrize(
    ("number", "expected"),
    [("0", "1"), ("1", "2500"), ("9.99", "2500"), ("10", "2501"), ("0.05", "2498"), ("-1", "0500"), ("-10", "0499")],
)
def test_magnitudes_read_as_they_are_documented(number: str, expected: str) -> None:
    assert magnitude(Decimal(number)) == expected


places = st.builds(Place, numbers, st.text("0123456789abcdef", min_size=16, max_size=16))
names = st.frozensets(st.text("ab#$", min_size=1))


@given(
    st.builds(
        Ranking,
        st.just(ID),
        st.integers(1),
        st.none() | places,
        names,
        names,
        st.none() | st.builds(Refill, st.integers(1), places, st.text()),
    )
)
def test_items_are_reversible(ranking: Ranking) -> None:
    item = codec.ranking_item(ranking)
    assert codec.ranking(ID, item) == ranking
    assert (codec.REFILLING in item) == (ranking.is_short or ranking.refill is not None)
    if codec.REFILLING in item:
        assert RankingId.named(CATALOG.kinds, codec.refilling(item)) == ID


def degree(name: str, count: int, weight: str = "1") -> Aggregate:
    return Aggregate(DEGREE(NodeId("person", name), "in", "KNOWS"), cells={EDGES: Cell(count, Decimal(weight))})


def test_a_roster_names_members_by_the_magnitudes_of_both_numbers() -> None:
    (part,) = roster.parts(each.to_put() for each in [degree("amy", 30, "-7.5"), degree("cyd", 4, "12")])
    assert part["PK"] == {"S": "RANK#KNOWS#in"}
    assert part["Members"]["SS"] == ["person#amy 2501 0500", "person#cyd 2500 2501"]
    by_weight = RankingId(DEGREE, ("KNOWS", "in"), "weight")
    assert roster.members(Ranking(ID), part) == {"person#amy", "person#cyd"}
    assert roster.members(Ranking(ID, 1, Place(Decimal(11), "")), part) == {"person#amy"}
    assert roster.members(Ranking(by_weight, 1, Place(Decimal(0), "")), part) == {"person#cyd"}


@pytest.mark.parametrize(
    ("count", "weight", "expected"),
    [
        (5, "7", ("2500", "2500")),
        (6, "10", ("2500", "2501")),
        (0, "0", ("2500", "2500")),
        (1, "-3", ("2500", "2500")),
        (10, "0", ("2501", "2500")),
    ],
)
def test_a_member_is_enrolled_at_the_greatest_magnitudes_that_it_ever_had(
    count: int, weight: str, expected: tuple[str, ...]
) -> None:
    before = degree("amy", 1).to_put()
    after = replace(degree("amy", count, weight), enrolled=before.enrolled)
    assert after.to_put().enrolled == expected


def test_a_prune_that_raises_no_floor_does_not_end_a_refill() -> None:
    """More names than fit, most of which lost their places meanwhile."""
    begun = Ranking(ID, 3, None, frozenset(of(MOST + 1)), refill=Refill(3, FLOOR))
    lost = {name: number if number is not None and number < KEPT else None for name, number in of(MOST + 1).items()}
    after = begun.pruned(lost, begun.names)
    assert (after.floor, after.refill) == (None, begun.refill)


def test_a_member_without_a_place_is_not_enrolled() -> None:
    assert degree("amy", 0, "0").to_put().enrolled == ()


def test_where_it_is_enrolled_is_stored() -> None:
    known = replace(degree("amy", 12).to_put(), version=1, checkpoints={"shard": Checkpoint(1, 1000)})
    assert aggregate(known.id, aggregate_item(known)) == known
