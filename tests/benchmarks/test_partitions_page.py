"""docs/hot-keys.md shows what the simulation shows."""

import re

import pytest

from benchmarks.partitions import page, tables
from benchmarks.report import Table, filled


def test_the_page_is_up_to_date() -> None:
    text = page.PAGE.read_text(encoding="utf-8")
    assert filled(text, tables.tables()) == text, "run `make docs`"


def test_every_table_has_its_place() -> None:
    named = re.findall(r"<!-- table (\w+) -->", page.PAGE.read_text(encoding="utf-8"))
    assert named == ["room", "widening", "list", "fleet", "hub"]


def test_a_table_is_put_in_its_place_and_the_text_stays() -> None:
    text = "before\n<!-- table one -->\nold\n<!-- end -->\nafter\n"
    found = filled(text, {"one": Table("One", ("a", "b"), [("1", "2")])})
    assert found == "before\n<!-- table one -->\n| a | b |\n| :-- | --: |\n| 1 | 2 |\n<!-- end -->\nafter\n"
    with pytest.raises(KeyError):
        filled(text, {})
