"""How many items are asked for until a page is full."""

from dataclasses import dataclass, field

import pytest

from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.queries import Page, Position, Query
from functions.replay.memory import MemoryTable

QUERY = Query("P")


@dataclass
class Small(MemoryTable):
    """A table one request of which gives so many items at the most, as 1 MB would."""

    most: int
    asked: list[int | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def query(self, query: Query) -> Page:
        self.asked.append(query.limit)
        found = super().query(query)
        given = found.items[: self.most]
        cut = len(given) < len(found.items)
        return Page(given, query.position(given[-1]) if cut else found.next)


def table(kinds: str, most: int = 1000) -> Small:
    """One item for each letter: s is a summary, x stands for nothing, f is foreign, everything else is listed."""
    made = Small(most)
    made.put_many([{"PK": {"S": "P"}, "SK": {"S": f"{n:04d}"}, "Kind": {"S": k}} for n, k in enumerate(kinds)])
    return made


def decode(item: Item) -> str:
    kind: str = item["Kind"]["S"]
    if kind == "f":
        raise KeyError(kind)
    return kind


def fill(of: Small, limit: int, after: Position | None = None) -> tuple[str, Position | None]:
    found, position = pages.listed(of, QUERY, limit, after, decode, lambda kind: kind not in "sx", beside=1)
    return "".join(found).replace("x", ""), position


def all_pages(of: Small, limit: int) -> list[str]:
    found, position = fill(of, limit)
    told = [found]
    while position is not None:
        found, position = fill(of, limit, position)
        told.append(found)
    return told


def test_a_summary_is_read_beside_what_is_listed() -> None:
    for kinds, expected in (("sabcd", "sab"), ("abcd", "ab")):
        made = table(kinds)
        found, position = fill(made, 2)
        assert (found, made.asked) == (expected, [3])
        rest, end = fill(made, 2, position)
        assert (rest, made.asked[1:]) == ("cd", [2])
        assert end is None or fill(made, 2, end) == ("", None)


def test_where_items_tell_nothing_twice_as_many_are_asked_for_each_time() -> None:
    made = table("s" + "x" * 60 + "abc")
    found, position = fill(made, 2)
    assert (found, made.asked) == ("sab", [3, 6, 12, 24, 48])
    assert fill(made, 2, position) == ("c", None)


def test_1_mb_ends_a_page() -> None:
    made = table("sa" + "x" * 5 + "bc", most=3)
    found = all_pages(made, 5)
    assert (found, len(made.asked)) == (["sa", "", "bc"], 3)


def test_what_follows_a_full_page_is_told_by_its_cursor_alone() -> None:
    assert fill(table("sab"), 3) == ("sab", None)
    assert fill(table("sabc"), 4) == ("sabc", None)


def test_foreign_items_are_left_out_once_and_take_no_place() -> None:
    made = table("sfafbfc")
    found, position = fill(made, 2)
    rest, _ = fill(made, 2, position)
    assert (found + rest, len(made.usage.left_out)) == ("sabc", 3)


def test_what_an_answer_can_hold_ends_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    made = table("sa" + "x" * 9 + "bc")
    one = pages.sent_bytes(made.query(QUERY).items[0])
    monkeypatch.setattr(pages, "SENT_BYTES", 5 * one)
    found = all_pages(made, 3)
    assert (found[0], "".join(found)) == ("sa", "sabc")
