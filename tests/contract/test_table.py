"""What the store relies on, on every engine: versions, batches, pages, positions."""

from dataclasses import replace

import pytest

from edgewise.dynamodb import merge
from edgewise.dynamodb.attributes import Item, n, s
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.queries import BeginsWith, Between, Position, Query
from edgewise.dynamodb.schema import BY_TARGET, BY_VALUE, Index
from edgewise.dynamodb.table import RefusedError, Table
from edgewise.stream import quarantine
from functions.systems.chat import codec as chat_codec
from functions.systems.chat import patterns as chat_patterns
from functions.systems.chat.entity import Message, Room
from functions.systems.telemetry import keys as telemetry_keys


def versioned(version: int, note: str = "") -> Item:
    return {"PK": s("ROOM#seattle"), "SK": s("META"), "Version": n(version), "Note": s(note)}


class TestPutVersion:
    KEY = Key("ROOM#seattle", "META")

    def test_the_first_version_needs_that_there_is_none(self, table: Table) -> None:
        table.put_version(versioned(1, "mine"), replaces=0)
        with pytest.raises(RefusedError) as refusal:
            table.put_version(versioned(1, "yours"), replaces=0)
        assert refusal.value.item == table.get(self.KEY) == versioned(1, "mine")

    def test_the_next_version_replaces_the_whole_item(self, table: Table) -> None:
        table.put_version(versioned(1, "mine") | {"Old": s("x")}, replaces=0)
        table.put_version(versioned(2, "next"), replaces=1)
        assert table.get(self.KEY) == versioned(2, "next")

    @pytest.mark.parametrize("replaces", [1, 3])
    def test_another_version_is_refused_with_the_item_found(self, table: Table, replaces: int) -> None:
        table.put_version(versioned(2, "theirs"), replaces=0)
        with pytest.raises(RefusedError) as refusal:
            table.put_version(versioned(replaces + 1, "mine"), replaces=replaces)
        assert refusal.value.item == table.get(self.KEY) == versioned(2, "theirs")

    def test_a_version_of_nothing_is_refused_without_an_item(self, table: Table) -> None:
        with pytest.raises(RefusedError) as refusal:
            table.put_version(versioned(2), replaces=1)
        assert refusal.value.item is None


def plain(number: int, partition: str = "DEVICE#1") -> Item:
    return {"PK": s(partition), "SK": s(f"EVENT#{number:04d}"), "Type": s("EVENT")}


def numbers(items: list[Item]) -> list[int]:
    return [int(item["SK"]["S"].removeprefix("EVENT#")) for item in items]


class TestBatches:
    def test_more_than_one_batch_is_written_and_read(self, table: Table) -> None:
        written = [plain(number) for number in range(251)]
        table.put_many(written)
        wanted = [Key("DEVICE#1", f"EVENT#{number:04d}") for number in range(260)]
        assert table.get_many(wanted) == dict(zip(wanted, written, strict=False))

    def test_writing_again_replaces(self, table: Table) -> None:
        table.put_many([plain(1)])
        table.put_many([plain(1) | {"Note": s("again")}])
        assert table.get(Key("DEVICE#1", "EVENT#0001")) == plain(1) | {"Note": s("again")}

    def test_what_is_not_there_is_not_found(self, table: Table) -> None:
        assert table.get(Key("DEVICE#1", "x")) is None
        assert table.get_many([Key("DEVICE#1", "x")]) == {}


