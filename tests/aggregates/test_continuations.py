"""Cells that don't fit into one item: where they are, and that each record is in each item once."""

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import REPAIRS, Checkpoint
from edgewise.aggregates.continuations import declaration
from edgewise.aggregates.continuations.declaration import weight
from edgewise.aggregates.continuations.items import continuation, continuations, passed_on
from edgewise.aggregates.effects import Batch, Effect
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.kinds import Kind
from edgewise.aggregates.measures import Cell, Observation
from functions.catalog import CATALOG
from functions.systems.audits.system import EQUIPMENT
from functions.systems.chat.system import USER

ID = EQUIPMENT("e")
NAMES = [f"Result.{letter}" for letter in "abcdefgh"]


@pytest.fixture(autouse=True)
def room_for_two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(declaration, "ROOM", 2 * weight("Result.a", Cell()))


def effect(sequence: int, added: str, removed: str = "", at: int = 0) -> Effect:
    came, went = ({f"Result.{letter}": Observation() for letter in letters} for letters in (added, removed))
    return Effect(Checkpoint(sequence, at), came, went)


class Items:
    """An aggregate and its continuations, delivered to as the writer does."""

    def __init__(self) -> None:
        self.stored: dict[AggregateId, Aggregate] = {}

    def item(self, about: AggregateId) -> Aggregate:
        return self.stored.get(about, Aggregate(about))

    def deliver(self, *effects: Effect, levels: int = 99, shard: str = "a") -> None:
        batch: Batch = {ID: list(effects)}
        for _ in range(levels):
            rest: Batch = {}
            for about, own in batch.items():
                absorbed = self.item(about).absorb(shard, own, now=1)
                if absorbed:
                    self.stored[about] = absorbed.aggregate
                if self.item(about).full:
                    rest = {**rest, **passed_on(self.item(about), own)}
            batch = rest

    def counts(self) -> dict[str, list[int]]:
        """By letter, what is counted of it: in one item, if all is well."""
        found: dict[str, list[int]] = {}
        for item in self.stored.values():
            for name, cell in item.cells.items():
                found.setdefault(name.removeprefix("Result."), []).append(cell.count)
        return found


def delivered(*effects: Effect) -> Items:
    items = Items()
    for each in effects:
        items.deliver(each)
    return items


def test_what_does_not_fit_is_in_continuations() -> None:
    items = delivered(effect(1, "ab"), effect(2, "acd"))
    assert items.item(ID).cells.keys() == {"Result.a", "Result.b"}
    assert items.item(ID).full
    assert items.counts() == {"a": [2], "b": [1], "c": [1], "d": [1]}


def test_an_item_with_room_has_none() -> None:
    items = delivered(effect(1, "ab"), effect(2, "ab"))
    assert set(items.stored) == {ID}
    assert not items.item(ID).full


