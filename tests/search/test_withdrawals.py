"""What was withdrawn: who reads the notes on it, how many, and when the indexer removes them."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

from edgewise import Key, clock
from edgewise.dynamodb.attributes import key_of
from edgewise.times import DAY
from functions.bucket import Bucket, client
from functions.catalog import WATCHED
from functions.replay.memory import MemoryTable
from functions.search import indexes, withdrawals
from functions.search.engine import EVERYBODY, Address
from functions.search.hints import Message, Rebuild
from functions.search.indexes import Served
from functions.search.indexing import Index, Indexer
from functions.search.opensearch import OpenSearch, RefusedByEngineError
from functions.search.opensearch_requests import Request
from functions.search.snapshots import Snapshots
from functions.search.withdrawals import MOST, Withdrawn, withdrawal, withdrawn
from functions.searchable import Contents
from tests.search.fake_opensearch import FakeOpenSearch

WORDS = Contents(("d",), "zeppelin")


def thing(n: int = 0) -> Address:
    return Address("document", Key(f"DOCUMENT#{n}", "metadata"))


@pytest.fixture
def table() -> MemoryTable:
    return MemoryTable()


def note(table: MemoryTable, *readers: str, things: int = 1) -> list[Key]:
    actions = [withdrawal(reader, thing(n), 7) for reader in readers for n in range(things)]
    table.put_many([each.item for each in actions])
    return [key_of(each.item) for each in actions]


class TestNotes:
    def test_a_user_reads_those_for_everybody_and_her_own(self, table: MemoryTable) -> None:
        note(table, "amy")
        table.put_many([withdrawal(EVERYBODY, thing(1), 1).item, withdrawal("bob", thing(2), 1).item])
        assert set(withdrawn(table, "amy").addresses) == {thing(0).text(), thing(1).text()}
        assert withdrawn(table, "eve") == Withdrawn([thing(1).text()], complete=True)

    def test_each_time_has_its_own_and_the_thing_is_named_once(self, table: MemoryTable) -> None:
        table.put_many([withdrawal("amy", thing(), version).item for version in (1, 2)])
        assert len(table.items) == 2
        assert withdrawn(table, "amy") == Withdrawn([thing().text()], complete=True)

    @pytest.mark.parametrize(("things", "complete"), [(MOST - 1, True), (MOST + 1, False)])
    def test_a_search_reads_so_many_and_says_if_there_are_more(
        self, table: MemoryTable, things: int, complete: bool
    ) -> None:
        note(table, "amy", things=things)
        found = withdrawn(table, "amy")
        assert (len(found.addresses), found.complete) == (min(things, MOST), complete)

    def test_what_is_no_note_hides_no_other(self, table: MemoryTable) -> None:
        (key,) = note(table, "amy")
        table.put_many([{"PK": {"S": key.pk}, "SK": {"S": "foreign"}, "Type": {"S": withdrawals.TYPE}}])
        assert withdrawn(table, "amy").addresses == [thing().text()]

    def test_they_end_later_than_any_hint(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The queue keeps messages for 14 days, and the stream records for one."""
        monkeypatch.setattr(clock, "now", lambda: 0)
        assert int(withdrawal("amy", thing(), 1).item["ExpiresAt"]["N"]) * 1000 > 15 * DAY


class Queue:
    """Remembers what it was sent."""

    def __init__(self) -> None:
        self.waiting: list[Message] = []

    def send(self, sent: Message) -> None:
        self.waiting.append(sent)

    def rebuild(self, wanted: Rebuild) -> None:
        self.waiting.append(wanted)


@pytest.fixture(params=["bucket", "opensearch"])
def index(request: Any, tmp_path: Path, aws_env: pytest.MonkeyPatch) -> Iterator[Index]:
    client.cache_clear()
    with mock_aws():
        client().create_bucket(Bucket="index")
        bucket = Snapshots(Bucket("index"), tmp_path / "writer", writes=True)
        yield bucket if request.param == "bucket" else OpenSearch(FakeOpenSearch().send)
    client.cache_clear()


def hinted(table: MemoryTable) -> Message:
    return WATCHED.hints([{"dynamodb": {"NewImage": item}} for item in table.items.values()])


