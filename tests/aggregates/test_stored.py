"""Aggregates as items: each shape of a cell, and everything back again."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.continuations.items import continuation
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Cell, Extremes, Moment, Observation, measurable
from edgewise.aggregates.recounts import attributes
from edgewise.aggregates.recounts.attributes import RECOUNTING
from edgewise.aggregates.recounts.going_on import unfinished
from edgewise.aggregates.recounts.progress import Position, Recount
from edgewise.aggregates.recounts.unknown import Unknown
from edgewise.aggregates.stored import aggregate, aggregate_item, cell, cells
from edgewise.dynamodb.schema import TTL_ATTRIBUTE
from functions.catalog import CATALOG
from functions.systems.chat import system as chat_system
from functions.systems.chat.system import POSTED_IN
from functions.systems.games.system import PLAYED
from functions.systems.telemetry.system import REPORTED_FROM, ROLLUP_DAY, ROLLUP_HOUR

NOON = 1535544000000  # 2018-08-29T12:00:00.000Z
HOUR = 3_600_000
ROLLUP = ROLLUP_HOUR("123", NOON)
POSTED = POSTED_IN("amy", "seattle")
ROOM = chat_system.ROOM("seattle")
CHECKPOINT = {"0001-a": Checkpoint(10**22, NOON)}

decimals = st.integers(-(10**31) + 1, 10**31 - 1).map(lambda number: Decimal(f"{number}e-18"))
doubles = st.floats(allow_nan=False, allow_infinity=False).map(lambda number: Decimal(repr(number)))
numbers = (decimals | doubles | st.integers(-(2**63), 2**64 - 1).map(Decimal)).map(measurable)
counts = st.integers(1, 10**12).map(Cell)
sums = st.builds(Cell, st.integers(1, 10**12), numbers)
seconds = st.integers(0, 10**10).map(lambda number: number * 1000)
a_checkpoint = st.builds(Checkpoint, st.integers(0, 10**40), seconds, st.just(frozenset()))
checkpoints = st.dictionaries(st.text(min_size=1), a_checkpoint, min_size=1)
extras = {"version": st.integers(1, 10**9), "checkpoints": checkpoints}


def seen(observations: list[Observation]) -> Cell:
    cell = Cell()
    for observation in observations:
        cell.add(observation)
    return cell


def readings(start: int, end: int) -> st.SearchStrategy[Cell]:
    one = st.builds(Observation, st.just(1), numbers, st.integers(start, end - 1), amount=st.none())
    return st.lists(one, min_size=1, max_size=5).map(seen)


instants = st.lists(st.integers(-NOON, NOON).map(lambda at: Observation(at=at)), min_size=1).map(seen)


@given(
    st.builds(
        Aggregate,
        st.just(ROLLUP),
        cells=st.fixed_dictionaries(
            {}, optional={f"{hour}.t": readings(NOON + hour * HOUR, NOON + (hour + 1) * HOUR) for hour in range(4)}
        ),
        full=st.booleans(),
        closed=st.sampled_from([0, 7]),
        **extras,
    )
)
def test_rollups_come_back(given: Aggregate) -> None:
    assert aggregate(ROLLUP, aggregate_item(given)) == given


@given(st.builds(Aggregate, st.just(POSTED), cells=st.dictionaries(st.text(), counts | sums | instants), **extras))
def test_counts_instants_checkpoints_and_all_else_come_back(given: Aggregate) -> None:
    assert aggregate(POSTED, aggregate_item(given)) == given


def moment(offset: int, value: str = "0") -> Moment:
    return Moment(NOON + offset, Decimal(value))


def test_what_is_not_known_is_remembered() -> None:
    found = {
        "0.a": Extremes(Decimal("-1.50"), Decimal(5), moment(0, "1"), moment(HOUR - 1, "5")),
        "0.d": Extremes(None, None, moment(-NOON - 1), moment(7)),
    }
    recount = Recount(7, Position(3, "EVENT#2018"), found, {"0.a": Extremes()})
    cells = {"0.a": Cell(1), "0.b": Cell(2, Decimal("2.5")), "0.c": Cell(3), "0.d": Cell(1)}
    for kept in (None, recount):
        given = Aggregate(ROLLUP, 9, cells, CHECKPOINT, unknown=Unknown(frozenset({"0.b"}), frozenset({"0.c"}), kept))
        item = aggregate_item(given)
        assert aggregate(ROLLUP, item) == given
        assert attributes.unknown(item) == given.unknown.names
        assert unfinished(CATALOG, item) == ROLLUP


@pytest.mark.parametrize("at", [-1, -1000, -1001, 0, 999, 1001])
def test_instants_before_1970_come_back(at: int) -> None:
    """Those of plays are kept as seconds since then."""
    cell = seen([Observation(1, Decimal(7), at), Observation(1, Decimal(8), at + 1)])
    played = PLAYED("amy", "chess")
    assert aggregate(played, aggregate_item(Aggregate(played, 1, {"Count": cell}, CHECKPOINT))).cells == {"Count": cell}


def test_only_what_goes_on_by_itself_names_itself() -> None:
    """By that the stream's second reader finds it."""
    given = Aggregate(ROOM, 1, {"a": Cell(1)}, CHECKPOINT, unknown=Unknown(due=frozenset("a")))
    assert RECOUNTING not in aggregate_item(given)
    path = REPORTED_FROM("d", ("US", "New York"))
    queued = Unknown(queued=frozenset({"Count"}))
    item = aggregate_item(Aggregate(path, 1, {"Count": Cell(1)}, CHECKPOINT, unknown=queued))
    assert unfinished(CATALOG, item) == path
    with pytest.raises(ValueError, match="the item is not"):
        unfinished(CATALOG, item | {"SK": {"S": "EDGE#REPORTED_FROM#PLACE#US"}})


