"""Records that can't be understood are kept whole."""

import gzip
import json
import random
from collections import Counter
from collections.abc import Sequence
from string import ascii_letters, digits
from typing import Any

import pytest

from edgewise.aggregates import keys
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.queries import Query
from edgewise.dynamodb.writes import Action
from edgewise.stream import quarantine_keys
from edgewise.stream import register as quarantined
from edgewise.stream.dispatch import position
from edgewise.stream.quarantine import Entry, find, page, quarantine, quarantine_items, release
from edgewise.stream.register import QuarantineFullError, Register, change, register
from functions.replay.memory import MemoryTable
from tests.support.streams import PRESENT

ITEM_BYTES = 400 * 1024
SEQUENCE = "123456789012345678901".zfill(40)


def record(old: str, new: str) -> dict[str, Any]:
    return {
        "eventID": "e1",
        "eventName": "MODIFY",
        "dynamodb": {
            "SequenceNumber": "123456789012345678901",
            "ApproximateCreationDateTime": 1535544000,
            "OldImage": {"Type": {"S": "EVENT"}, "Text": {"S": old}},
            "NewImage": {"Type": {"S": "EVENT"}, "Text": {"S": new}},
        },
    }


def kept(items: list[Item]) -> Any:
    """The record again, from its parts in the order of their keys."""
    parts = [item["Record"]["B"] for item in items]
    assert [item["Parts"] for item in items] == [{"N": str(len(parts))}] * len(parts)
    return json.loads(gzip.decompress(b"".join(parts)))


def test_a_small_record_is_one_item() -> None:
    small = record("a", "b")
    (item,) = quarantine_items("0001-a", small, "KeyError: 'Metrics'")
    assert kept([item]) == small
    del item["Record"]
    assert item == {
        "PK": {"S": "QUARANTINE#0001-a"},
        "SK": {"S": "0000000000000000000123456789012345678901#0001"},
        "Type": {"S": "QUARANTINE"},
        "Text": {"S": "KeyError: 'Metrics'"},
        "Parts": {"N": "1"},
        "SetAsideAt": {"N": str(PRESENT)},
        "GSI1PK": {"S": "QUARANTINE"},
        "GSI1SK": {"S": "2018-08-29T12:00:00.000Z#0001-a#0000000000000000000123456789012345678901"},
    }


@pytest.fixture(scope="module")
def huge() -> dict[str, Any]:
    """Two images of 400 KB that compress badly, in characters of one to three bytes."""
    source = random.Random(2)
    characters = [chr(code) for code in range(0x20, 0x3000)]
    old, new = ("".join(source.choices(characters, k=150_000)) for _ in range(2))
    assert min(len(old.encode()), len(new.encode())) > 390_000
    return record(old, new)


def test_a_record_of_two_full_images_is_kept_whole_in_parts(huge: dict[str, Any]) -> None:
    table = MemoryTable()
    quarantine(table, "0001-a", Entry(huge, "KeyError"))
    items = list(table.query(Query("QUARANTINE#0001-a")).items)
    assert len(items) > 1
    assert all(len(item["Record"]["B"]) < ITEM_BYTES - 2000 for item in items)
    assert kept(items) == huge


def test_keeping_a_record_again_changes_nothing(huge: dict[str, Any]) -> None:
    table = MemoryTable()
    quarantine(table, "0001-a", Entry(huge, "KeyError"))
    before = dict(table.items)
    quarantine(table, "0001-a", Entry(huge, "said otherwise by a later release"))
    assert table.items == before


def test_a_record_is_found_as_it_was_delivered(huge: dict[str, Any]) -> None:
    table = MemoryTable()
    quarantine(table, "0001-a", Entry(huge, "KeyError"))
    found = find(table, "0001-a", SEQUENCE)
    assert found is not None
    assert (found.record, found.at) == (huge, PRESENT)
    assert find(table, "0001-b", SEQUENCE) is None


def test_what_is_released_leaves_a_higher_version_of_the_register_and_the_position(huge: dict[str, Any]) -> None:
    """A version that began anew could let an old writer put back an old register."""
    table, place = MemoryTable(), Checkpoint(int(SEQUENCE), 1_535_544_000_000)
    quarantine(table, "0001-a", Entry(huge, "KeyError"))
    for _ in range(2):
        release(table, "0001-a", SEQUENCE, place)
    assert table.items.keys() == {keys.carrier(0, "0001-a"), quarantine_keys.REGISTER}
    assert (register(table), position(table, "0001-a")) == (Register(version=2), place)


def test_what_has_no_place_in_a_shard_moves_no_position() -> None:
    table = MemoryTable()
    quarantine(table, "0001-a", Entry({"eventID": "abc"}, "no place in the stream"))
    release(table, "0001-a", "abc".zfill(40), None)
    assert list(table.items) == [quarantine_keys.REGISTER]


