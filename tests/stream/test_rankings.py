"""Rankings in the table: what is judged, what comes between a look and a write, refills step by step."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from unittest.mock import patch

import pytest

from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Cell, Observation
from edgewise.aggregates.rankings import floor, judging, refilling, standings
from edgewise.aggregates.rankings.declaration import RankingId
from edgewise.aggregates.stored import aggregate_item
from edgewise.dynamodb.attributes import Item
from edgewise.stream import writer
from functions.replay.memory import MemoryTable
from functions.systems.graph.entity import EDGES, NodeId
from functions.systems.graph.system import DEGREE
from tests.support.streams import PRESENT

ID = RankingId(DEGREE, ("KNOWS", "in"), "count")


class Table(MemoryTable):
    """Lets something happen between whatever was read and the next write of a ranking."""

    between: Callable[[], None] | None = None
    lose_answer = False

    def put_version(self, item: Item, replaces: int) -> None:
        between, self.between = self.between, None
        if between:
            between()
        super().put_version(item, replaces)
        lost, self.lose_answer = self.lose_answer, False
        if lost:
            super().put_version(item, replaces)


@pytest.fixture(autouse=True)
def small() -> Iterator[None]:
    with patch.multiple(floor, LEAST=2, KEPT=2, MOST=3), patch.multiple(refilling, PAGES=1, _PARTS_A_PAGE=1):
        yield


@pytest.fixture
def table() -> Table:
    return Table()


def about(name: str) -> AggregateId:
    return DEGREE(NodeId("person", name), "in", "KNOWS")


def store(table: Table, **counts: int) -> dict[AggregateId, Aggregate | None]:
    """Enrol and store aggregates, and nothing else."""
    found: dict[AggregateId, Aggregate | None] = {}
    for name, count in counts.items():
        cells = {EDGES: Cell(count, Decimal(count))} if count else {}
        found[about(name)] = each = Aggregate(about(name), 1, cells, {"shard": Checkpoint(1, 1)}).to_put()
        if count:
            judging.enrol(table, [each])
        table.put_many([aggregate_item(each)])
    return found


def count(table: Table, **counts: int) -> None:
    """What the consumer does with new numbers."""
    stored = store(table, **counts)
    assert judging.judge(table, stored, lambda: True) == {}


def top(table: Table, limit: int) -> tuple[list[str], bool]:
    found = standings.top(table, ID, limit)
    return [each.member.removeprefix("person#") for each in found.standings], found.complete


def names(table: Table) -> tuple[set[str], set[str]]:
    found = standings.stored(table, ID)
    sure, unsure = ({each.removeprefix("person#") for each in some} for some in (found.names, found.unsure))
    return sure, unsure


def test_a_prune_leaves_the_best_and_the_next_write_drops_the_others(table: Table) -> None:
    count(table, a=1, b=2, c=3)
    count(table, d=4)
    assert names(table) == ({"c", "d"}, {"a", "b"})
    count(table, e=5)
    assert names(table) == ({"c", "d", "e"}, set())


def test_who_rises_between_the_look_and_the_prune_stays(table: Table) -> None:
    """Its writer saw that it was named, and had nothing to do."""
    count(table, a=1, b=2, c=3)
    table.between = lambda: count(table, a=9)
    count(table, d=4)
    count(table, e=5)
    assert top(table, 2) == (["a", "e"], True)
    assert "a" in set().union(*names(table))


def test_who_rises_between_the_second_look_and_the_write_stays(table: Table) -> None:
    count(table, a=1, b=2, c=3, d=4)
    count(table, c=1)
    assert "c" in names(table)[1]
    table.between = lambda: count(table, c=9)
    count(table, e=5)
    assert top(table, 2) == (["c", "e"], True)


def test_a_crash_between_an_aggregate_and_its_ranking_is_mended_when_the_batch_comes_again(table: Table) -> None:
    count(table, a=1, b=2, c=3, d=4)
    store(table, e=5)
    assert top(table, 1) == (["d"], True)
    judging.judge(table, {about("e"): None}, lambda: True)
    assert top(table, 1) == (["e"], True)


def test_who_fell_before_it_was_named_is_noticed(table: Table) -> None:
    count(table, a=1, b=2, c=3, d=4)
    table.between = lambda: count(table, e=0)
    count(table, e=5)
    assert "e" not in names(table)[0]


def test_who_falls_below_the_new_floor_while_it_rises_is_noticed(table: Table) -> None:
    """Its writer saw the former floor, and had nothing to do."""
    count(table, a=1, b=2, c=3, d=4)
    count(table, c=8, d=9, e=5)
    table.between = lambda: count(table, c=2)
    count(table, f=6)
    assert "c" not in names(table)[0]


def test_a_write_whose_answer_was_lost_is_looked_at_again(table: Table) -> None:
    """The request is repeated, and refused."""
    count(table, a=1, b=2, c=3, d=4)

    def fallen_and_lost() -> None:
        count(table, e=0)
        table.lose_answer = True

    table.between = fallen_and_lost
    count(table, e=5)
    assert "e" not in names(table)[0]


def test_a_step_whose_reader_died_before_its_second_look_is_looked_at_again(table: Table) -> None:
    count(table, a=1, b=2, c=3, d=4)
    store(table, c=0)
    refilling.go_on(table, [ID])
    assert "c" not in names(table)[0]


def test_a_writer_that_dies_right_after_its_put_has_enrolled_what_it_stored(table: Table) -> None:
    """Whatever comes next finds an aggregate that says so."""

    class DiedError(BaseException):
        pass

    with patch.object(judging, "judge", side_effect=DiedError), pytest.raises(DiedError):
        writer.apply(table, "shard", {about("a"): [Effect(Checkpoint(1, PRESENT), {EDGES: Observation()}, {})]})
    assert [each for part in table.items.values() for each in part.get("Members", {"SS": []})["SS"]] == [
        "person#a 2500 1"
    ]


def test_a_refill_says_so_until_it_is_complete(table: Table) -> None:
    count(table, a=1, b=2, c=3, d=4)
    count(table, x=1, y=2)
    count(table, c=0, d=0)
    told = [top(table, 2)[1]]
    while standings.stored(table, ID).refill or standings.stored(table, ID).is_short:
        refilling.go_on(table, [ID])
        told.append(top(table, 2)[1])
    assert told[0] is False
    assert sorted(top(table, 2)[0]) == ["b", "y"]
    assert told[-1] is True


def test_without_time_nothing_is_changed_and_the_batch_comes_again(table: Table) -> None:
    stored = store(table, a=1)
    with pytest.raises(judging.UnjudgedError):
        judging.judge(table, stored, lambda: False)
    assert top(table, 1) == ([], True)


def test_what_a_ranking_cannot_take_is_noted(table: Table) -> None:
    stored = store(table, a=1)
    with patch.object(judging, "ranking_item", side_effect=RuntimeError("nobody foresaw this")):
        lacking = writer.judge(table, stored, lambda: True)
    assert lacking == {about("a"): "RuntimeError: nobody foresaw this"}
