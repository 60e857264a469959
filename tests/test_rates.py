"""The rate of a caller over any number of environments, which lease from one item of the table."""

from itertools import accumulate
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise import clock
from edgewise.times import SECOND
from functions import rates
from functions.errors import RateExceededError
from functions.replay.memory import MemoryTable
from functions.web.leases import Leases, Rated
from tests.support import leasing

START = 1_535_544_060_000
RATES = {rates.EVERYBODY: 50, "ingest": 4_000, "write": 200}


@pytest.mark.parametrize(
    ("groups", "rate"), [((), 50), (("reviewers",), 50), (("write",), 200), (("write", "ingest"), 4_000)]
)
def test_who_is_in_several_groups_has_the_highest_rate(groups: tuple[str, ...], rate: int) -> None:
    assert rates.of_groups(rates.of_text(rates.to_text(RATES)), frozenset(groups)) == rate


def test_what_is_owed_goes_by_with_the_time_and_a_burst_is_the_most() -> None:
    # 50 units a second: 3,000 are a minute's, and what has been paid back long ago does not count.
    assert rates.owed(rates.NOTHING, START, 50, 3_000) == START + 60 * SECOND
    assert rates.owed(START + 10 * SECOND, START + 40 * SECOND, 50, 50) == START + 41 * SECOND
    assert rates.owed(START + 10 * SECOND, START, 50, 50) == START + 11 * SECOND
    assert rates.wait(START + 60 * SECOND, START) == 0
    assert rates.wait(START + 75 * SECOND, START) == 15 * SECOND


def test_an_item_is_gone_when_nothing_is_owed_any_more() -> None:
    item = rates.item("sub-a", START + 1)
    assert (item["PK"], item["Until"]) == ({"S": "RATE#sub-a"}, {"N": str(START + 1)})
    assert int(item["ExpiresAt"]["N"]) * SECOND >= START + 1
    assert rates.until(item) == START + 1


# An environment, how long after the last request, units, and whether the request says before what it will use.
requests = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 5_000), st.integers(0, 300), st.booleans()), max_size=200
)


@given(rate=st.integers(10, 100), requests=requests)
def test_no_interleaving_of_environments_takes_more_than_the_rate_allows(
    rate: int, requests: list[tuple[int, int, int, bool]]
) -> None:
    """Over every time, also one that begins when environments hold leases."""
    table, caller, now = MemoryTable(), Rated("sub-a", rate), START
    environments = [Leases(lambda: table) for _ in range(4)]
    spent: list[tuple[int, int]] = []
    with pytest.MonkeyPatch.context() as patches, patch.object(clock, "now", lambda: now):
        leasing.begin(patches)
        for number, later, units, said in requests:
            now += later
            try:
                environments[number].need(caller, 1)
                environments[number].need(caller, units if said else 1)
            except RateExceededError:
                continue
            environments[number].spend(caller, units)
            spent.append((now, units))
    unsaid = max((units for *_, units, said in requests if not said), default=0)
    lease = 2 * rate
    for first in range(len(spent)):
        for (at, _), sum_ in zip(spent[first:], accumulate(units for _, units in spent[first:]), strict=True):
            allowed = 60 * rate + rate * (at - spent[first][0]) / SECOND
            assert sum_ <= allowed + 4 * (2 * lease + unsaid)


@given(rate=st.integers(10, 100), units=st.integers(1, 600))
def test_who_waits_as_long_as_told_is_let_in(rate: int, units: int) -> None:
    """Also where the request is the largest that is possible, and others have used up everything."""
    table, caller, now = MemoryTable(), Rated("sub-a", rate), START
    one, other = Leases(lambda: table), Leases(lambda: table)
    with pytest.MonkeyPatch.context() as patches, patch.object(clock, "now", lambda: now):
        leasing.begin(patches)
        other.need(caller, 60 * rate)
        other.spend(caller, 60 * rate)
        with pytest.raises(RateExceededError) as refused:
            one.need(caller, units)
        now += refused.value.seconds * SECOND
        one.need(caller, units)
