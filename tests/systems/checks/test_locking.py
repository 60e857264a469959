"""The lock: whatever two executions do at once, one run has it at a time."""

from collections.abc import Callable

import pytest

from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.table import Table
from edgewise.dynamodb.writes import Put
from edgewise.errors import ConcurrentChangeError
from edgewise.times import SECOND, Millis, from_rfc_3339
from functions.errors import AlreadyRunningError, LostLockError
from functions.systems.checks import codec, keys, locking, store
from functions.systems.checks.entity import LEASE, Lock, Run
from functions.systems.checks.locking import Begun
from tests.support.streams import Recording
from tests.systems.checks.made import figures

T = from_rfc_3339("2026-11-23T05:41:00.000Z")
ONE, OTHER = "20261123T054100Z", "20261123T084101Z"
LATER = T + LEASE + SECOND  # the instant of OTHER: one second after the first lease


def begin(table: Table, now: Millis = T, execution: str = "a") -> Begun:
    name = keys.name_of(now)
    return locking.begin(table, Run(name, "reconcile", "running", now), Lock(name, execution, now, now + LEASE))


def holder(table: Table) -> str | None:
    item = table.get(keys.LOCK)
    return codec.lock(item).run if item else None


def states(table: Table, *names: str) -> list[str]:
    return [store.find(table, name).state for name in names]


@pytest.fixture
def table(engine: Recording) -> Recording:
    """On each engine: conditions decide everything here."""
    return engine


class TestOneAtATime:
    def test_the_first_has_the_lock_and_its_run_is_stored(self, table: Table) -> None:
        assert begin(table) == Begun(ONE)
        assert (holder(table), states(table, ONE)) == (ONE, ["running"])

    def test_the_second_is_told_who_runs_and_since_when_and_stores_nothing(self, table: Table) -> None:
        begin(table)
        with pytest.raises(AlreadyRunningError) as refused:
            begin(table, T + SECOND, "b")
        assert (refused.value.run, refused.value.since) == (ONE, "2026-11-23T05:41:00.000Z")
        assert table.get(keys.run("20261123T054101Z")) is None
        assert holder(table) == ONE

    def test_two_of_the_same_second(self, table: Table) -> None:
        begin(table)
        with pytest.raises(AlreadyRunningError):
            begin(table, T, "b")
        locking.release(table, ONE)
        with pytest.raises(ConcurrentChangeError):
            begin(table, T, "b")
        assert holder(table) is None

    def test_the_same_execution_again_gets_its_run(self, table: Table) -> None:
        begin(table)
        assert begin(table, T + 5 * SECOND) == Begun(ONE)
        assert table.get(keys.run("20261123T054105Z")) is None

    def test_after_a_release_the_next_one_runs(self, table: Table) -> None:
        begin(table)
        locking.release(table, ONE)
        locking.release(table, ONE)
        assert begin(table, LATER, "b") == Begun(OTHER)
        locking.release(table, ONE)
        assert holder(table) == OTHER


