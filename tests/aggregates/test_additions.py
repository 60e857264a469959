"""What a repair adds makes an aggregate right, whatever has come to it meanwhile."""

import json
from decimal import Decimal

import pytest

from edgewise.aggregates import additions
from edgewise.aggregates.additions import Added, addition
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import REPAIRS, Checkpoint
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.measures import Cell, Extremes, Moment, Observation
from edgewise.times import HOUR
from functions.catalog import CATALOG

AT = 1_795_000_000_000
EXTREMES = Extremes(Decimal(1), Decimal(3), Moment(AT, Decimal(1)), Moment(AT + 1000, Decimal(3)))
WIDER = Extremes(Decimal(0), Decimal(3), Moment(AT, Decimal(0)), Moment(AT + 1000, Decimal(3)))
CUSTOMER = CATALOG.kinds["CUSTOMER"]("amy")


@pytest.mark.parametrize(
    ("stored", "right", "added"),
    [
        ({"a": Cell(2)}, {"a": Cell(2)}, {}),
        ({"a": Cell(2)}, {"a": Cell(5, Decimal("0.1"))}, {"a": Added(3, Decimal("0.1"))}),
        ({}, {"a": Cell(5)}, {"a": Added(5, Decimal(0))}),
        ({"a": Cell(5, Decimal(7), EXTREMES)}, {}, {"a": Added(-5, Decimal(-7))}),
        (
            {"a": Cell(2, Decimal(4), EXTREMES)},
            {"a": Cell(2, Decimal(4), WIDER)},
            {"a": Added(0, Decimal(0), WIDER)},
        ),
    ],
)
def test_an_addition_is_the_difference(
    stored: dict[str, Cell], right: dict[str, Cell], added: additions.Addition
) -> None:
    assert addition(stored, right) == added


def test_an_addition_survives_its_file() -> None:
    of = {"a": Added(-3, Decimal("1e-18")), "b": Added(0, Decimal(0), WIDER)}
    assert additions.of_plain(json.loads(json.dumps(additions.plain(of)))) == of


def repaired(of: Aggregate, instant: int, count: int) -> Aggregate:
    effect = Effect(Checkpoint(instant, instant), additions.observations({"Orders": Added(count, Decimal(0))}), {})
    absorbed = of.absorb(REPAIRS, [effect], AT + HOUR)
    return absorbed.aggregate if absorbed else of


def from_stream(of: Aggregate, sequence: int, at: int) -> Aggregate:
    absorbed = of.absorb("shard", [Effect(Checkpoint(sequence, at), {"Orders": Observation()}, {})], AT + HOUR)
    return absorbed.aggregate if absorbed else of


def test_a_repair_counts_once_whatever_the_stream_brings_between() -> None:
    before = from_stream(Aggregate(CUSTOMER), 1, AT)
    after = repaired(from_stream(repaired(before, AT, 5), 2, AT + 1), AT, 5)
    assert after.cells["Orders"].count == 2 + 5


def test_what_a_repair_has_counted_is_not_counted_again_when_it_comes_late() -> None:
    after = from_stream(repaired(Aggregate(CUSTOMER), AT, 5), 1, AT)
    assert after.cells["Orders"].count == 5


def test_an_older_plan_adds_nothing_after_a_newer_one() -> None:
    after = repaired(repaired(Aggregate(CUSTOMER), AT + 1, 5), AT, 3)
    assert after.cells["Orders"].count == 5