@pytest.mark.parametrize("forward", [True, False])
class TestPages:
    def walk(self, table: Table, query: Query) -> list[list[Item]]:
        pages: list[list[Item]] = []
        after: Position | None = None
        while True:
            page = table.query(replace(query, after=after))
            pages.append(list(page.items))
            if page.next is None:
                return pages
            after = page.next

    def test_pages_of_the_table(self, table: Table, forward: bool) -> None:
        table.put_many([plain(number) for number in range(7)] + [plain(99, "DEVICE#2")])
        pages = self.walk(table, Query("DEVICE#1", forward=forward, limit=3))
        found = [number for page in pages for number in numbers(page)]
        assert found == sorted(range(7), reverse=not forward)
        assert [len(page) for page in pages] == [3, 3, 1]

    @pytest.mark.parametrize(
        ("condition", "expected"),
        [
            (BeginsWith("EVENT#000"), range(10)),
            (BeginsWith("EVENT#0005"), [5]),
            (BeginsWith("EVENT#1"), []),
            (Between("EVENT#0003", "EVENT#0005"), [3, 4, 5]),
            (Between("EVENT#00035", "EVENT#0005"), [4, 5]),
            (Between(telemetry_keys.EVENTS, telemetry_keys.EVENTS_END), range(12)),
            (Between(telemetry_keys.EVENTS_END, telemetry_keys.EVENTS_END), []),
        ],
    )
    def test_conditions_part_the_collection(
        self, table: Table, forward: bool, condition: BeginsWith | Between, expected: list[int]
    ) -> None:
        table.put_many([plain(number) for number in range(12)] + [{"PK": s("DEVICE#1"), "SK": s("EDGE#")}])
        pages = self.walk(table, Query("DEVICE#1", condition, forward=forward, limit=2))
        found = [number for page in pages for number in numbers(page)]
        assert found == sorted(expected, reverse=not forward)

    def test_sort_keys_are_compared_as_utf8(self, table: Table, forward: bool) -> None:
        """A character beyond the first plane sorts after U+FFFD, unlike in UTF-16."""
        words = ["A", "a", "z", "é", "\ufffd", "\U0001f600"]
        table.put_many([{"PK": s("p"), "SK": s(word)} for word in reversed(words)])
        found = [item["SK"]["S"] for item in table.query(Query("p", forward=forward)).items]
        assert found == (words if forward else words[::-1])

    @pytest.mark.parametrize("index", [BY_VALUE, BY_TARGET], ids=lambda index: index.name)
    def test_pages_of_an_index(self, table: Table, forward: bool, index: Index) -> None:
        """The index sorts otherwise than the table; items without its keys are not in it."""
        table.put_many(
            [
                {
                    "PK": s(f"p{number}"),
                    "SK": s("x"),
                    index.partition_key: s("i"),
                    index.sort_key: s(f"{(number * 3) % 7}"),
                }
                for number in range(7)
            ]
        )
        table.put_many([plain(1)])
        pages = self.walk(table, Query("i", index=index, forward=forward, limit=2))
        assert [item[index.sort_key]["S"] for page in pages for item in page] == sorted("0123456", reverse=not forward)

    @pytest.mark.parametrize("limit", [1, 2, 5, 20])
    @pytest.mark.parametrize("user", [None, "amy"])
    def test_shards_go_on_from_positions_that_only_another_shard_holds(
        self, table: Table, forward: bool, limit: int, user: str | None
    ) -> None:
        room = Room.starting_with("seattle", 3)
        posts = [
            Message("seattle", shard, "amy", 1535544000000 + number * 1000, f"m{number}", f"{number}")
            for number, shard in enumerate([1, 1, 1, 2, 3, 1, 2, 2, 3, 3, 1, 1])
        ]
        table.put_many([chat_codec.message_item(post) for post in posts])
        shards = chat_patterns.messages_during(room, "2018-08", user, forward=forward)
        found: list[str] = []
        after: Position | None = None
        while True:
            page = merge.page(table, shards, limit, after)
            found += [item["Text"]["S"] for item in page.items]
            if page.next is None:
                break
            after = page.next
        assert found == sorted(map(str, range(12)), key=int, reverse=not forward)


def test_the_greatest_parts_of_a_quarantined_record_fit_an_item(table: Table) -> None:
    key = {"PK": s("QUARANTINE#l"), "SK": s("1"), "Version": n(1)}
    part = {"Record": {"B": b"x" * quarantine.PART_BYTES}, "Error": s("e" * 1000)}
    table.put_version(key | part, replaces=0)
    found = table.get(Key("QUARANTINE#l", "1"))
    assert found is not None
    assert found["Record"]["B"] == part["Record"]["B"]


def test_numbers_of_38_digits_come_back_exactly(table: Table) -> None:
    digits = "12345678901234567890.123456789012345678"
    table.put_version({"PK": s("p"), "SK": s("s"), "Version": n(1), "Sum": {"N": digits}}, replaces=0)
    found = table.get(Key("p", "s"))
    assert found is not None
    assert found["Sum"] == {"N": digits}


@pytest.mark.parametrize("engine", ["dynamodb-local"], indirect=True)
def test_what_each_request_costs(table: Table) -> None:
    """Units of the developer guide: 1 KB a write, 4 KB a consistent read, half of that for an eventual one."""
    usage = table.usage

    def spent() -> tuple[int, float, float]:
        seen = usage.requests, usage.read_units, usage.write_units
        usage.reset()
        return seen

    table.put_many([plain(number) for number in range(30)])
    assert spent() == (2, 0, 30)
    table.put_version(versioned(1, "x" * 1500), replaces=0)
    assert spent() == (1, 0, 2)
    table.get(Key("ROOM#seattle", "META"))
    assert spent() == (1, 1, 0)
    table.get_many([Key("ROOM#seattle", "META")])
    assert spent() == (1, 0.5, 0)
    table.query(Query("DEVICE#1"))
    assert spent() == (1, 0.5, 0)