class TestExpiry:
    def test_who_ended_without_a_word_makes_way_and_has_failed(self, table: Table) -> None:
        begin(table)
        assert begin(table, LATER, "b") == Begun(OTHER, ended_another=True)
        assert (holder(table), states(table, ONE, OTHER)) == (OTHER, ["failed", "running"])
        assert store.find(table, ONE).error == locking.EXPIRED

    def test_the_lock_holds_until_the_lease_ends_and_no_longer(self, table: Table) -> None:
        begin(table)
        with pytest.raises(AlreadyRunningError):
            begin(table, T + LEASE - 1, "b")
        assert begin(table, T + LEASE, "b").ended_another

    def test_what_has_ended_stays_as_it_ended(self, table: Table) -> None:
        begin(table)
        store.end(table, store.find(table, ONE).done(T, figures()))
        assert begin(table, LATER, "b") == Begun(OTHER)
        assert states(table, ONE) == ["done"]

    def test_a_run_that_is_gone_does_not_matter(self, table: Table) -> None:
        table.write(Put(codec.lock_item(Lock(ONE, "a", T, T))))
        assert begin(table, LATER, "b") == Begun(OTHER)

    def test_a_renewal_is_another_lease(self, table: Table) -> None:
        begin(table)
        assert locking.renew(table, ONE, T + LEASE - 1).until == T + 2 * LEASE - 1
        with pytest.raises(AlreadyRunningError) as refused:
            begin(table, LATER, "b")
        assert refused.value.since == "2026-11-23T05:41:00.000Z"

    def test_an_expired_lock_that_nobody_took_can_be_renewed(self, table: Table) -> None:
        begin(table)
        assert locking.renew(table, ONE, LATER).until == LATER + LEASE

    def test_who_lost_the_lock_cannot_renew_or_release_it(self, table: Table) -> None:
        begin(table)
        begin(table, LATER, "b")
        with pytest.raises(LostLockError) as lost:
            locking.renew(table, ONE, LATER)
        assert lost.value.run == ONE
        locking.release(table, ONE)
        assert holder(table) == OTHER

    def test_there_is_nothing_to_renew_after_a_release(self, table: Table) -> None:
        begin(table)
        locking.release(table, ONE)
        with pytest.raises(LostLockError):
            locking.renew(table, ONE, T)


class Others:
    """They act once something has been read, before anything is written."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch = monkeypatch

    def act(self, after: str, act: Callable[[], object]) -> None:
        """Do this after the lock, or the run, has been read next."""
        decode = getattr(codec, after)

        def decode_and_act(item: Item) -> object:
            self.monkeypatch.setattr(codec, after, decode)
            act()
            return decode(item)

        self.monkeypatch.setattr(codec, after, decode_and_act)


@pytest.fixture
def others(table: Table, monkeypatch: pytest.MonkeyPatch) -> Others:
    begin(table)
    return Others(monkeypatch)


@pytest.mark.parametrize("after", ["lock", "run"])
class TestRaces:
    """An execution finds that the lock of a run has expired, and others act before it takes the lock."""

    def test_of_two_that_find_it_one_takes_it(self, table: Table, others: Others, after: str) -> None:
        others.act(after, lambda: begin(table, LATER + SECOND, "c"))
        with pytest.raises(AlreadyRunningError) as refused:
            begin(table, LATER, "b")
        assert refused.value.run == "20261123T084102Z" == holder(table)
        assert states(table, ONE) == ["failed"]

    def test_a_run_that_renews_in_time_keeps_it(self, table: Table, others: Others, after: str) -> None:
        others.act(after, lambda: locking.renew(table, ONE, LATER))
        with pytest.raises(AlreadyRunningError):
            begin(table, LATER, "b")
        assert (holder(table), states(table, ONE)) == (ONE, ["running"])

    def test_a_run_that_ends_in_between_has_ended_well(self, table: Table, others: Others, after: str) -> None:
        ended = store.find(table, ONE).done(LATER, figures())
        others.act(after, lambda: store.end(table, ended))
        assert begin(table, LATER, "b") == Begun(OTHER)
        assert states(table, ONE, OTHER) == ["done", "running"]

    def test_a_run_that_releases_in_between_makes_way(self, table: Table, others: Others, after: str) -> None:
        ended = store.find(table, ONE).done(LATER, figures())

        def end() -> None:
            store.end(table, ended)
            locking.release(table, ONE)

        others.act(after, end)
        assert begin(table, LATER, "b") == Begun(OTHER)
        assert (holder(table), states(table, ONE)) == (OTHER, ["done"])


def test_who_loses_the_lock_while_renewing_is_told(table: Table, others: Others) -> None:
    others.act("lock", lambda: begin(table, LATER, "b"))
    with pytest.raises(LostLockError):
        locking.renew(table, ONE, LATER)
    assert holder(table) == OTHER