def test_no_item_is_an_empty_aggregate() -> None:
    assert aggregate(ROOM, None) == Aggregate(ROOM, version=0)


def reading(value: str, offset: int) -> Observation:
    return Observation(1, Decimal(value), NOON + offset)


@pytest.mark.parametrize(
    ("aggregate_id", "name", "cell", "packed"),
    [
        (ROOM, "Users", Cell(12), {"N": "12"}),
        (
            POSTED,
            "Count",
            Cell(2, Decimal(0), Extremes(None, None, moment(0), moment(1))),
            {"S": "2 2018-08-29T12:00:00.000Z 2018-08-29T12:00:00.001Z"},
        ),
        (
            POSTED,
            "Count",
            Cell(1, Decimal(0), Extremes(None, None, moment(0), moment(0))),
            {"S": "1 2018-08-29T12:00:00.000Z 2018-08-29T12:00:00.000Z"},
        ),
        (
            ROLLUP,
            "1.t",
            seen([reading("39.02", HOUR + 5)]),
            {"S": "39.02@0.005"},
        ),
        (ROLLUP, "0.t", seen([reading("0", 0)]), {"S": "0"}),
        (
            ROLLUP,
            "0.t",
            seen([reading("9", 1), reading("-1", 0), reading("2", 7)]),
            {"S": "3 10 -1 9 -1 2@0.007"},
        ),
        (
            ROOM,
            "Prices",
            seen([Observation(value=Decimal("2.5")), Observation(value=Decimal(-1))]),
            {"S": "2 1.5 -1 2.5"},
        ),
        (
            ROLLUP,
            "0.t",
            seen([reading("2", 0), reading("2", 0)]),
            {"S": "2 4 2 2 2 2"},
        ),
    ],
)
def test_a_cell_is_packed_in_the_shortest_shape(
    aggregate_id: AggregateId, name: str, cell: Cell, packed: dict[str, Any]
) -> None:
    item = aggregate_item(Aggregate(aggregate_id, 1, {name: cell}, CHECKPOINT))
    assert item["Cells"] == {"M": {name: packed}}
    assert aggregate(aggregate_id, item).cells == {name: cell}


