"""What is open and what closes: nothing is lost between them, and items tell both."""

from collections.abc import Mapping
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import LATEST_DELIVERY, Checkpoint
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.measures import EXACT, Cell, Delta, Observation
from edgewise.aggregates.open_hours import attributes, hours
from edgewise.aggregates.open_hours.attributes import CLOSING, closing_of, open_item, open_part
from edgewise.aggregates.open_hours.hours import NOTHING_OPEN, Closing, Kept, OpenPart, Put, TooLargeError
from edgewise.dynamodb.attributes import n
from functions.systems.telemetry.system import ROLLUP_HOUR

NOW = 1_535_544_000_000
NAMES = ("1.t", "1.w", "2.t", "at.US")


def added(*values: int) -> Delta:
    delta = Delta()
    for value in values:
        delta.add(Observation(1, Decimal(value), NOW + value))
    return delta


def removed(value: int) -> Delta:
    delta = Delta()
    delta.remove(Observation(1, Decimal(value), NOW + value))
    return delta


def put(version: int, now: int = NOW) -> Put:
    return Put(version, now)


def newest(cells: Mapping[str, Cell], deltas: Mapping[str, Delta]) -> Kept:
    """Only the names of the greatest bucket stay."""
    names = [*cells, *deltas]
    last = max((name.partition(".")[0] for name in names), default="")
    return Kept({name for name in names if name.partition(".")[0] == last}, frozenset())


def start(_: str) -> int:
    return NOW


changes = st.lists(
    st.dictionaries(
        st.sampled_from(NAMES),
        st.one_of(
            st.lists(st.integers(0, 99), min_size=1, max_size=3).map(lambda values: added(*values)),
            st.integers(0, 99).map(removed),
        ),
        min_size=1,
    ),
    max_size=8,
)


@given(changes, st.sets(st.sampled_from(NAMES)))
def test_what_is_open_and_what_closed_make_up_what_was_absorbed(
    absorbed: list[dict[str, Delta]], late: set[str]
) -> None:
    part, passed = NOTHING_OPEN, list[Closing]()
    for version, deltas in enumerate(absorbed, 1):
        part = part.absorbed(newest, deltas, late, put(version))
        passed += [closing for closing in part.closings if closing.number == version]
    for name in NAMES:
        found = [closing.cells[name] for closing in passed if name in closing.cells]
        parts = [*found, *([part.cells[name]] if name in part.cells else [])]
        told = [deltas[name] for deltas in absorbed if name in deltas]
        assert sum(each.count for each in parts) == sum(each.count for each in told)
        assert sum(each.total for each in parts) == sum(each.total for each in told)
        assert any(each.retracts for each in found) >= any(each.retracts for each in told)
    assert len({closing.number for closing in passed}) == len(passed)


@given(changes)
def test_an_item_tells_what_is_open_and_what_closed(absorbed: list[dict[str, Delta]]) -> None:
    part, version = NOTHING_OPEN, 0
    for version, deltas in enumerate(absorbed, 1):
        part = part.absorbed(newest, deltas, set(), put(version))
    item = open_item(part, version, start) | {"Version": n(version)}
    again = open_part(item, start)
    assert again.cells == {name: Cell(cell.count, cell.total, cell.extremes) for name, cell in part.cells.items()}
    assert again.closings == part.closings
    last = part.closings[-1:]
    assert closing_of(item, start) == (last[0] if last and last[0].number == version else None)


def test_a_closing_that_is_kept_for_readers_is_of_an_earlier_put() -> None:
    first = NOTHING_OPEN.absorbed(newest, {"1.t": added(1)}, set(), put(1))
    second = first.absorbed(newest, {"2.t": added(2)}, set(), put(2))
    third = second.absorbed(newest, {"2.t": added(3)}, set(), put(3))
    assert [CLOSING in open_item(each, number, start) for number, each in enumerate((first, second, third), 1)] == [
        False,
        True,
        False,
    ]
    assert [closing.number for closing in third.closings] == [2]


