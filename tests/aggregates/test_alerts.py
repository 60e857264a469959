"""The part that keeps which conditions hold."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from edgewise import AggregateId, Alert, Alerts, Cell, KeyTemplate, Kind
from edgewise.aggregates import keys
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.alerts import Held, crossings
from edgewise.aggregates.catalog import Catalog, DeclarationError
from edgewise.aggregates.feeds import Feed, Source
from edgewise.aggregates.measures import Extremes, Fed, Observation
from edgewise.aggregates.recounts import going_on
from edgewise.aggregates.recounts.declaration import Extremal, FromSources, Read
from edgewise.aggregates.recounts.progress import START, Progress
from edgewise.aggregates.stored import aggregate, aggregate_item
from edgewise.dynamodb.attributes import integer, key_item, n, s
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.queries import BeginsWith, Query
from functions.replay.memory import MemoryTable

CROWDED = Alerts(Alert("crowded", lambda _, cells: cells["People"].count >= 3), Alert("quiet", lambda *_: False))
ROOM = Kind(
    name="ROOM",
    rank=1,
    cells="people",
    feeds=(),
    key=KeyTemplate("ROOM#{room}"),
    readable_by_all=True,
    parts=(CROWDED,),
)


def stored(people: int, version: int, before: Aggregate | None = None) -> Aggregate:
    """As it is stored with so many people."""
    of = replace(before or Aggregate(ROOM("r")), version=version, cells={"People": Cell(count=people)})
    return aggregate(of.id, aggregate_item(of.to_put()))


def test_a_condition_has_the_version_at_which_it_last_changed() -> None:
    few = stored(2, 1)
    assert few.alerts == {}
    many = stored(3, 2, few)
    more = stored(9, 3, many)
    assert many.alerts == more.alerts == {"crowded": Held(True, 2)}
    fewer = stored(1, 4, more)
    assert fewer.alerts == stored(0, 5, fewer).alerts == {"crowded": Held(False, 4)}


def test_what_can_not_be_told_now_is_as_it_was() -> None:
    """As while extremes are recounted."""

    def great(_: AggregateId, cells: Mapping[str, Cell]) -> bool | None:
        high = cells["A"].extremes.high
        return None if high is None else high >= 3

    room = replace(ROOM, parts=(Alerts(Alert("great", great)),))

    def put(high: int | None, version: int, before: Aggregate) -> Aggregate:
        extremes = Extremes() if high is None else Extremes(Decimal(high), Decimal(high))
        return replace(before, version=version, cells={"A": Cell(9, extremes=extremes)}).to_put()

    unknown = put(None, 1, Aggregate(room("r")))
    assert unknown.alerts == {}
    greater = put(3, 2, unknown)
    still = put(None, 3, greater)
    assert greater.alerts == still.alerts == put(5, 4, still).alerts == {"great": Held(True, 2)}
    assert put(1, 4, still).alerts == {"great": Held(False, 4)}


def test_the_end_of_a_recount_in_steps_asks_conditions_again() -> None:
    """Two people of 7 and 9 are in a room; the recount of the eldest began when one of 11 left."""
    partition = ROOM.partitions("r")
    eldest = Alerts(Alert("eldest", lambda _, cells: cells["Age"].extremes.high == 9))
    room = replace(
        ROOM,
        feeds=(Feed(Source("PERSON", lambda item: integer(item["Age"])), _of_room),),
        parts=(
            Extremal(FromSources(lambda _table, _room: iter([Read(Query(partition, BeginsWith("PERSON")))]))),
            eldest,
        ),
    )
    table = MemoryTable()
    table.put_many(
        [{**key_item(Key(partition, f"PERSON#{age}")), "Type": s("PERSON"), "Age": n(age)} for age in (7, 9)]
    )
    before = replace(Aggregate(room("r")), version=1, cells={"Age": Cell(2, Decimal(16))})
    begun = before.with_first_step({"Age"}, Progress({}, START, sources={"Age": {}}))
    table.put_version(aggregate_item(begun), 0)
    going_on.go_on(table, [begun.id], lambda _: None)
    assert aggregate(begun.id, table.get(keys.of(begun.id))).alerts == {"eldest": Held(True, 2)}


def _of_room(age: int) -> Fed:
    yield ("r",), {"Age": Observation(1, Decimal(age))}


def test_the_item_of_a_crossing_tells_it_and_no_later_one_does() -> None:
    many = stored(3, 2)
    told = [list(crossings(aggregate_item(each))) for each in (many, stored(4, 3, many), stored(0, 4, many))]
    assert told == [[("crowded", True)], [], [("crowded", False)]]


def test_what_has_never_been_counted_is_an_empty_cell() -> None:
    assert stored(0, 1).to_put().alerts == {}
    assert replace(Aggregate(ROOM("r")), version=1).to_put().alerts == {}


def test_what_only_some_may_read_has_no_alerts() -> None:
    hidden = Kind(name="HIDDEN", rank=1, cells="", feeds=(), key=KeyTemplate("HIDDEN#{name}"), parts=(CROWDED,))
    with pytest.raises(DeclarationError, match="readable by all"):
        Catalog([hidden])


@pytest.mark.parametrize(
    ("parts", "fault"),
    [((Alerts, CROWDED), "has a part that is none"), ((CROWDED, CROWDED), "has more than one Alerts")],
    ids=["a class", "two of a class"],
)
def test_a_part_that_would_do_nothing_is_refused(parts: tuple[Any, ...], fault: str) -> None:
    kind = Kind(name="PLAIN", rank=1, cells="", feeds=(), key=KeyTemplate("PLAIN#{name}"), readable_by_all=True)
    Catalog([replace(kind, parts=(CROWDED,))])
    with pytest.raises(DeclarationError, match=fault):
        Catalog([replace(kind, parts=parts)])
