"""`make search-check`: what is missing in the index, out of date or too much is named; what has just changed is not."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from moto import mock_aws

from edgewise import Item, clock
from edgewise.dynamodb.writes import Delete
from functions.bucket import Bucket, client
from functions.catalog import WATCHED
from functions.replay.memory import MemoryTable
from functions.search.engine import Address, Engine
from functions.search.reading import things
from functions.search.snapshots import Snapshots
from functions.systems.chat import codec
from functions.systems.chat.entity import Message
from ops import search_check

World = tuple[MemoryTable, Snapshots, Callable[[], Engine]]


def address(name: str, room: str = "sea") -> Address:
    (found,) = WATCHED.told_by(message(name, room))
    return found


def message(name: str, room: str = "sea", text: str = "hi") -> Item:
    return codec.message_item(Message(room, 1, "amy", 1535544000000, name, text))


@pytest.fixture
def world(tmp_path: Path, aws_env: pytest.MonkeyPatch) -> Iterator[World]:
    """A table with three messages, and its index: to write, and to check."""
    client.cache_clear()
    with mock_aws():
        client().create_bucket(Bucket="index")
        table = MemoryTable()
        table.keys_per_page = 2
        table.put_many([message(name) for name in ("m1", "m2", "m3")])
        writer = Snapshots(Bucket("index"), tmp_path / "writer", writes=True)
        index(table, writer)
        yield table, writer, search_check.copied(Bucket("index"), tmp_path / "copied")
    client.cache_clear()


def index(table: MemoryTable, writer: Snapshots) -> None:
    writer.building()
    read = things(table, WATCHED, list(search_check.addresses(table)))
    writer.apply({each.address: each.contents for each in read}, None, None, clock.now())


def test_an_index_that_says_what_the_table_holds_is_exact(world: World) -> None:
    table, _, reader = world
    assert search_check.check(table, reader, ()) == (3, {})


def test_each_difference_is_named(world: World) -> None:
    table, _, reader = world
    table.put_many([message("m1", text="ho"), message("m4")])
    table.write(Delete(address("m2").key))
    checked = search_check.check(table, reader, ())
    assert checked.wrong == {address("m1"): "out of date", address("m4"): "missing", address("m2"): "too much"}


def test_what_is_indexed_a_moment_later_is_not_wrong(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table, writer, reader = world
    table.put_many([message("m4")])
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        index(table, writer)

    monkeypatch.setattr("time.sleep", sleep)
    assert search_check.check(table, reader, (1, 2)) == (4, {})
    assert slept == [1]