def test_an_aggregate_as_an_item() -> None:
    assert aggregate_item(Aggregate(ROOM, 3, {"Messages": Cell(7)}, CHECKPOINT)) == {
        "PK": {"S": "ROOM#seattle"},
        "SK": {"S": "EDGE#"},
        "Type": {"S": "ROOM"},
        "Version": {"N": "3"},
        "Seqs": {"B": bytes.fromhex("04 5b868ac0 0f 10 0006 303030312d61 64")},
        "Cells": {"M": {"Messages": {"N": "7"}}},
    }


def test_only_a_user_posting_in_a_room_points_at_it() -> None:
    assert "GSI2PK" not in aggregate_item(Aggregate(ROOM, 1, {"Users": Cell(1)}, CHECKPOINT))
    item = aggregate_item(Aggregate(POSTED, 1, {"Count": Cell(1)}, CHECKPOINT))
    assert (item["GSI2PK"], item["GSI2SK"]) == ({"S": "ROOM#seattle"}, {"S": "USER#amy"})


def test_an_emptied_aggregate_stands_in_the_list_of_emptied_ones_by_its_newest_checkpoint() -> None:
    checkpoints = {"old": Checkpoint(1, NOON - 1000), "new": Checkpoint(2, NOON)}
    item = aggregate_item(Aggregate(POSTED, 4, {}, checkpoints))
    assert item["GSI1SK"] == {"S": "2018-08-29T12:00:00.000Z"}
    assert item["GSI1PK"]["S"] in {f"EMPTIED#{shard}" for shard in range(8)}
    assert not {"Cells", "GSI2PK", "GSI2SK", "ExpiresAt"} & item.keys()
    assert aggregate(POSTED, item) == Aggregate(POSTED, 4, {}, checkpoints)


def test_no_time_to_live_removes_an_aggregate() -> None:
    """It asks nobody whether the checkpoints are still needed."""
    for counted in ({}, {"Count": Cell(1)}):
        assert TTL_ATTRIBUTE not in aggregate_item(Aggregate(ROOM, 1, counted, CHECKPOINT))


def test_what_an_aggregate_lacks_comes_back() -> None:
    lacking = Aggregate(ROOM, 1, {}, CHECKPOINT, lacks="one entry could not be counted")
    assert aggregate(ROOM, aggregate_item(lacking)) == lacking


def test_a_full_aggregate_never_leaves() -> None:
    """Its continuations would be taken for those of the next one."""
    emptied = Aggregate(ROLLUP, 4, {"0.t": Cell()}, CHECKPOINT, full=True)
    item = aggregate_item(emptied)
    assert item["Full"] == {"BOOL": True}
    assert "GSI1PK" not in item
    assert aggregate(ROLLUP, item) == emptied


def test_an_emptied_aggregate_whose_cells_users_name_keeps_the_names() -> None:
    emptied = Aggregate(ROLLUP, 4, {"0.t": Cell()}, CHECKPOINT)
    item = aggregate_item(emptied)
    assert item["GSI1PK"]["S"].startswith("EMPTIED")
    assert aggregate(ROLLUP, item) == emptied
    assert cell(ROLLUP, item, "0.t") is None
    assert cells(item, ROLLUP) == {}


@pytest.mark.parametrize(
    ("aggregate_id", "name", "start"),
    [
        (ROLLUP, "3.temp.max", NOON + 3 * HOUR),
        (continuation(ROLLUP, "3.temp.max"), "3.temp.max", NOON + 3 * HOUR),
        (ROLLUP_DAY("123", 86_400_000), "0.temp", 86_400_000),
        (ROOM, "Users", 0),
    ],
)
def test_where_a_bucket_begins(aggregate_id: AggregateId, name: str, start: int) -> None:
    assert aggregate_id.bucket_start(name) == start
