"""The part that keeps which conditions hold."""

from dataclasses import replace

import pytest

from edgewise import Alert, Alerts, Cell, Kind, Partitions
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.alerts import Held, crossings
from edgewise.aggregates.catalog import Catalog, DeclarationError
from edgewise.aggregates.stored import aggregate, aggregate_item

CROWDED = Alerts(Alert("crowded", lambda _, cells: cells["People"].count >= 3), Alert("quiet", lambda *_: False))
ROOM = Kind(
    name="ROOM",
    rank=1,
    cells="people",
    feeds=(),
    partitions=Partitions("ROOM"),
    readable_by_all=True,
    parts=(CROWDED,),
)


def stored(people: int, version: int, before: Aggregate | None = None) -> Aggregate:
    """As it is stored with so many people."""
    of = replace(before or Aggregate(ROOM("r")), version=version, cells={"People": Cell(count=people)})
    return aggregate(of.id, aggregate_item(of.to_put()))


def test_a_condition_has_the_version_at_which_it_last_changed() -> None:
    few = stored(2, 1)
    assert few.kept == {}
    many = stored(3, 2, few)
    more = stored(9, 3, many)
    assert many.kept == more.kept == {Alerts: {"crowded": Held(True, 2)}}
    fewer = stored(1, 4, more)
    assert fewer.kept == stored(0, 5, fewer).kept == {Alerts: {"crowded": Held(False, 4)}}


def test_the_item_of_a_crossing_tells_it_and_no_later_one_does() -> None:
    many = stored(3, 2)
    told = [list(crossings(aggregate_item(each))) for each in (many, stored(4, 3, many), stored(0, 4, many))]
    assert told == [[("crowded", True)], [], [("crowded", False)]]


def test_what_has_never_been_counted_is_an_empty_cell() -> None:
    assert stored(0, 1).to_put().kept == {}
    assert replace(Aggregate(ROOM("r")), version=1).to_put().kept == {}


def test_what_only_some_may_read_has_no_alerts() -> None:
    hidden = Kind(name="HIDDEN", rank=1, cells="", feeds=(), partitions=Partitions("HIDDEN"), parts=(CROWDED,))
    with pytest.raises(DeclarationError, match="readable by all"):
        Catalog([hidden])
