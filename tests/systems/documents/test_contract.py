"""Documents on every engine: permissions that change while somebody writes, two authors at once."""

from collections.abc import Callable

import pytest

from edgewise.dynamodb import pages
from edgewise.dynamodb.table import Table
from edgewise.errors import ConcurrentChangeError, InvalidInputError, NotFoundError
from functions.errors import NotPermittedError, VersionConflictError
from functions.preconditions import NONE, Expected
from functions.systems.documents import items as documents_items
from functions.systems.documents import store as documents
from functions.systems.documents.entity import MAX_INFORMATION, Information, Metadata, Permissions, Revision, Right
from functions.users import User
from tests.support.interference import Interfering
from tests.support.streams import Recording

NOON = 1535544000000
NOBODY: dict[str, str] = {}
WILL = {"Will": "will"}


def of(name: str) -> User:
    return User(name, name)


def giving(readers: dict[str, str], writers: dict[str, str]) -> Callable[[Permissions], Permissions]:
    return lambda held: held.changed(readers, writers)


def draft(author: str, content: str = "draft") -> Revision:
    return Revision("d", 0, NOON, author, content)


def contents(table: Table) -> list[tuple[int, str]]:
    return [
        (found.version, found.content)
        for found in pages.listed(
            table, documents_items.revisions("d", forward=True), 1000, None, documents_items.REVISION.decode
        )[0]
    ]


def kept(table: Table) -> dict[str, str | None]:
    """What the list of names tells, each with what stands there."""
    found = {name: documents.find_information(table, "d", name) for name in ("storage", "review", "more")}
    names = documents.find(table, "olga", "d").information
    assert {name for name in found if found[name]} == names & found.keys()
    return {name: one.data for name, one in found.items() if one}


@pytest.fixture
def interfering(engine: Recording, monkeypatch: pytest.MonkeyPatch) -> Interfering:
    return Interfering(engine, monkeypatch)


@pytest.fixture
def document(engine: Recording) -> Recording:
    """Olga's, which Will may write."""
    documents.describe(engine, of("olga"), Metadata("d", "T"))
    documents.permit(engine, "olga", "d", giving(NOBODY, WILL))
    return engine


