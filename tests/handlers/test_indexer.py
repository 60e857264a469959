"""The way of a change into the index: through the second reader, the queue, and the indexer, also while it is down."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import ANY, patch

import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

from edgewise import Item, Key
from edgewise.dynamodb.attributes import key_item
from functions.bucket import Bucket, client
from functions.catalog import WATCHED
from functions.handlers import cascade, indexer
from functions.search import analysis, hints, withdrawals
from functions.search.hints import Message, Rebuild
from functions.search.indexing import Indexer
from functions.search.manifest import MANIFEST
from functions.search.query import Search, clauses
from functions.search.snapshots import Snapshots
from tests.support.http import Client, Context
from tests.support.streams import StreamedTable


class Queue:
    """The queue of hints: what was not taken to the end comes again."""

    def __init__(self) -> None:
        self.waiting: list[str] = []
        self.full = False

    def send(self, sent: Message) -> None:
        if self.full:
            raise ClientError({"Error": {"Code": "ServiceUnavailable"}}, "SendMessage")
        self.waiting.append(hints.text(sent))

    def rebuild(self, wanted: Rebuild) -> None:
        self.send(wanted)

    def deliver(self) -> None:
        batch = self.waiting[:10]
        indexer.handler({"Records": [{"body": body} for body in batch]}, Context())
        del self.waiting[: len(batch)]


@pytest.fixture
def queue(table: StreamedTable, handlers: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Queue]:
    made = Queue()
    client.cache_clear()
    with mock_aws():
        client().create_bucket(Bucket="index")
        index = Snapshots(Bucket("index"), tmp_path / "index", writes=True)
        monkeypatch.setattr(cascade, "search", lambda: made)
        monkeypatch.setattr(indexer, "table", lambda: table)
        monkeypatch.setattr(indexer, "indexer", lambda: Indexer(table, WATCHED, index, made))  # type: ignore[arg-type]
        yield made
    client.cache_clear()


def found(word: str, folder: Path) -> int:
    reader = Snapshots(Bucket("index"), folder, writes=False)
    reader.refresh()
    return reader.serving().search(Search(sub="amy", clauses=clauses(word, analysis.words))).total


def post(n: int, word: str = "zeppelin", room: str = "sea") -> None:
    answer = Client().call("POST /rooms/{room}/messages", None, {"messages": [{"text": f"{word} {n}"}]}, room=room)
    assert answer.status == 202


def test_what_is_posted_is_found(queue: Queue, drain: Callable[[], None], tmp_path: Path) -> None:
    post(1)
    drain()
    queue.deliver()
    assert found("zeppelin", tmp_path / "reader") == 1
    assert queue.waiting == []


def test_a_message_that_is_withdrawn_is_found_no_more(queue: Queue, drain: Callable[[], None], tmp_path: Path) -> None:
    post(1, "dirigible")
    post(2, "dirigible")
    (first, _) = Client().call("GET /rooms/{room}/messages", room="sea").body["messages"]
    drain()
    queue.deliver()
    asked = {"sent_at": first["sent_at"]}
    assert Client().call("DELETE /rooms/{room}/messages/{id}", asked, room="sea", id=first["message_id"]).status == 204
    drain()
    queue.deliver()
    assert found("dirigible", tmp_path / "reader") == 1


def test_what_is_withdrawn_is_noted_until_the_index_says_so(
    queue: Queue, table: StreamedTable, drain: Callable[[], None], tmp_path: Path
) -> None:
    """Given back meanwhile, it is found again."""

    def let_read(*readers: str) -> None:
        body = {"readers": list(readers), "writers": []}
        assert Client("amy").call("PUT /documents/{document}/permissions", None, body, document="d").status == 200

    def counted_for_bob() -> int:
        reader = Snapshots(Bucket("index"), tmp_path / "reader", writes=False)
        notes = withdrawals.withdrawn(table, "bob")
        reader.refresh()
        asked = Search(sub="bob", clauses=clauses("airship", analysis.words), without=notes.addresses)
        return reader.serving().search(asked).total

    def take_all() -> None:
        drain()
        while queue.waiting:
            queue.deliver()

    Client("amy").call("PUT /documents/{document}/metadata", None, {"title": "airship"}, document="d")
    let_read("bob")
    take_all()
    assert counted_for_bob() == 1
    let_read()
    assert counted_for_bob() == 0
    take_all()
    assert (counted_for_bob(), notes_in(table)) == (0, 0)
    for readers in (("bob",), (), ("bob",)):
        let_read(*readers)
    assert (counted_for_bob(), notes_in(table)) == (0, 1)
    take_all()
    assert (counted_for_bob(), notes_in(table)) == (1, 0)


def notes_in(table: StreamedTable) -> int:
    return sum(item["Type"]["S"] == withdrawals.TYPE for item in table.all_items())


def test_while_the_index_is_down_the_readers_go_on_and_afterwards_nothing_is_missing(
    queue: Queue,
    table: StreamedTable,
    drain: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """For an hour: each minute a message, and a delivery that fails."""
    put = client().put_object

    def down(**_: Any) -> Any:
        raise ClientError({"Error": {"Code": "ServiceUnavailable"}}, "PutObject")

    monkeypatch.setattr(client(), "put_object", down)
    for minute in range(60):
        post(minute, "balloon")
        drain()
        with pytest.raises(ClientError):
            queue.deliver()
        assert not any(table.shards.values()), "nothing of the stream waits"
    monkeypatch.setattr(client(), "put_object", put)
    while queue.waiting:
        queue.deliver()
    assert found("balloon", tmp_path / "reader") == 60


def test_what_the_queue_refuses_is_delivered_again_to_the_second_reader(
    queue: Queue, table: StreamedTable, drain: Callable[[], None]
) -> None:
    queue.full = True
    post(1)
    with pytest.raises(ClientError):
        drain()
    assert queue.waiting == []


def test_a_stage_without_search_is_told_nothing(drain: Callable[[], None], queue: Queue) -> None:
    with patch.object(cascade, "search", lambda: None):
        post(1)
        drain()
    assert queue.waiting == []


def test_hints_of_kinds_that_this_release_does_not_know_are_left_out(queue: Queue) -> None:
    queue.waiting = ['{"changed": [["fox", "a", "b"]]}', '{"rebuild": "unknown", "after": ["a", "b"]}']
    queue.deliver()
    assert queue.waiting == []


def test_a_room_that_is_called_like_a_date_stops_nothing(
    queue: Queue, drain: Callable[[], None], tmp_path: Path
) -> None:
    """tantivy panics at a date that it can't hold, outside of Exception."""
    for room in ("9999-12-31T23:59:59-01:00", "sea"):
        post(1, room=room)
    drain()
    queue.rebuild(Rebuild("of-dates"))
    while queue.waiting:
        queue.deliver()
    assert found("zeppelin", tmp_path / "reader") == 2


