"""What is refused of games, by the name of the field at fault."""

from typing import Any

import pytest

from tests.support.http import Client
from tests.support.streams import StreamedTable

pytestmark = pytest.mark.usefixtures("handlers", "clock")

POST, LIST = "POST /players/{player}/games", "GET /players/{player}/games"
AWARD, BOARD = "GET /awards/{award}", "GET /leaderboards/{game}"
RANK = "GET /leaderboards/{game}/players/{player}"
APP, READER = Client(groups=("write",)), Client("bob")
NOON = "2018-08-29T12:00:00.000Z"
PLAY = {"game": "chess", "score": 1, "at": NOON}


BAD = {
    "score is text": ({"score": "7"}, "score"),
    "score has seven decimals": ({"score": 7.0000001}, "score"),
    "score is too high for decimals": ({"score": 2**39 + 0.5}, "score"),
    "score is a boolean": ({"score": True}, "score"),
    "score is null": ({"score": None}, "score"),
    "score is too high": ({"score": 2**53 + 1}, "score"),
    "score is too low": ({"score": -(2**53) - 1}, "score"),
    "game is empty": ({"game": ""}, "game"),
    "game of 201 characters": ({"game": "x" * 201}, "game"),
    "game with a control character": ({"game": "a\n"}, "game"),
    "award is empty": ({"award": ""}, "award"),
    "award with half a surrogate pair": ({"award": "\udc00"}, "award"),
    "award is a list": ({"award": ["Champ"]}, "award"),
    "no offset": ({"at": "2018-08-29T12:00:00"}, "at"),
    "instant is a boolean": ({"at": False}, "at"),
    "year 10000": ({"at": 253402300800}, "at"),
    "more than a day ahead": ({"at": "2018-08-30T12:00:00.001Z"}, "at"),
    "unknown field": ({"scores": 1}, "scores"),
}


@pytest.mark.parametrize(("wrong", "field"), BAD.values(), ids=BAD.keys())
def test_a_wrong_play_is_400_by_name_and_nothing_is_stored(table: StreamedTable, wrong: Any, field: str) -> None:
    answer = APP.call(POST, None, PLAY | wrong, player="Rick")
    assert (answer.status, answer.fields, table.all_items()) == (400, [field], [])


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ("{}", ["game", "score", "at"]),
        ('{"score": NaN}', ["score"]),
        ('{"score": -Infinity}', ["score"]),
        ("7", ["body"]),
    ],
)
def test_a_body_that_is_no_play_is_400(body: str, fields: list[str]) -> None:
    answer = APP.call(POST, None, body, player="Rick")
    assert (answer.status, answer.fields) == (400, fields)


@pytest.mark.parametrize("wrong", ["x" * 201, "a\nb", "\x7f"])
def test_ids_in_the_path_are_checked(wrong: str) -> None:
    answers = {
        "player": [
            APP.call(POST, None, PLAY, player=wrong),
            READER.call(LIST, player=wrong),
            READER.call(RANK, game="chess", player=wrong),
        ],
        "award": [READER.call(AWARD, award=wrong)],
        "game": [READER.call(BOARD, game=wrong), READER.call(RANK, game=wrong, player="Rick")],
    }
    for field, given_answers in answers.items():
        assert [(answer.status, answer.fields) for answer in given_answers] == [(400, [field])] * len(given_answers)


@pytest.mark.parametrize("top", ["0", "101", "ten", "1.5"])
def test_the_top_is_1_to_100(top: str) -> None:
    answer = READER.call(BOARD, {"top": top}, game="chess")
    assert (answer.status, answer.fields) == (400, ["top"])


def test_only_applications_that_write_may(table: StreamedTable) -> None:
    assert READER.call(POST, None, PLAY, player="Rick").status == 403
    assert table.all_items() == []