class TestDocuments:
    def test_of_two_who_create_it_one_owns_it(self, engine: Recording, interfering: Interfering) -> None:
        theirs = Metadata("d", "theirs")
        interfering.after_reading("permissions", lambda: documents.describe(engine, of("bob"), theirs))
        with pytest.raises(NotFoundError):
            documents.describe(engine, of("amy"), Metadata("d", "mine"))
        found = documents.find(engine, "bob", "d")
        assert (found.metadata, found.permissions.owner) == (theirs, "bob")

    @pytest.mark.parametrize("expected", [None, NONE])
    def test_after_a_revocation_nothing_is_written(
        self, document: Recording, interfering: Interfering, expected: Expected | None
    ) -> None:
        """Also if it was answered between the look at the permissions and the write."""
        documents.inform(document, "olga", Information("d", "storage", '{"a":1}'))
        for write in (
            lambda: documents.revise(document, "will", draft("will"), expected),
            lambda: documents.describe(document, of("will"), Metadata("d", "X")),
            lambda: documents.inform(document, "will", Information("d", "review", "{}")),
            lambda: documents.inform(document, "will", Information("d", "storage", "{}")),
            lambda: documents.forget(document, "will", "d", "storage"),
        ):
            documents.permit(document, "olga", "d", giving(NOBODY, WILL))
            interfering.after_reading(
                "permissions", lambda: documents.permit(document, "olga", "d", giving(NOBODY, NOBODY))
            )
            with pytest.raises(NotFoundError):
                write()
        assert contents(document) == []
        assert kept(document) == {"storage": '{"a":1}'}
        assert documents.find(document, "olga", "d").metadata.title == "T"

    def test_who_became_a_reader_meanwhile_may_not_write(self, document: Recording, interfering: Interfering) -> None:
        interfering.after_reading("permissions", lambda: documents.permit(document, "olga", "d", giving(WILL, NOBODY)))
        with pytest.raises(NotPermittedError):
            documents.revise(document, "will", draft("will"))

    def test_the_revocation_is_told_before_the_conflict(self, document: Recording, interfering: Interfering) -> None:
        """Else who may no longer read would learn the current version."""

        def meanwhile() -> None:
            documents.revise(document, "olga", draft("olga"))
            documents.permit(document, "olga", "d", giving(NOBODY, NOBODY))

        interfering.after_reading("permissions", meanwhile)
        with pytest.raises(NotFoundError):
            documents.revise(document, "will", draft("will"), expected=NONE)
        assert contents(document) == [(1, "draft")]

    def test_another_change_of_the_permissions_does_not_stop_a_writer(
        self, document: Recording, interfering: Interfering
    ) -> None:
        rita = {"Rita": "rita"}
        interfering.after_reading("permissions", lambda: documents.permit(document, "olga", "d", giving(rita, WILL)))
        assert documents.revise(document, "will", draft("will"))[0].version == 1
        interfering.after_reading("permissions", lambda: documents.permit(document, "olga", "d", giving(rita, WILL)))
        assert documents.permit(document, "olga", "d", giving(NOBODY, WILL)).readers == NOBODY
        assert documents.permitted(document, "d", "olga", Right.OWN).version == 5

    def test_permissions_that_keep_changing_end_in_a_conflict(
        self, document: Recording, interfering: Interfering
    ) -> None:
        interfering.after_reading(
            "permissions", lambda: documents.permit(document, "olga", "d", giving(NOBODY, WILL)), times=99
        )
        with pytest.raises(ConcurrentChangeError):
            documents.revise(document, "will", draft("will"))
        assert contents(document) == []

    def test_of_two_authors_one_wins(self, document: Recording, interfering: Interfering) -> None:
        interfering.after_reading("v_0", lambda: documents.revise(document, "olga", draft("olga", "hers")))
        with pytest.raises(VersionConflictError) as conflict:
            documents.revise(document, "will", draft("will", "his"))
        assert (conflict.value.expected, conflict.value.found) == (0, 1)
        assert contents(document) == [(1, "hers")]
        assert documents.find(document, "will", "d").newest == Revision("d", 1, NOON, "olga", "hers")

    def test_one_request_finds_the_whole_and_no_old_revision(self, document: Recording) -> None:
        for number in range(1, 13):
            documents.revise(document, "will", draft("will", f"c{number}"))
        items = document.query(documents_items.whole("d")).items
        assert [item["SK"]["S"] for item in items] == ["metadata", "permissions", "v_0"]
        assert contents(document) == [(number, f"c{number}") for number in range(1, 13)]
        backwards, _ = pages.listed(
            document, documents_items.revisions("d", forward=False), 2, None, documents_items.REVISION.decode
        )
        assert [found.version for found in backwards] == [12, 11]
        assert documents.find_revision(document, "d", 10) == Revision("d", 10, NOON, "will", "c10")
        assert documents.find_revision(document, "d", 13) is None


class TestInformation:
    """Two at once: the list of names and what stands under them never differ."""

    def test_two_new_names_are_both_listed(self, document: Recording, interfering: Interfering) -> None:
        other = Information("d", "review", "{}")
        interfering.after_reading("information", lambda: documents.inform(document, "will", other))
        assert documents.inform(document, "olga", Information("d", "storage", "{}")) is True
        assert kept(document) == {"review": "{}", "storage": "{}"}

    def test_what_is_removed_meanwhile_is_listed_again(self, document: Recording, interfering: Interfering) -> None:
        documents.inform(document, "olga", Information("d", "storage", "{}"))
        interfering.after_reading("information", lambda: documents.forget(document, "will", "d", "storage"))
        assert documents.inform(document, "olga", Information("d", "storage", '{"a":1}')) is True
        assert kept(document) == {"storage": '{"a":1}'}

    def test_what_is_written_meanwhile_is_removed(self, document: Recording, interfering: Interfering) -> None:
        documents.inform(document, "olga", Information("d", "storage", "{}"))
        other = Information("d", "review", "{}")
        interfering.after_reading("information", lambda: documents.inform(document, "will", other))
        documents.forget(document, "olga", "d", "storage")
        assert kept(document) == {"review": "{}"}

    def test_of_two_last_names_one_is_refused(self, document: Recording, interfering: Interfering) -> None:
        for number in range(MAX_INFORMATION - 1):
            documents.inform(document, "olga", Information("d", f"n{number}", "{}"))
        other = Information("d", "review", "{}")
        interfering.after_reading("information", lambda: documents.inform(document, "will", other))
        with pytest.raises(InvalidInputError):
            documents.inform(document, "olga", Information("d", "storage", "{}"))
        assert kept(document) == {"review": "{}"}
