"""Cells called after values: each number is exact, there are no more than there may be, and the rest is told as one."""

from collections import Counter
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.feeds import Feed, Source
from edgewise.aggregates.key_template import KeyTemplate
from edgewise.aggregates.kinds import Kind
from edgewise.aggregates.measures import COUNT, Cell, Observation
from edgewise.aggregates.named import Named
from edgewise.aggregates.stored import aggregate, aggregate_item

NOW, MOST, OTHERS = 1_700_000_000_000, 2, "of="
NAMED = Named({OTHERS: MOST})
FEED = Feed(Source("ITEM", lambda item: item), lambda _: iter(()))
ROW = Kind(name="ROW", rank=1, cells="", feeds=(FEED,), key=KeyTemplate("ROW#{of}", "IT"), parts=(NAMED,))("x")
# What a record changes: a value that an item had before, and the one that it has now.
Change = tuple[str | None, str | None]
VALUES = st.sampled_from([None, "a", "b", "c", "d"])


def effect(number: int, change: Change) -> Effect:
    removed, added = ({} if each is None else _observed(each) for each in change)
    return Effect(Checkpoint(number, NOW), added, removed)


def _observed(value: str) -> Mapping[str, Observation]:
    return {COUNT: Observation(), f"{OTHERS}{value}": Observation()}


def absorbed(row: Aggregate, first: int, changes: Sequence[Change]) -> Aggregate:
    """The row as it is stored after a batch, and read again."""
    found = row.absorb("a", [effect(first + at, change) for at, change in enumerate(changes)], NOW)
    return aggregate(ROW, aggregate_item(found.aggregate)) if found else row


def told(row: Aggregate) -> dict[str, int]:
    return {name.removeprefix(OTHERS): cell.count for name, cell in row.cells.items() if name.startswith(OTHERS)}


@given(st.lists(st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=4), max_size=12))
def test_each_number_is_exact_and_so_is_that_of_all_others(batches: Sequence[Sequence[Change]]) -> None:
    """Also of values that go before they came, as they do while a record is in quarantine."""
    row, should, were_too_many = Aggregate(ROW), Counter[str](), False
    for number, batch in enumerate(batches):
        row = absorbed(row, 1 + 4 * number, batch)
        for before, after in batch:
            should.update({after: 1} if after else {})
            should.subtract({before: 1} if before else {})
        values = told(row)
        others = values.pop("", 0)
        assert len(values) <= MOST
        assert values == {value: should[value] for value in values}
        assert others == sum(should.values()) - sum(values.values())
        were_too_many |= len([value for value in should if should[value]]) > MOST
        assert ("" in told(row)) == were_too_many


def test_a_value_that_all_have_left_makes_room_unless_there_have_been_too_many() -> None:
    row = absorbed(Aggregate(ROW), 1, [(None, "a"), (None, "b"), ("a", None), (None, "c")])
    assert told(row) == {"b": 1, "c": 1}
    row = absorbed(row, 5, [(None, "a"), ("b", None)])
    row = absorbed(row, 7, [(None, "d")])
    assert told(row) == {"a": 1, "c": 1, "": 1}
    row = absorbed(row, 8, [("a", None), (None, "d")])
    assert told(row) == {"a": 0, "c": 1, "": 2}, "a value among the others gets no number of its own late"


def test_who_has_a_number_keeps_it_and_of_new_ones_those_have_one_that_most_have() -> None:
    row = absorbed(Aggregate(ROW), 1, [(None, "d")])
    row = absorbed(row, 2, [(None, "c"), (None, "b"), (None, "b"), (None, "a")])
    assert told(row) == {"d": 1, "b": 2, "": 2}


def test_one_that_counts_nothing_may_go() -> None:
    row = absorbed(Aggregate(ROW), 1, [(None, "a"), (None, "b"), (None, "c")])
    row = absorbed(row, 4, [("a", None), ("b", None), ("c", None)])
    assert told(row) == {"a": 0, "b": 0, "": 0}
    assert row.emptied


@pytest.mark.parametrize(
    ("cells", "chosen"),
    [
        ({"of=a": 1, "of=b": 2}, {"of=a": 1, "of=b": 2}),
        ({"of=a": 1, "of=b": 2, "of=c": 3}, {"of=b": 2, "of=c": 3, "of=": 1}),
    ],
)
def test_a_repair_chooses_anew(cells: Mapping[str, int], chosen: Mapping[str, int]) -> None:
    found = NAMED.fitting({}, {name: Cell(number) for name, number in cells.items()})
    assert {name: cell.count for name, cell in found.items()} == chosen
    assert NAMED.has_too_many(found) is ("of=" in chosen)


def test_an_item_grows_to_one_that_has_all_its_values_and_others() -> None:
    found = NAMED.fitting({}, {name: Cell(1) for name in [*NAMED.crowded({"of=tea": Observation()}), "of=tea"]})
    assert sorted(map(len, found)) == [len("of="), len("of=tea"), len("of=tea")]
    assert NAMED.crowded({COUNT: Observation()}) == {}
