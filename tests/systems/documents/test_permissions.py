"""Who may do what with a document, and what nobody else may know."""

from collections.abc import Callable, Sequence

import pytest

from edgewise.dynamodb.table import Table
from edgewise.dynamodb.writes import Action
from functions.systems.documents.entity import Permissions
from functions.systems.documents.items import PERMISSIONS
from tests.support.documents import (
    OWNER,
    READER,
    STRANGER,
    WRITER,
    all_items,
    forget,
    get,
    inform,
    information,
    post,
    put,
    version,
    versions,
)
from tests.support.http import Answer, Client
from tests.support.streams import StreamedTable

pytestmark = pytest.mark.usefixtures("handlers")


@pytest.fixture
def document() -> None:
    """Olga's, which Will may write and Rita may read; one version."""
    put(OWNER, "metadata")
    put(OWNER, "permissions")
    post(OWNER)


class TestPermissions:
    def test_they_are_sets(self, document: None) -> None:
        answer = put(OWNER, "permissions", {"readers": ["b", "a", "b"], "writers": ["olga", "a"]})
        assert (answer.status, answer.body) == (200, {"owner": "olga", "readers": ["a", "b"], "writers": ["a", "olga"]})

    @pytest.mark.parametrize("client", [OWNER, WRITER, READER])
    def test_who_may_read(self, document: None, client: Client) -> None:
        inform(OWNER)
        answers = [get(client), versions(client), version(client, "1"), information(client)]
        assert [answer.status for answer in answers] == [200] * 4

    @pytest.mark.parametrize("client", [OWNER, WRITER])
    def test_who_may_write(self, document: None, client: Client) -> None:
        assert [put(client, "metadata").status, post(client).status] == [200, 201]
        assert [inform(client).status, inform(client).status, forget(client).status] == [201, 200, 204]
        assert get(READER).body["newest"]["author"] == client.user

    @pytest.mark.parametrize(
        ("client", "what", "detail"),
        [
            (READER, "metadata", "you may not change this document"),
            (READER, "versions", "you may not change this document"),
            (READER, "information", "you may not change this document"),
            (READER, "forget", "you may not change this document"),
            (READER, "permissions", "you may not change who may read and write this document"),
            (WRITER, "permissions", "you may not change who may read and write this document"),
        ],
    )
    def test_who_may_read_but_not_that_is_told_so_and_nothing_else(
        self, document: None, client: Client, what: str, detail: str, table: Table
    ) -> None:
        inform(OWNER)
        before = all_items(table)
        others: dict[str, Callable[[Client], Answer]] = {"versions": post, "information": inform, "forget": forget}
        answer = others[what](client) if what in others else put(client, what)
        forbidden = {"type": "about:blank", "title": "Forbidden", "status": 403, "detail": detail, "errors": []}
        assert (answer.status, answer.body) == (403, forbidden)
        assert all_items(table) == before

    def test_for_everybody_else_there_is_no_document(self, document: None, table: Table) -> None:
        """To the last byte what is said of a document that does not exist, but for the creation of one."""
        inform(OWNER)
        before = all_items(table)
        for ask in (
            get,
            versions,
            post,
            lambda client, name="d": version(client, "1", name),
            lambda client, name="d": version(client, "7", name),
            lambda client, name="d": put(client, "permissions", name=name),
            lambda client, name="d": inform(client, name=name),
            lambda client, name="d": information(client, name=name),
            lambda client, name="d": information(client, "nothing", name=name),
            lambda client, name="d": forget(client, name=name),
        ):
            hidden, absent = ask(STRANGER), ask(STRANGER, name="e")
            assert (hidden.status, absent.status) == (404, 404)
            assert absent.body["detail"] == "there is no document 'e'"
            assert hidden.body == absent.body | {"detail": "there is no document 'd'"}
            assert hidden.headers == absent.headers
            assert not [name for name in absent.headers if name.startswith(("x-consumed", "x-caused"))]
        assert put(STRANGER, "metadata").body["detail"] == "there is no document 'd'"
        assert all_items(table) == before

    def test_groups_give_no_right(self, document: None) -> None:
        mighty = Client("stan", ("admin", "write", "import", "ingest"))
        assert [get(mighty).status, post(mighty).status, put(mighty, "permissions").status] == [404] * 3

    def test_a_revocation_holds_at_once_for_every_route(self, document: None) -> None:
        post(OWNER)
        cursor = versions(READER, limit="1").body["cursor"]
        assert cursor
        put(OWNER, "permissions", {"readers": [], "writers": []})
        answers = [get(READER), versions(READER, limit="1", cursor=cursor), version(READER, "1")]
        answers += [post(WRITER), put(WRITER, "metadata"), get(WRITER)]
        answers += [information(READER), inform(WRITER), forget(WRITER)]
        assert [answer.status for answer in answers] == [404] * 9

    @pytest.mark.parametrize(
        ("readers", "writers", "actions"), [(2, 0, [2]), (100, 0, [100]), (100, 1, [100, 2]), (100, 100, [100, 100, 2])]
    )
    def test_it_is_noted_for_each_who_loses_it_however_many_they_are(
        self,
        document: None,
        table: StreamedTable,
        readers: int,
        writers: int,
        actions: list[int],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """So their searches find it no more. A transaction takes a hundred actions, one of which is the permissions."""
        sent, transact = list[int](), StreamedTable.transact

        def counted(table: StreamedTable, actions: Sequence[Action]) -> None:
            sent.append(len(actions))
            transact(table, actions)

        monkeypatch.setattr(StreamedTable, "transact", counted)
        held = Permissions("d", "olga", {f"r{n}": f"sub-r{n}" for n in range(readers)})
        held = held.changed(held.readers, {f"w{n}": f"sub-w{n}" for n in range(writers)})
        table.put_many([PERMISSIONS.encode(held)])
        answer = put(OWNER, "permissions", {"readers": ["r0"], "writers": []})
        assert (answer.body["readers"], sent) == (["r0"], actions)
        losing = {*held.readers.values(), *held.writers.values()} - {"sub-r0"}
        noted = [item["PK"]["S"].partition("#")[2] for item in all_items(table) if item["Type"]["S"] == "WITHDRAWAL"]
        assert sorted(noted) == sorted(losing)
        # An edge each, and the removal of each note.
        assert int(answer.headers["x-caused-units"]) == 2 * len(losing)

    def test_whoever_keeps_a_right_is_not_noted(self, document: None, table: Table) -> None:
        put(OWNER, "permissions", {"readers": ["will", "rita", "amy"], "writers": []})
        assert not [item for item in all_items(table) if item["Type"]["S"] == "WITHDRAWAL"]

    def test_names_are_compared_as_they_are(self, document: None) -> None:
        for name in ("Rita", "rita ", "rit", "rita,will", "R\u0131ta"):
            assert get(Client(name)).status == 404
