"""Audits on every engine: two auditors at once, refusals, nothing lost, nothing overwritten."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from edgewise.dynamodb import pages
from edgewise.dynamodb.table import Table, TransactionRefusedError
from functions.errors import PreconditionFailedError, VersionConflictError
from functions.preconditions import Expected
from functions.systems.audits import items as audits_items
from functions.systems.audits import store as audits
from functions.systems.audits.entity import Audit
from tests.conftest import fresh_table, local_client
from tests.support.crashes import dying_at
from tests.support.interference import Interfering
from tests.support.streams import Recording

NOON = 1535544000000


def audit(auditor: str, part: str = "engine") -> Audit:
    return Audit("Equipment_1", part, 0, NOON, auditor, f"by {auditor}")


def auditors(table: Table) -> list[tuple[int, str]]:
    query = audits_items.history("Equipment_1", "engine")
    return [
        (found.version, found.auditor) for found in pages.listed(table, query, 1000, None, audits_items.AUDIT.decode)[0]
    ]


@pytest.fixture
def interfering(engine: Recording, monkeypatch: pytest.MonkeyPatch) -> Interfering:
    return Interfering(engine, monkeypatch)


class TestAudits:
    def test_the_first_is_version_1_and_12_follows_11(self, engine: Recording) -> None:
        assert [audits.add(engine, audit(f"a{number}"))[0].version for number in range(1, 13)] == list(range(1, 13))
        assert auditors(engine) == [(number, f"a{number}") for number in range(1, 13)]
        assert audits.newest(engine, "Equipment_1", "engine") == Audit(
            "Equipment_1", "engine", 12, NOON, "a12", "by a12"
        )

    def test_of_two_who_read_the_same_version_one_wins(self, engine: Recording, interfering: Interfering) -> None:
        audits.add(engine, audit("first"))
        interfering.after_reading("v0_Audit#engine", lambda: audits.add(engine, audit("bob")))
        with pytest.raises(VersionConflictError) as conflict:
            audits.add(engine, audit("amy"))
        assert (conflict.value.expected, conflict.value.found) == (1, 2)
        assert auditors(engine) == [(1, "first"), (2, "bob")]
        newest = audits.newest(engine, "Equipment_1", "engine")
        assert newest is not None
        assert (newest.version, newest.auditor) == (2, "bob")

    def test_also_when_it_is_the_first(self, engine: Recording, interfering: Interfering) -> None:
        interfering.after_reading("v0_Audit#engine", lambda: audits.add(engine, audit("bob")))
        with pytest.raises(VersionConflictError) as conflict:
            audits.add(engine, audit("amy"))
        assert (conflict.value.expected, conflict.value.found) == (0, 1)
        assert auditors(engine) == [(1, "bob")]

    @pytest.mark.parametrize(("stored", "expected"), [(0, 1), (2, 0), (2, 1), (2, 3)])
    def test_another_version_than_expected_changes_nothing(self, engine: Recording, stored: int, expected: int) -> None:
        for number in range(stored):
            audits.add(engine, audit(f"a{number}"))
        before = engine.all_items()
        with pytest.raises(PreconditionFailedError) as refusal:
            audits.add(engine, audit("amy"), Expected(expected))
        assert refusal.value.found == stored
        assert engine.all_items() == before

    def test_parts_do_not_meet(self, engine: Recording, interfering: Interfering) -> None:
        interfering.after_reading("v0_Audit#engine", lambda: audits.add(engine, audit("bob", "wing")))
        assert audits.add(engine, audit("amy"))[0].version == 1

    def test_each_revision_reaches_the_stream_once_as_a_source(self, engine: Recording) -> None:
        for _ in range(3):
            audits.add(engine, audit("amy"))
        (shard,) = engine.shards.values()
        new = [record["dynamodb"]["NewImage"] for record in shard]
        assert [image["Version"]["N"] for image in new if image["Type"]["S"] == "AUDIT"] == ["1", "2", "3"]

    def test_a_revision_is_never_overwritten_even_where_the_newest_is_lost(self, engine: Recording) -> None:
        audits.add(engine, audit("amy"))
        engine.delete(audits_items.NEWEST.key("Equipment_1", "engine"))
        with pytest.raises(TransactionRefusedError):
            audits.add(engine, audit("bob"))
        assert auditors(engine) == [(1, "amy")]

    @pytest.mark.parametrize("answer_lost", [False, True])
    def test_a_process_that_dies_leaves_both_copies_or_none(self, engine: Recording, answer_lost: bool) -> None:
        with dying_at(engine, 0, answer_lost=answer_lost):
            audits.add(engine, audit("amy"))
        assert len(engine.all_items()) == (2 if answer_lost else 0)


def test_many_auditors_at_once(dynamodb_local: str, aws_env: pytest.MonkeyPatch) -> None:
    """Real threads, each again until it gets through: every audit is in once, no version is skipped or taken twice.

    On the one engine that isolates transactions of several threads from each other.
    """
    made = fresh_table(local_client(dynamodb_local))
    writers, each = 4, 5
    table, start = Table(made.name, made.client), Barrier(writers)

    def work(writer: int) -> list[tuple[int, str]]:
        start.wait()
        return [_again(table, f"{writer}-{number}") for number in range(each)]

    with ThreadPoolExecutor(writers) as pool:
        answered = sorted(one for ones in pool.map(work, range(writers)) for one in ones)
    assert auditors(table) == answered
    assert [version for version, _ in answered] == list(range(1, writers * each + 1))
    newest = audits.newest(table, "Equipment_1", "engine")
    assert newest is not None
    assert (newest.version, newest.auditor) == answered[-1]


def _again(table: Table, auditor: str) -> tuple[int, str]:
    while True:
        try:
            return audits.add(table, audit(auditor))[0].version, auditor
        except VersionConflictError:
            continue
