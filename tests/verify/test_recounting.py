"""What the deployment's own recount says, as differences."""

from typing import Any

from verify.recounting import BY_RECOUNT, told

WRONG = {"kind": "PLACE", "dimensions": [["US", "Texas"]], "stored": {"Events": {"N": "3"}}, "recounted": {}}


def answer(**changes: Any) -> dict[str, Any]:
    return {"kind": "PLACE", "dimensions": [["US", "Texas"]], "levels": [], "unreadable": 0, **changes}


def test_an_answer_without_wrong_levels_has_no_differences() -> None:
    assert not list(told(answer(levels=[{"kind": "PLACE", "wrong": 0, "first_wrong": []}])))


def test_what_is_wrong_is_named_and_how_many_more_there_are() -> None:
    found = told(answer(levels=[{"kind": "PLACE", "wrong": 3, "first_wrong": [WRONG]}]))
    assert list(map(str, found)) == [
        f'PLACE US/Texas: Events: nothing expected, {{"N": "3"}} found ({BY_RECOUNT})',
        f"PLACE …: further aggregates: 0 wrong expected, 2 wrong found ({BY_RECOUNT})",
    ]


def test_sources_that_can_not_be_read_are_a_difference() -> None:
    assert [each.field for each in told(answer(unreadable=2))] == ["unreadable sources"]