def test_items_that_nobody_understands_stop_no_rebuild(
    queue: Queue, table: StreamedTable, drain: Callable[[], None], tmp_path: Path
) -> None:
    post(1)
    foreign: list[Item] = [{}, {"Type": {"N": "1"}}]
    foreign += [{"Type": {"S": each}} for each in sorted(WATCHED.types)]
    table.put_many([{**key_item(Key(f"{n}", "foreign")), **each} for n, each in enumerate(foreign)])
    drain()
    queue.waiting = []
    queue.rebuild(Rebuild("of-foreign-items"))
    while queue.waiting:
        queue.deliver()
    assert found("zeppelin", tmp_path / "reader") == 1


def test_an_index_that_another_release_has_made_is_filled_anew(
    queue: Queue, drain: Callable[[], None], tmp_path: Path
) -> None:
    post(1)
    drain()
    queue.deliver()
    manifest = json.loads(Bucket("index").read(MANIFEST))
    for each in manifest["generations"].values():
        each["form"] = "of another release"
    Bucket("index").write(MANIFEST, json.dumps(manifest).encode())
    post(2)
    drain()
    queue.deliver()
    assert [hints.message(each) for each in queue.waiting] == [Rebuild(ANY)]
    while queue.waiting:
        queue.deliver()
    assert found("zeppelin", tmp_path / "reader") == 2
