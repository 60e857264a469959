"""The stored format is a contract: what is stored stays as docs/format-1.json has it, whose page suffices."""

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from tests.views.stored import vectors
from tests.views.stored.reader import Reader, joined, split
from tests.views.stored.vectors import FILE, Best, Days, Dearest, Sold, Spent, Tried

KEPT: Any = json.loads(FILE.read_text())
READER = Reader(KEPT["items"])
LARGE, WITH_SMALL = Decimal("1234567890123.123456789012345678"), Decimal("1234567890135.623456789012345678")
NAMES = (view.declared.full_name for view in (Spent, Sold, Dearest, Best, Days, Tried))
SPENT, SOLD, DEAREST, BEST, DAYS, TRIED = NAMES


def changed(text: str) -> list[str]:
    """The lines that are not in both."""
    return sorted({*text.splitlines()} ^ {*FILE.read_text().splitlines()})


def test_what_is_stored_stays() -> None:
    assert changed(vectors.text()) == [], "this needs another format, unless all who read and write can take it"


def test_a_row_tells_every_measure_by_its_name() -> None:
    row = READER.get(SPENT, "ann")
    assert row.whole
    assert row.measures.pop("mean") == {"count": 2, "sum": WITH_SMALL}
    spread = row.measures.pop("spread")
    assert (spread["count"], spread["sum"]) == (2, WITH_SMALL)
    assert row.measures == {
        **{"orders": 2, "dear": 2, "net": WITH_SMALL, "least": Decimal("12.5"), "greatest": LARGE},
        **{"earliest": "2026-10-31T22:30:00.000000Z", "latest": "2026-11-01T00:00:00.250000Z"},
    }


def test_a_number_of_more_digits_than_numbers_have_is_a_text() -> None:
    squares = READER.get(SPENT, "ann").measures["spread"]["squares"]
    assert isinstance(squares, str)
    whole = int(str(LARGE).replace(".", "")) ** 2 + (125 * 10**17) ** 2
    assert squares.replace(".", "") == str(whole).rstrip("0")


def test_a_row_that_counts_nothing_yet_has_no_measures() -> None:
    """Its one order can't be read."""
    assert READER.get(SPENT, "dan").measures == {}
    assert READER.doubted(SPENT, "dan")
    assert not READER.doubted(SPENT, "ann")
    assert not READER.doubted(DAYS, "all", "2026-11-02")


def test_a_row_that_lost_what_was_there_before_says_so() -> None:
    assert not READER.get(SPENT, "eve").whole
    assert READER.get(SPENT, "b$b").whole


def test_rows_of_periods_are_read_in_order() -> None:
    assert READER.between(SOLD, "green tea", "2026-10", "2026-10") == [{"orders": 2, "buyers": 2}]
    assert READER.between(SOLD, "green tea", "2026-01", "2026-12")[-1] == {"orders": 1, "buyers": 1}
    days = READER.between(DAYS, "all", "2026-11-01", "2026-11-30")
    assert days == [{"orders": 1}, {"orders": 2}]


def test_the_values_that_are_counted_are_read() -> None:
    assert READER.values(SOLD, "buyers", "green tea", "2026-10") == ["ann", "b$b"]
    assert READER.get(SOLD, "mug #2", "2026-11").measures["buyers"] == 2


def test_extremes_of_far_rows_and_rankings_are_read() -> None:
    assert READER.get(DEAREST, "green tea").measures == {"greatest": Decimal("12.5")}
    found, whole = READER.ranking(BEST, "products", "net", "all")
    assert found == [("mug #2", LARGE), ("green tea", Decimal("16.4"))]
    assert not whole, "pots were there before anybody counted: one has gone, and others may be there"
    # What was there before anybody counted is subtracted: nothing tells that of a row that has enough others.
    assert READER.get(BEST, "all").measures == {"net": Decimal("1234567890119.523456789012345678")}


def test_numbers_of_values_are_read_and_that_of_all_others() -> None:
    row = READER.get(TRIED, "ann")
    assert row.measures["products"] == {"values": {"green tea": 1, "mug #2": 1}}
    assert row.measures["favourite"] == {"values": {"green tea": 1}, "others": 1}
    assert READER.get(TRIED, "b$b").measures["favourite"] == {"values": {"green tea": 2}}


@pytest.mark.parametrize("components", [("a", "b"), ("a#b", ""), ("$", "#", "\0"), ("$23", " "), ("\u00e9", "%", '"')])
def test_keys_are_split_again(components: tuple[str, ...]) -> None:
    assert tuple(split(joined(*components))) == components


def test_each_item_is_one_map_with_a_version_beside_its_keys() -> None:
    for item in KEPT["items"]:
        assert item["pk"]["S"].startswith("edgewise#"), "IAM lets the engine write nothing else"
        assert {"pk", "sk", "Edgewise"} <= item.keys() <= {"pk", "sk", "Edgewise", "EdgewiseVersion"} | LISTED
        assert "N" in item.get("EdgewiseVersion", {"N": ""})


LISTED = {"EdgewisePK", "EdgewiseSK", "EdgewiseListed"}
# What quarantine keeps is packed, attributes in the order in which they came.
PACKED = '"Record": {"B":'


@pytest.fixture
def on_dynamodb_local(java: None, dynamodb_local: str, aws_env: pytest.MonkeyPatch) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL_DYNAMODB", dynamodb_local)
        yield


def test_dynamodb_stores_the_same(on_dynamodb_local: None) -> None:
    assert [each for each in changed(vectors.text()) if PACKED not in each] == []
