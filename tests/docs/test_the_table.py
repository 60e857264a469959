"""docs/the-table.md draws what the examples store; that it is up to date is tested with what else is generated."""

import pytest

from docs import drawing, the_table
from docs.stored import Stored, few
from edgewise.dynamodb.attributes import Item, key_of
from edgewise.dynamodb.keys import split
from edgewise.dynamodb.schema import BY_NUMBER
from functions.catalog import CATALOG
from tests.support import examples


@pytest.fixture(scope="module")
def page() -> str:
    return the_table.markdown()


def test_every_kind_of_partition_and_of_aggregate_is_drawn(page: str) -> None:
    kinds = {split(key_of(item).pk)[0] for item in examples.stored()}
    assert {kind for kind in kinds if f"\n| `{kind}#" not in page} == set()
    assert {name for name in CATALOG.kinds if f" | {name} | " not in page} == set()


def item(pk: str, sk: str, kind: str = "A") -> Item:
    return {"PK": {"S": pk}, "SK": {"S": sk}, "Type": {"S": kind}}


def test_of_each_type_in_a_collection_the_first_and_the_last_item_are_drawn() -> None:
    a = [item("X#1", f"a{number}") for number in (3, 1, 2)]
    others = [item("X#1", "b", "B"), item("X#2", "c"), item("Y#1", "d")]
    found = few(Stored([*others, *a], {"GSI1": [*a, *others]}), ["X"])
    assert [key_of(each) for each in found.items] == [("X#1", "a1"), ("X#1", "a3"), ("X#1", "b"), ("X#2", "c")]
    assert [key_of(each).sk for each in found.entries["GSI1"]] == ["a3", "a1", "b", "c"]


def test_a_row_is_an_item_without_the_keys_of_indexes_and_without_bytes() -> None:
    of_index: Item = {"GSI1PK": {"S": "P"}, "GSI1SK": {"S": "S"}}
    values: Item = {"Told": {"M": {"b": {"N": "1"}, "a": {"L": [{"S": "x|y"}]}}}, "Bytes": {"B": b"\x00"}}
    *_, first, second = drawing.collections([item("X#1", "a") | of_index | values, item("X#1", "b")])
    assert first == r"| `X#1` | `a` | A | `Bytes: …`<br>`Told: {a: [x\|y], b: 1}` | GSI1 |"
    assert second == "|  | `b` | A |  |  |"


def test_entries_stand_in_the_order_of_the_index() -> None:
    entries = [
        item("X#1", str(score)) | {"GSI3PK": {"S": "BOARD"}, "GSI3SK": {"N": str(score)}} for score in (10, 9, -1)
    ]
    *_, first, second, third = drawing.entries(BY_NUMBER, entries)
    assert first == "| `BOARD` | `-1` | `X#1` | `-1` | A |"
    assert [row.split(" | ")[1] for row in (second, third)] == ["`9`", "`10`"]
