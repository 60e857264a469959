"""Access patterns of games."""

from docs.patterns import example
from docs.patterns.pattern import BatchGet, Read, Write, directory_read
from edgewise.times import from_rfc_3339
from functions.systems.games import codec as games_codec
from functions.systems.games import keys as games_keys
from functions.systems.games import patterns as games_patterns
from functions.systems.games.entity import Play, way

NOON = "2018-08-29T12:00:00.000Z"
BEST = 960

_RICK, _CHESS = {"player": "Rick"}, {"game": "chess"}
_plays = example.stored(
    example.widened(games_keys.award("Champ"), 1),
    *(
        games_codec.play_item(
            Play(player, "chess", from_rfc_3339(NOON) + score, score, "Champ" if score == BEST else None)
        )
        for player, score in (("Rick", 420), ("Rick", BEST), ("Padma", 1240))
    ),
)

READS = (
    Read(
        "a player's numbers, games and plays",
        "GET /players/{player}/games",
        _RICK,
        {},
        [games_patterns.player("Rick")],
        units=0.5,
        given=_plays,
    ),
    Read(
        "the plays that won an award, the best score first",
        "GET /awards/{award}",
        {"award": "Champ"},
        {},
        [example.history(games_keys.award("Champ")), *games_patterns.award(games_keys.award("Champ").shards(1))],
        units=1.5,
        bound=example.BOUND,
        given=_plays,
    ),
    Read(
        "a game's numbers and best players",
        "GET /leaderboards/{game}",
        _CHESS,
        {"top": "10"},
        [games_patterns.leaderboard("chess"), games_keys.GAME("chess")],
        units=1.5,
        given=_plays,
    ),
    Read(
        "the exact rank of a player among any number of players",
        "GET /leaderboards/{game}/players/{player}",
        _CHESS | _RICK,
        {},
        [games_keys.PLAYED("Rick", "chess"), BatchGet([games_keys.SCORES("chess", digits) for digits, _ in way(BEST)])],
        units=3.5,
        given=_plays,
    ),
    directory_read("all players, by id", "GET /players", games_keys.PLAYERS, _plays, "a new player"),
    directory_read("all games, by id", "GET /games", games_keys.GAMES, _plays, "a new game"),
)

WRITES = (
    Write(
        "store a play",
        "POST /players/{player}/games",
        _RICK,
        {"game": "chess", "score": BEST, "at": NOON, "award": "Champ"},
        {"BatchGetItem": 1, "PutItem": 1},
        "1; 2 with an award (its entry in GSI3; at most once in 10 s the history of its list is read)",
    ),
)
