"""Parameters of rankings and walks that make no sense: a 400 that names the field."""

import pytest

from tests.support.http import Client

pytestmark = pytest.mark.usefixtures("handlers")

READER = Client("bob")

REFUSED: list[tuple[str, dict[str, str], str]] = [
    ("traverse", {"depth": "0"}, "depth"),
    ("traverse", {"depth": "4"}, "depth"),
    ("traverse", {"direction": "up"}, "direction"),
    ("traverse", {"labels": ""}, "labels"),
    ("traverse", {"labels": "a,,b"}, "labels"),
    ("traverse", {"labels": "\x00"}, "labels"),
    ("traverse", {"labels": "a," * 10 + "a"}, "labels"),
    ("traverse", {"max_requests": "0"}, "max_requests"),
    ("traverse", {"max_requests": "1001"}, "max_requests"),
    ("traverse", {"max_items": "0"}, "max_items"),
    ("traverse", {"max_items": "20001"}, "max_items"),
    ("traverse", {"limit": "1001"}, "limit"),
    ("recommendations", {}, "label"),
    ("recommendations", {"label": ""}, "label"),
    ("recommendations", {"label": "x" * 65}, "label"),
    ("subtree", {"label": "\n"}, "label"),
    ("subtree", {"labels": ""}, "labels"),
]


@pytest.mark.parametrize(("what", "query", "field"), REFUSED)
def test_what_makes_no_sense_is_refused(what: str, query: dict[str, str], field: str) -> None:
    answer = READER.call(f"GET /graph/nodes/{{type}}/{{id}}/{what}", query, type="person", id="amy")
    assert (answer.status, [name.partition(".")[0] for name in answer.fields]) == (400, [field])


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"top": "0"}, "top"),
        ({"top": "101"}, "top"),
        ({"measure": "x"}, "measure"),
        ({"direction": "both"}, "direction"),
    ],
)
def test_a_ranking_that_makes_no_sense_is_refused(query: dict[str, str], field: str) -> None:
    answer = READER.call("GET /graph/rankings/{label}", query, label="KNOWS")
    assert (answer.status, answer.fields) == (400, [field])