def test_the_names_of_a_full_item_never_change(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not when all that they counted is gone, nor by a release whose items have more room."""
    items = delivered(effect(1, "abc"), effect(2, "", "ab"))
    monkeypatch.setattr(declaration, "ROOM", 9 * weight("Result.a", Cell()))
    items.deliver(effect(3, "cd"))
    assert items.item(ID).cells.keys() == {"Result.a", "Result.b"}
    assert items.counts() == {"a": [0], "b": [0], "c": [2], "d": [1]}
    assert not items.item(ID).emptied


def test_an_emptied_name_stays_before_the_item_is_full() -> None:
    """Else its second record, delivered again alone, would be taken from nothing in a continuation."""
    items = delivered(effect(1, "a"), effect(2, "", "a"))
    assert items.item(ID).emptied
    items.deliver(effect(3, "bc"))
    items.deliver(effect(2, "", "a"), effect(3, "bc"))
    assert items.counts() == {"a": [0], "b": [1], "c": [1]}


def test_a_name_that_is_passed_over_stays_before_the_item_is_full() -> None:
    """A repair has counted both records of a name; the first one, redriven, would be added to nothing afterwards."""
    items, repaired = Items(), Checkpoint(100, 50)
    items.stored[ID] = Aggregate(ID, checkpoints={REPAIRS: repaired})
    items.deliver(effect(1, "a"), effect(2, "", "a"))
    items.deliver(effect(3, "bcd", at=200))
    items.deliver(effect(1, "a"))
    assert items.counts() == {"a": [0], "b": [1], "c": [1], "d": [1]}


def test_an_aggregate_that_names_its_cells_itself_forgets_them() -> None:
    bounded = Aggregate(USER("amy")).absorb("a", [effect(1, "abcd", "d")], now=1)
    assert bounded is not None
    assert bounded.aggregate.cells.keys() == {"Result.a", "Result.b", "Result.c"}
    assert not bounded.aggregate.full


def test_who_died_before_the_continuations_comes_again() -> None:
    items = Items()
    items.deliver(effect(1, "abc"), levels=1)
    assert "c" not in items.counts()
    items.deliver(effect(1, "abc"))
    items.deliver(effect(1, "abc"))
    assert items.counts() == {"a": [1], "b": [1], "c": [1]}


def test_a_full_item_is_not_written_for_what_concerns_others() -> None:
    items = delivered(effect(1, "abc"), effect(2, "c"))
    assert items.item(ID).checkpoints == {"a": Checkpoint(1, 0)}


@given(
    steps=st.lists(st.tuples(st.sampled_from("abcdefgh"), st.booleans()), max_size=25),
    ranges=st.lists(st.tuples(st.integers(0, 6), st.integers(1, 6), st.integers(1, 3)), max_size=25),
)
def test_overlapping_and_broken_deliveries_count_each_record_once(
    steps: Sequence[tuple[str, bool]], ranges: Sequence[tuple[int, int, int]]
) -> None:
    alive: Counter[str] = Counter()
    records: list[Effect] = []
    for letter, removal in steps:
        removal = removal and alive[letter] > 0
        alive[letter] += -1 if removal else 1
        records.append(effect(len(records) + 1, "" if removal else letter, letter if removal else ""))
    items, done = Items(), 0
    for back, length, levels in ranges:
        start = max(0, done - back)
        items.deliver(*records[start : start + length], levels=levels)  # dies after so many levels
        items.deliver(*records[start : start + length])
        done = max(done, min(start + length, len(records)))
    items.deliver(*records[done:])
    assert items.counts() == {letter: [count] for letter, count in alive.items()}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_has_one_way_of_continuations(name: str) -> None:
    about = ID
    for depth in range(1, 9):
        assert continuation(about, name) in continuations(about)
        about = continuation(about, name)
        assert (len(about.path), about.aggregate) == (depth, ID)


def test_names_are_spread_over_all_continuations() -> None:
    spread = Counter(continuation(ID, f"0.metric-{number}") for number in range(1600))
    assert spread.keys() == set(continuations(ID))
    assert max(spread.values()) < 150


def test_all_hours_of_a_metric_are_together() -> None:
    assert len({continuation(ID, f"{hour}.temp.max") for hour in range(4)}) == 1


@pytest.mark.parametrize("kind", CATALOG.kinds.values(), ids=lambda kind: kind.name)
def test_what_goes_on_feeds_nothing_and_is_not_shared(kind: Kind) -> None:
    """Continuations are not among what the consumer is sent, and carriers bring nothing to them."""
    if kind.unbounded:
        assert not any(feed.source.kind is kind for each in CATALOG.kinds.values() for feed in each.feeds)
        assert not kind.shared


def test_users_name_the_cells_of_these() -> None:
    assert {each.name for each in CATALOG.kinds.values() if each.unbounded} == {
        "ROLLUP_HOUR",
        "ROLLUP_DAY",
        "EQUIPMENT",
        "DOCUMENT",
    }