def test_a_closing_stays_until_all_have_absorbed_it_and_readers_have_read_on() -> None:
    part = OpenPart({}, (Closing(1, NOW, {"1.t": added(1)}),))

    def after(put: Put) -> OpenPart:
        return part.absorbed(newest, {"2.t": added(2)}, set(), put)

    nobody_says_so = after(put(2, NOW + LATEST_DELIVERY))
    assert [each.number for each in nobody_says_so.closings] == [1]
    assert after(put(2, NOW + LATEST_DELIVERY + 1)).closings == ()
    part = part.acknowledged({1}, NOW + 1000)
    part = after(put(2, NOW + 1000))
    assert [each.acknowledged for each in part.closings] == [NOW + 1000]
    part = after(put(3, NOW + 1000 + hours.READING))
    assert [each.acknowledged for each in part.closings] == [NOW + 1000]
    assert after(put(4, NOW + 1001 + hours.READING)).closings == ()


def test_what_is_removed_closes_with_the_cell_from_which_it_goes() -> None:
    part = NOTHING_OPEN.absorbed(newest, {"1.t": added(5, 7)}, set(), put(1))
    after = part.absorbed(newest, {"1.t": removed(7)}, set(), put(2))
    assert after.cells == {}
    (closing,) = after.closings
    assert (closing.cells["1.t"].count, closing.cells["1.t"].total, closing.cells["1.t"].retracts) == (
        1,
        Decimal(5),
        True,
    )


def test_an_open_part_that_grows_too_large_closes_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hours, "OPEN_ROOM", 400)
    part = NOTHING_OPEN.absorbed(newest, {"1.t": added(1), "1.w": added(2)}, set(), put(1))
    assert (set(part.cells), part.closings) == ({"1.t", "1.w"}, ())
    after = part.absorbed(newest, {"1.x": added(3)}, set(), put(2))
    assert after.cells == {}
    assert set(after.closings[0].cells) == {"1.t", "1.w", "1.x"}


def test_a_sum_of_numbers_of_very_different_size_takes_the_room_that_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hours, "OPEN_ROOM", 400)
    wide = Delta(2, EXACT.add(Decimal("1e300"), Decimal("1e-300")))
    part = NOTHING_OPEN.absorbed(newest, {"1.t": added(1), "1.w": wide}, set(), put(1))
    assert part.cells == {}
    assert part.closings[0].cells["1.w"].total == wide.total


def test_a_closing_that_is_too_large_is_absorbed_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hours, "CLOSING_ROOM", 300)
    with pytest.raises(TooLargeError):
        OpenPart({"1.t": Cell(1), "1.w": Cell(1)}).absorbed(newest, {"2.t": added(1)}, set(), put(2))


@pytest.mark.parametrize("at", [NOW, NOW - LATEST_DELIVERY - 1])
def test_what_an_hour_passes_over_no_reader_adds_either(at: int) -> None:
    """Or its readings would count twice once the hour is repaired: in the recount, and in what seems pending."""
    closing = [Effect(Checkpoint(5, at), {"0.t": added(3).passed_on(7)}, {})]
    hour = Aggregate(ROLLUP_HOUR("d", NOW))
    passed = hour.absorb("a", closing, NOW) if at < NOW else hour.without("a", closing, "unreadable", NOW)
    assert passed
    assert (passed.aggregate.closed, passed.aggregate.cells) == (7, {})
    assert passed.aggregate.lacks


def test_an_hour_that_lacks_a_closing_already_passes_over_the_next_ones_as_well() -> None:
    """They are noted behind its checkpoint, which a later record has moved past them."""
    later = Aggregate(ROLLUP_HOUR("d", NOW)).without("a", [Effect(Checkpoint(9, NOW), {}, {})], "why", NOW)
    assert later
    lost = [Effect(Checkpoint(5, NOW), {"0.t": added(3).passed_on(7)}, {})]
    noted = later.aggregate.deprived("a", lost, "lost", NOW, {}, by_edges=False)
    assert noted
    assert (noted.aggregate.closed, noted.aggregate.lacks) == (7, "why")
    assert noted.aggregate.deprived("a", lost, "lost", NOW, {}, by_edges=False) is None


def test_of_more_closings_than_have_room_the_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    closings = tuple(Closing(number, NOW, {f"1.metric {number}": added(number)}) for number in range(1, 41))
    whole = len(open_item(OpenPart({}, closings), 40, start)["Closings"]["B"])
    monkeypatch.setattr(attributes, "KEPT_ROOM", whole // 2)
    item = open_item(OpenPart({}, closings), 40, start) | {"Version": n(40)}
    kept = open_part(item, start).closings
    assert 0 < len(kept) < 40
    assert kept == closings[-len(kept) :]
    assert closing_of(item, start) == closings[-1]
