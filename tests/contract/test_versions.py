"""Revisions on every engine: two writers at once, refusals, nothing lost, nothing overwritten."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import boto3
import pytest

from functions.domain.audits import Audit
from functions.domain.documents import Metadata, Revision, Right
from functions.domain.errors import ConcurrentChangeError, NotFoundError, NotPermittedError, VersionConflictError
from functions.store import audits, documents, keys, patterns
from functions.store.keys import Key
from functions.store.table import CONFIG, Table, TransactionRefusedError
from tests.conftest import fresh_table
from tests.support.crashes import dying_at
from tests.support.streams import Recording

NOON = 1535544000000
NOBODY: frozenset[str] = frozenset()
WILL = frozenset({"will"})


def audit(auditor: str, part: str = "engine") -> Audit:
    return Audit("Equipment_1", part, 0, NOON, auditor, f"by {auditor}")


def draft(author: str, content: str = "draft") -> Revision:
    return Revision("d", 0, NOON, author, content)


def auditors(table: Table) -> list[tuple[int, str]]:
    query = patterns.audits.history("Equipment_1", "engine")
    return [(found.version, found.auditor) for found in audits.page(table, query, 1000, None)[0]]


def contents(table: Table) -> list[tuple[int, str]]:
    return [(found.version, found.content) for found in documents.page(table, "d", 1000, None, forward=True)[0]]


class Interfering:
    """After a read of a key, and before its answer is used, something else happens.

    What happens reads undisturbed. The recording reads too, before it writes.
    """

    def __init__(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        self.table, self.monkeypatch, self.real = table, monkeypatch, table.get

    def after_reading(self, sk: str, happens: Callable[[], object], times: int = 1) -> None:
        left = times

        def get(key: Key) -> Any:
            nonlocal left
            item = self.real(key)
            if key.sk == sk and left:
                left -= 1
                self.monkeypatch.setattr(self.table, "get", self.real)
                happens()
                self.monkeypatch.setattr(self.table, "get", get)
            return item

        self.monkeypatch.setattr(self.table, "get", get)


@pytest.fixture
def interfering(engine: Recording, monkeypatch: pytest.MonkeyPatch) -> Interfering:
    return Interfering(engine, monkeypatch)


class TestAudits:
    def test_the_first_is_version_1_and_12_follows_11(self, engine: Recording) -> None:
        assert [audits.add(engine, audit(f"a{number}")).version for number in range(1, 13)] == list(range(1, 13))
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
        with pytest.raises(VersionConflictError) as conflict:
            audits.add(engine, audit("amy"), expected)
        assert (conflict.value.expected, conflict.value.found) == (expected, stored)
        assert engine.all_items() == before

    def test_parts_do_not_meet(self, engine: Recording, interfering: Interfering) -> None:
        interfering.after_reading("v0_Audit#engine", lambda: audits.add(engine, audit("bob", "wing")))
        assert audits.add(engine, audit("amy")).version == 1

    def test_each_revision_reaches_the_stream_once_as_a_source(self, engine: Recording) -> None:
        for _ in range(3):
            audits.add(engine, audit("amy"))
        (lane,) = engine.lanes.values()
        new = [record["dynamodb"]["NewImage"] for record in lane]
        assert [image["Version"]["N"] for image in new if image["Type"]["S"] == "AUDIT"] == ["1", "2", "3"]

    def test_a_revision_is_never_overwritten_even_where_the_newest_is_lost(self, engine: Recording) -> None:
        audits.add(engine, audit("amy"))
        engine.delete(keys.audits.newest("Equipment_1", "engine"))
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
    made = fresh_table(boto3.client("dynamodb", endpoint_url=dynamodb_local, config=CONFIG))
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
            return audits.add(table, audit(auditor)).version, auditor
        except VersionConflictError:
            continue


@pytest.fixture
def document(engine: Recording) -> Recording:
    """Olga's, which Will may write."""
    documents.describe(engine, "olga", Metadata("d", "T"))
    documents.permit(engine, "olga", "d", NOBODY, WILL)
    return engine


