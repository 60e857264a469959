"""Access patterns of games."""

from docs.patterns import example
from docs.patterns.pattern import BatchGet, Read, Write
from functions.domain.games import Play, way
from functions.domain.times import from_rfc_3339
from functions.store import codec, keys, patterns
from functions.store.table import Table

NOON = "2018-08-29T12:00:00.000Z"
BEST = 960

_RICK, _CHESS = {"player": "Rick"}, {"game": "chess"}


def _plays(table: Table) -> None:
    plays = [
        Play(player, "chess", from_rfc_3339(NOON) + score, score, "Champ" if score == BEST else None)
        for player, score in (("Rick", 420), ("Rick", BEST), ("Padma", 1240))
    ]
    example.store(table, *map(codec.games.play_item, plays))


READS = (
    Read(
        "a player's numbers, games and plays",
        "GET /players/{player}/games",
        _RICK,
        {},
        [patterns.games.player("Rick")],
        units=0.5,
        given=_plays,
    ),
    Read(
        "the plays that won an award, the best score first",
        "GET /awards/{award}",
        {"award": "Champ"},
        {},
        [patterns.games.award("Champ")],
        units=0.5,
        given=_plays,
    ),
    Read(
        "a game's numbers and best players",
        "GET /leaderboards/{game}",
        _CHESS,
        {"top": "10"},
        [patterns.games.leaderboard("chess"), keys.games.summary("chess")],
        units=1.5,
        given=_plays,
    ),
    Read(
        "the exact rank of a player among any number of players",
        "GET /leaderboards/{game}/players/{player}",
        _CHESS | _RICK,
        {},
        [keys.games.played("Rick", "chess"), BatchGet([keys.games.scores("chess", digits) for digits, _ in way(BEST)])],
        units=3.5,
        given=_plays,
    ),
)

WRITES = (
    Write(
        "store a play",
        "POST /players/{player}/games",
        _RICK,
        {"game": "chess", "score": BEST, "at": NOON, "award": "Champ"},
        {"PutItem": 1},
        "1; 2 with an award (its entry in GSI3)",
    ),
)
