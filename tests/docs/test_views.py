"""The page on views shows declarations that can be kept, and costs that are told."""

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.views.shop import Products

PAGE = (Path(__file__).parents[2] / "docs" / "views.md").read_text()
ITEM: Any = {
    **{"pk": {"S": "ann"}, "sk": {"S": "order-1"}, "status": {"S": "open"}, "product": {"S": "tea"}},
    **{"tags": {"SS": ["new"]}, "price": {"M": {"net": {"N": "12.5"}}}, "createdAt": {"S": "2026-10-31T23:30:00Z"}},
}


@pytest.fixture(scope="module")
def declared() -> dict[str, Any]:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    found: dict[str, Any] = {}
    exec(block, found)
    return found


@pytest.mark.parametrize(
    ("view", "units", "why"),
    [
        ("Customers", 1, "near: its items change the row"),
        ("Sales", 2, "buyers: an edge for each group and value"),
        ("Hours", 2, "far: a batch brings its changes by a carrier"),
        ("Best", 3, "products: a total for each group and product"),
        ("Tagged", 2, "entries: nothing else finds the items of a group, for extremes"),
        ("Shoppers", 2, "near: its items change the row"),
    ],
)
def test_each_view_is_explained(declared: dict[str, Any], view: str, units: int, why: str) -> None:
    told = declared[view].explain(ITEM)
    assert told.units == units
    assert why in str(told)
    assert f"at most {units} write units for one such item" in str(told)


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("test_shop.py", "test_what_is_counted_is_what_is_there"),
        ("test_hours.py", "test_a_window_is_of_whole_hours"),
    ],
)
def test_its_tests_under_faults_pass(
    declared: dict[str, Any], monkeypatch: pytest.MonkeyPatch, aws_env: pytest.MonkeyPatch, file: str, name: str
) -> None:
    shop = ModuleType("shop")
    vars(shop).update(declared)
    monkeypatch.setitem(sys.modules, "shop", shop)
    (block,) = re.findall(rf"```python {file}\n(.*?)```", PAGE, re.DOTALL)
    test: dict[str, Any] = {}
    exec(block, test)
    test[name]()


def test_the_name_that_operators_use_is_that_of_the_page(declared: dict[str, Any]) -> None:
    (shown,) = re.findall(r"`Sales.declared.full_name`, as `(.*?)`", PAGE)
    assert declared["Sales"].declared.full_name == shown


def test_a_far_row_costs_its_carrier_too() -> None:
    told = Products.explain(ITEM)
    assert (told.puts.units, told.carriers, told.units) == (1, 1, 2)