class TestDocuments:
    def test_of_two_who_create_it_one_owns_it(self, engine: Recording, interfering: Interfering) -> None:
        theirs = Metadata("d", "theirs")
        interfering.after_reading("permissions", lambda: documents.describe(engine, "bob", theirs))
        with pytest.raises(NotFoundError):
            documents.describe(engine, "amy", Metadata("d", "mine"))
        found = documents.find(engine, "bob", "d")
        assert (found.metadata, found.permissions.owner) == (theirs, "bob")

    @pytest.mark.parametrize("expected", [None, 0])
    def test_after_a_revocation_nothing_is_written(
        self, document: Recording, interfering: Interfering, expected: int | None
    ) -> None:
        """Also if it was answered between the look at the permissions and the write."""
        for write in (
            lambda: documents.revise(document, draft("will"), expected),
            lambda: documents.describe(document, "will", Metadata("d", "X")),
        ):
            documents.permit(document, "olga", "d", NOBODY, WILL)
            interfering.after_reading("permissions", lambda: documents.permit(document, "olga", "d", NOBODY, NOBODY))
            with pytest.raises(NotFoundError):
                write()
        assert contents(document) == []
        assert documents.find(document, "olga", "d").metadata.title == "T"

    def test_who_became_a_reader_meanwhile_may_not_write(self, document: Recording, interfering: Interfering) -> None:
        interfering.after_reading("permissions", lambda: documents.permit(document, "olga", "d", WILL, NOBODY))
        with pytest.raises(NotPermittedError):
            documents.revise(document, draft("will"))

    def test_the_revocation_is_told_before_the_conflict(self, document: Recording, interfering: Interfering) -> None:
        """Else who may no longer read would learn the current version."""

        def meanwhile() -> None:
            documents.revise(document, draft("olga"))
            documents.permit(document, "olga", "d", NOBODY, NOBODY)

        interfering.after_reading("permissions", meanwhile)
        with pytest.raises(NotFoundError):
            documents.revise(document, draft("will"), expected=0)
        assert contents(document) == [(1, "draft")]

    def test_another_change_of_the_permissions_does_not_stop_a_writer(
        self, document: Recording, interfering: Interfering
    ) -> None:
        rita = frozenset({"rita"})
        interfering.after_reading("permissions", lambda: documents.permit(document, "olga", "d", rita, WILL))
        assert documents.revise(document, draft("will")).version == 1
        interfering.after_reading("permissions", lambda: documents.permit(document, "olga", "d", rita, WILL))
        assert documents.permit(document, "olga", "d", NOBODY, WILL).readers == NOBODY
        assert documents.permitted(document, "d", "olga", Right.OWN).version == 5

    def test_permissions_that_keep_changing_end_in_a_conflict(
        self, document: Recording, interfering: Interfering
    ) -> None:
        interfering.after_reading(
            "permissions", lambda: documents.permit(document, "olga", "d", NOBODY, WILL), times=99
        )
        with pytest.raises(ConcurrentChangeError):
            documents.revise(document, draft("will"))
        assert contents(document) == []

    def test_of_two_authors_one_wins(self, document: Recording, interfering: Interfering) -> None:
        interfering.after_reading("v_0", lambda: documents.revise(document, draft("olga", "hers")))
        with pytest.raises(VersionConflictError) as conflict:
            documents.revise(document, draft("will", "his"))
        assert (conflict.value.expected, conflict.value.found) == (0, 1)
        assert contents(document) == [(1, "hers")]
        assert documents.find(document, "will", "d").newest == Revision("d", 1, NOON, "olga", "hers")

    def test_one_request_finds_the_whole_and_no_old_revision(self, document: Recording) -> None:
        for number in range(1, 13):
            documents.revise(document, draft("will", f"c{number}"))
        items = document.query(patterns.documents.document("d")).items
        assert [item["SK"]["S"] for item in items] == ["metadata", "permissions", "v_0"]
        assert contents(document) == [(number, f"c{number}") for number in range(1, 13)]
        backwards, _ = documents.page(document, "d", 2, None, forward=False)
        assert [found.version for found in backwards] == [12, 11]
        assert documents.find_revision(document, "d", 10) == Revision("d", 10, NOON, "will", "c10")
        assert documents.find_revision(document, "d", 13) is None
