"""Records that can't be understood are kept whole."""

import gzip
import json
import random
from typing import Any

import pytest

from functions.store.attributes import Item
from functions.store.quarantine import quarantine, quarantine_items
from functions.store.queries import Query
from tests.support.memory import MemoryTable

ITEM_BYTES = 400 * 1024


def record(old: str, new: str) -> dict[str, Any]:
    return {
        "eventID": "e1",
        "eventName": "MODIFY",
        "dynamodb": {
            "SequenceNumber": "123456789012345678901",
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
        "Version": {"N": "1"},
        "Error": {"S": "KeyError: 'Metrics'"},
        "Parts": {"N": "1"},
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
    quarantine(table, "0001-a", huge, "KeyError")
    items = list(table.query(Query("QUARANTINE#0001-a")).items)
    assert len(items) > 1
    assert all(len(item["Record"]["B"]) < ITEM_BYTES - 2000 for item in items)
    assert kept(items) == huge


def test_keeping_a_record_again_changes_nothing(huge: dict[str, Any]) -> None:
    table = MemoryTable()
    quarantine(table, "0001-a", huge, "KeyError")
    before = dict(table.items)
    quarantine(table, "0001-a", huge, "said otherwise by a later release")
    assert table.items == before


def test_a_record_kept_by_half_is_completed(huge: dict[str, Any]) -> None:
    table = MemoryTable()
    table.put_version(quarantine_items("0001-a", huge, "KeyError")[0], replaces=0)
    quarantine(table, "0001-a", huge, "KeyError")
    assert kept(list(table.query(Query("QUARANTINE#0001-a")).items)) == huge


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
