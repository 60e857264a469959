"""Games over HTTP: plays, awards, leaderboards, exact ranks."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edgewise.times import from_rfc_3339
from functions.handlers import edge_aggregator
from functions.systems.games import codec as games_codec
from functions.systems.games import keys as games_keys
from functions.systems.games.entity import SCORE_LIMIT, Play, Score
from functions.web import runtime
from tests.support.http import Answer, Client, Context
from tests.support.streams import StreamedMemory, StreamedTable, window_event

pytestmark = pytest.mark.usefixtures("handlers")

POST, LIST = "POST /players/{player}/games", "GET /players/{player}/games"
AWARD, BOARD = "GET /awards/{award}", "GET /leaderboards/{game}"
RANK = "GET /leaderboards/{game}/players/{player}"
KNOWN = {"recounting": False}
APP, READER = Client(groups=("write",)), Client("bob")
NOON = "2018-08-29T12:00:00.000Z"
ODD_IDS = ["a/b", "50%", "日本 #1", "EDGE#", "x" * 200, "é" * 200, "o\U0001f600"]
Drain = Callable[[], None]


def post(player: str, score: Any, minute: int = 0, game: Any = "chess", **more: Any) -> Answer:
    body = {"game": game, "score": score, "at": f"2018-08-29T12:{minute:02d}:00Z"} | more
    return APP.call(POST, None, body, player=player)


def rank(player: str, game: str = "chess") -> Answer:
    return READER.call(RANK, game=game, player=player)


def board(game: str = "chess", **query: str) -> list[tuple[int, str, int]]:
    entries = READER.call(BOARD, query, game=game).body["top"]
    return [(entry["rank"], entry["player"], entry["score"]) for entry in entries]


class TestTheSample:
    """Rick played three games and won one, Padma four and two."""

    @pytest.fixture(autouse=True)
    def played(self, drain: Drain) -> None:
        for minute, score in enumerate((100, 960, 420)):
            post("Rick", score, minute, **({"award": "Champ"} if score == 960 else {}))
        for minute, score in enumerate((300, 1240, 700, 980)):
            post("Padma", score, minute, **({"award": "Champ"} if score > 900 else {}))
        drain()

    def test_seven_items_three_index_entries(self, table: StreamedTable) -> None:
        plays = [item for item in table.all_items() if item["Type"]["S"] == "PLAY"]
        assert (len(plays), sum("GSI3PK" in item for item in plays)) == (7, 3)

    def test_a_player(self) -> None:
        answer = READER.call(LIST, player="Padma")
        assert answer.body["summary"] == {"plays": 4, "games": 1, "awards": 2}
        assert answer.body["games"] == [
            {
                "game": "chess",
                "plays": 4,
                "best": 1240,
                "first": NOON,
                "last": "2018-08-29T12:03:00.000Z",
                "recounting": False,
            }
        ]
        assert [(play["score"], play["award"]) for play in answer.body["plays"]] == [
            (300, None),
            (1240, "Champ"),
            (700, None),
            (980, "Champ"),
        ]
        assert answer.cost[0] == 1

    def test_in_pages(self) -> None:
        first = READER.call(LIST, {"limit": "3"}, player="Rick").body
        assert (first["summary"]["plays"], len(first["games"]), len(first["plays"])) == (3, 1, 2)
        second = READER.call(LIST, {"cursor": first["cursor"]}, player="Rick").body
        assert (second["summary"], second["games"], second["cursor"]) == (None, [], None)
        assert [play["score"] for play in first["plays"] + second["plays"]] == [100, 960, 420]

    @pytest.mark.parametrize("limit", ["1", "2", "100"])
    def test_an_award_the_best_first(self, limit: str) -> None:
        found: list[Any] = []
        query = {"limit": limit}
        while True:
            page = READER.call(AWARD, query, award="Champ")
            assert page.cost[0] == 1
            found += page.body["plays"]
            if page.body["cursor"] is None:
                break
            query["cursor"] = page.body["cursor"]
        assert [(play["player"], play["score"], play["at"]) for play in found] == [
            ("Padma", 1240, "2018-08-29T12:01:00.000Z"),
            ("Padma", 980, "2018-08-29T12:03:00.000Z"),
            ("Rick", 960, "2018-08-29T12:01:00.000Z"),
        ]
        assert {(play["game"], play["award"]) for play in found} == {("chess", "Champ")}

    def test_the_leaderboard_shows_each_player_once(self) -> None:
        answer = READER.call(BOARD, game="chess")
        assert answer.body["summary"] == {"plays": 7, "players": 2}
        assert board() == [(1, "Padma", 1240), (2, "Rick", 960)]
        assert board(top="1") == [(1, "Padma", 1240)]
        assert answer.cost[0] == 2

    def test_a_rank(self) -> None:
        answer = rank("Rick")
        assert answer.body == KNOWN | {
            "game": "chess",
            "player": "Rick",
            "rank": 2,
            "score": 960,
            "players": 2,
            "tied": 0,
        }
        assert answer.cost[0] == 2

    def test_a_better_play_lifts_the_player_and_its_removal_takes_it_back(
        self, table: StreamedTable, drain: Drain
    ) -> None:
        post("Rick", 5000, 9)
        drain()
        assert (rank("Rick").body["rank"], rank("Padma").body["rank"]) == (1, 2)
        table.delete(games_keys.PLAY("Rick", "chess", from_rfc_3339("2018-08-29T12:09:00.000Z")))
        drain()
        assert (rank("Rick").body["rank"], rank("Rick").body["score"], rank("Padma").body["rank"]) == (2, 960, 1)

    def test_an_award_withdrawn_leaves_the_list(self, table: StreamedTable, drain: Drain) -> None:
        at = from_rfc_3339("2018-08-29T12:01:00.000Z")
        table.put_many([games_codec.play_item(Play("Rick", "chess", at, 960))])
        drain()
        assert len(READER.call(AWARD, award="Champ").body["plays"]) == 2
        assert READER.call(LIST, player="Rick").body["summary"] == {"plays": 3, "games": 1, "awards": 0}

    def test_what_nobody_did(self) -> None:
        assert READER.call(AWARD, award="Other").body == {"award": "Other", "plays": [], "cursor": None}
        assert READER.call(LIST, player="Amy").status == 404
        assert READER.call(BOARD, game="go").body["top"] == []
        assert (rank("Rick", "go").status, rank("Amy").status) == (404, 404)


def test_equal_scores_share_a_rank(drain: Drain) -> None:
    for player, score in (("a", 5), ("b", 9), ("c", 5), ("d", 5), ("e", 1)):
        post(player, score)
    drain()
    assert [entry[0] for entry in board()] == [1, 2, 2, 2, 5]
    standings = [rank(player).body for player in "abcde"]
    assert [(each["rank"], each["tied"]) for each in standings] == [(2, 2), (1, 0), (2, 2), (2, 2), (5, 0)]


def test_before_the_stream_is_absorbed_a_play_is_listed_already() -> None:
    answer = post("Rick", 7)
    assert (answer.status, answer.body["at"]) == (201, NOON)
    listed = READER.call(LIST, player="Rick").body
    assert (listed["summary"], listed["games"], listed["plays"]) == (None, [], [answer.body])


def test_the_same_play_again_changes_nothing(table: StreamedTable) -> None:
    first = post("Rick", 7, award="Champ")
    before = table.all_items()
    assert post("Rick", 7, award="Champ").body == first.body
    assert table.all_items() == before


@given(plays=st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(-300, 300), st.integers(0, 5)), max_size=40))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_ranks_are_those_of_a_sort_whatever_was_played(
    plays: list[tuple[str, int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = StreamedMemory()
    for module in (runtime, edge_aggregator):
        monkeypatch.setattr(module, "table", lambda: table)
    stored: dict[tuple[str, int], int] = {}
    for player, score, minute in plays:
        post(player, score, minute)
        stored.setdefault((player, minute), score)
    (shard,) = table.shards.values()
    while shard:
        batch, shard[:] = list(shard), []
        edge_aggregator.handler(window_event("1", batch), Context())
    best = {player: max(score for (who, _), score in stored.items() if who == player) for player, _ in stored}
    for player, score in best.items():
        better, equal = (sum(f) for f in ((s > score for s in best.values()), (s == score for s in best.values())))
        assert rank(player).body == {
            "game": "chess",
            "recounting": False,
            "player": player,
            "score": score,
            "rank": 1 + better,
            "players": len(best),
            "tied": equal - 1,
        }


@pytest.mark.parametrize("odd", ODD_IDS)
def test_ids_of_any_text(odd: str, drain: Drain) -> None:
    post(odd, 7, game=odd, award=odd)
    drain()
    assert READER.call(LIST, player=odd).body["games"][0]["game"] == odd
    assert READER.call(AWARD, award=odd).body["plays"][0]["player"] == odd
    assert board(odd) == [(1, odd, 7)]
    assert rank(odd, odd).body["rank"] == 1


@pytest.mark.parametrize("score", [-SCORE_LIMIT, SCORE_LIMIT, Decimal("12.345"), Decimal("-549755813887.999999")])
def test_the_ends_of_the_scores(score: Score, drain: Drain) -> None:
    body = f'{{"game": "chess", "score": {score}, "at": "{NOON}", "award": "Champ"}}'
    assert APP.call(POST, None, body, player="Rick").body["score"] == score
    post("Amy", 0)
    drain()
    assert (rank("Rick").body["rank"], rank("Rick").body["score"]) == (1 if score > 0 else 2, score)
    assert board()[0 if score > 0 else 1][1:] == ("Rick", score)
    assert [play["score"] for play in READER.call(AWARD, award="Champ").body["plays"]] == [score]