class Counting(MemoryTable):
    """Counts the requests to it; a transaction is as the table takes it, or fails."""

    def __init__(self) -> None:
        super().__init__()
        self.requests = Counter[str]()

    def get(self, key: Key) -> Item | None:
        self.requests["get"] += 1
        return super().get(key)

    def transact(self, actions: Sequence[Action]) -> None:
        self.requests["transact"] += 1
        super().transact(actions)


def numbered(number: int, text: str = "") -> Entry:
    change = {"SequenceNumber": f"{number}", "NewImage": {"Text": {"S": text}}}
    return Entry({"dynamodb": change}, "KeyError", frozenset({"TOTAL"}))


def test_many_records_enter_together() -> None:
    """98 at once, with the register and what readers get: 10 times, then the last 20. One by one, it took 2,000."""
    table = Counting()
    entries = [numbered(number) for number in range(1000)]
    assert quarantine(table, "a", *entries) == entries
    assert table.requests == {"get": 22, "transact": 11}
    assert register(table).quarantined == {"a": {*range(1000)}}


def test_no_more_enter_together_than_a_transaction_takes() -> None:
    """Of 300 to 333 KB each, 9 are below 3 MB, and 10 above: so 20 enter by 9, 9 and 2."""
    table, source = Counting(), random.Random(3)
    entries = [numbered(number, "".join(source.choices(ascii_letters + digits, k=415_000))) for number in range(20)]
    assert all(300_000 < len(quarantine_items("a", each.record, "")[0]["Record"]["B"]) < 333_333 for each in entries)
    quarantine(table, "a", *entries)
    assert table.requests["transact"] == 3
    assert register(table).count == 20


def test_records_enter_in_the_order_of_their_shard(monkeypatch: pytest.MonkeyPatch) -> None:
    """When one is in quarantine, all before it are: whoever releases it says so to whom the shard comes again."""
    monkeypatch.setattr(quarantined, "LIMIT", 98)
    table = MemoryTable()
    with pytest.raises(QuarantineFullError):
        quarantine(table, "a", *map(numbered, range(99)))
    assert register(table).quarantined == {"a": {*range(98)}}


def test_what_was_announced_of_a_record_that_is_done_with_is_called_off() -> None:
    table, name = MemoryTable(), f"{7:040}"
    quarantine(table, "a", numbered(7))
    release(table, "a", name, Checkpoint(7, PRESENT))
    change(table, lambda known: known.with_doubts("a", {name: {"TOTAL"}}, PRESENT))
    assert quarantine(table, "a", numbered(7), numbered(8)) == [numbered(8)]
    assert register(table).quarantined == {"a": {8}}
    assert register(table).doubts["a"].keys() == {f"{8:040}"}


def test_the_list_begins_with_the_oldest_and_goes_on_where_it_stopped() -> None:
    table = MemoryTable()
    for second, shard in ((3, "a"), (1, "b"), (2, "a")):
        late = record("x", "y")
        late["dynamodb"] |= {"ApproximateCreationDateTime": 1535544000 + second, "SequenceNumber": f"{second}"}
        quarantine(table, shard, Entry(late, f"error {second}"))
    quarantine(table, "a", Entry({"eventID": "abc"}, "no place in the stream"))
    first, position = page(table, 3, None)
    rest, end = page(table, 3, position)
    assert end is None
    assert [(one.shard, one.sequence.lstrip("0"), one.at, one.error) for one in first + rest] == [
        ("a", "abc", "1970-01-01T00:00:00.000Z", "no place in the stream"),
        ("b", "1", "2018-08-29T12:00:01.000Z", "error 1"),
        ("a", "2", "2018-08-29T12:00:02.000Z", "error 2"),
        ("a", "3", "2018-08-29T12:00:03.000Z", "error 3"),
    ]
    assert register(table).count == 4
    assert register(table).quarantined == {"a": {2, 3}, "b": {1}}


def test_a_full_register_takes_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quarantined, "LIMIT", 1)
    table = MemoryTable()
    quarantine(table, "a", Entry({"eventID": "1"}, "error"))
    quarantine(table, "a", Entry({"eventID": "1"}, "again"))
    with pytest.raises(QuarantineFullError, match="1 records are in quarantine"):
        quarantine(table, "a", Entry({"eventID": "2"}, "error"))
    assert register(table).count == 1


@pytest.mark.parametrize(
    ("nameless", "sequence"),
    [({"eventID": "abc", "dynamodb": {}}, "abc"), ({"eventID": "abc"}, "abc")],
)
def test_a_record_without_number_is_kept_under_its_id(nameless: dict[str, Any], sequence: str) -> None:
    (item,) = quarantine_items("0001-a", nameless, "no place in the stream")
    assert item["SK"]["S"] == sequence.zfill(40) + "#0001"


def test_a_record_whose_change_is_null_is_kept() -> None:
    (item,) = quarantine_items("0001-a", {"eventID": "abc", "dynamodb": None}, "TypeError")
    assert kept([item]) == {"eventID": "abc", "dynamodb": None}