class TestTheIndexer:
    def test_it_reads_what_a_note_names_and_removes_the_note(self, table: MemoryTable, index: Index) -> None:
        note(table, "amy", "bob", EVERYBODY)
        done = Indexer(table, WATCHED, index, Queue()).take([hinted(table)])  # type: ignore[arg-type]
        assert (done.things, table.items) == (1, {})

    def test_what_is_withdrawn_again_while_the_index_is_written_stays_noted(
        self, table: MemoryTable, index: Index, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It may have been given back when the indexer read it."""
        note(table, "amy")
        again = withdrawal("amy", thing(), 8).item
        monkeypatch.setattr(index, "show", lambda: table.put_many([again]))
        Indexer(table, WATCHED, index, Queue()).take([hinted(table)])  # type: ignore[arg-type]
        assert [*table.items.values()] == [again]

    def test_it_hints_again_at_notes_that_the_index_that_answers_can_not_know(
        self, table: MemoryTable, index: Index, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        keys, queue = note(table, "amy"), Queue()
        monkeypatch.setattr(index, "outdated", lambda: "of another release")
        Indexer(table, WATCHED, index, queue).take([hinted(table)])  # type: ignore[arg-type]
        assert table.items.keys() == set(keys)
        again = [each for each in queue.waiting if not isinstance(each, Rebuild)]
        assert again == [[Address(withdrawals.TYPE, keys[0])]]

    def test_a_rebuild_finds_notes_whose_hints_were_lost(self, table: MemoryTable, index: Index) -> None:
        note(table, "amy")
        Indexer(table, WATCHED, index, Queue()).take([Rebuild("second")])  # type: ignore[arg-type]
        assert table.items == {}

    def test_it_keeps_notes_on_kinds_that_this_release_does_not_know(self, table: MemoryTable, index: Index) -> None:
        table.put_many([withdrawal("amy", Address("fox", Key("a", "b")), 1).item])
        Indexer(table, WATCHED, index, Queue()).take([hinted(table)])  # type: ignore[arg-type]
        assert len(table.items) == 1


def test_of_opensearch_notes_are_removed_once_searches_see_what_was_written(table: MemoryTable) -> None:
    note(table, "amy")
    fake = FakeOpenSearch()
    asked = list[tuple[str, int]]()

    def send(request: Request) -> tuple[int, bytes]:
        asked.append((request.path, len(table.items)))
        return (503, b"{}") if len(asked) == failing and request.path.endswith("_refresh") else fake.send(request)

    failing = 5
    indexer = Indexer(table, WATCHED, OpenSearch(send), Queue())  # type: ignore[arg-type]
    with pytest.raises(RefusedByEngineError):
        indexer.take([hinted(table)])
    assert [path for path, _ in asked][-2:] == ["/_bulk", "/edgewise/_refresh"]
    assert len(table.items) == 1
    indexer.take([hinted(table)])
    assert (asked[-1], table.items) == (("/edgewise/_refresh", 1), {})


class TestServed:
    """The index as searches see it."""

    @pytest.fixture(autouse=True)
    def bucket(self, tmp_path: Path, aws_env: pytest.MonkeyPatch, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        monkeypatch.setattr(indexes, "gettempdir", lambda: str(tmp_path))
        client.cache_clear()
        with mock_aws():
            client().create_bucket(Bucket="index")
            yield
        client.cache_clear()

    def test_each_search_has_what_was_written_before_it(self) -> None:
        served, writer = Served("s3://index"), indexes.writer("s3://index")
        for n in range(3):
            writer.building()
            writer.apply({thing(n): WORDS}, None, None, clock.now())
            engine, current = served.engine()
            assert (len(dict(engine.everything())), current) == (n + 1, True)

    def test_while_the_bucket_does_not_answer_it_is_what_was_copied_last_and_says_so(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        served = Served("s3://index")
        served.engine()
        asked, seconds = list[Mapping[str, Any]](), [0.0]
        monkeypatch.setattr(indexes, "monotonic", lambda: seconds[0])

        def down(**request: Any) -> Any:
            asked.append(request)
            raise ClientError({"Error": {"Code": "SlowDown"}}, "GetObject")

        answering = client().get_object
        monkeypatch.setattr(client(), "get_object", down)
        for now, looks in ((0, 1), (0.5, 1), (1.5, 2)):
            seconds[0] = now
            assert (served.engine()[1], len(asked)) == (False, looks)
        monkeypatch.setattr(client(), "get_object", answering)
        seconds[0] = 3.0
        assert served.engine()[1] is True

    def test_without_any_copy_there_is_no_answer(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with pytest.raises(ClientError):
            Served("s3://no-such-bucket").engine()
