"""Games: plays with scores and awards, players, leaderboards, exact ranks."""

from edgewise import COUNT, Extremal, Feed, FromSources, Indexed, Kind, Read, Shared, Source, Span
from edgewise.dynamodb.schema import BY_NUMBER
from functions import directory
from functions.system import ANY, ByHand, Rights, System
from functions.systems.games import codec, keys, patterns
from functions.systems.games.entity import of_awards, of_game, of_played, of_player, of_scores

_PLAYS = Source("PLAY", codec.play)
PLAYED = Kind(
    name="PLAYED",
    rank=1,
    cells="plays of a player in a game; best score, first, last",
    readable_by_all=True,
    feeds=(Feed(_PLAYS, of_played),),
    key=keys.PLAYED,
    sources=lambda reader, player, game: reader.read(patterns.plays(player, game)),
    # Every play, because any of them may have the best score.
    parts=(
        Extremal(FromSources(lambda _, player, game: iter([Read(patterns.plays(player, game))]))),
        Indexed(codec.by_best_score),
        Span(COUNT),
    ),
)
_TO_GAMES = PLAYED.source(codec.played)
PLAYER = Kind(
    name="PLAYER",
    rank=3,
    cells="plays, games, awards",
    readable_by_all=True,
    feeds=(Feed(_PLAYS, of_awards), Feed(_TO_GAMES, of_player)),
    key=keys.PLAYER,
    sources=lambda reader, player: reader.read(patterns.player(player)),
    parts=(Indexed(directory.of_summaries(keys.PLAYERS)),),
)
GAME = Kind(
    name="GAME",
    rank=3,
    cells="plays, distinct players, those whose best score is being recounted",
    readable_by_all=True,
    feeds=(Feed(_TO_GAMES, of_game),),
    key=keys.GAME,
    sources=lambda reader, game: reader.read(patterns.leaderboard(game)),
    parts=(
        Indexed(directory.of_summaries(keys.GAMES)),
        Shared(),
    ),
)
SCORES = Kind(
    name="SCORES",
    rank=3,
    cells="players by two digits of their best score",
    readable_by_all=True,
    feeds=(Feed(_TO_GAMES, of_scores),),
    key=keys.SCORES,
    sources=lambda reader, game, _: reader.read(patterns.leaderboard(game)),
    parts=(Shared(),),
)

SYSTEM = System(
    name="games",
    rights=Rights(
        actions=("Query", "GetItem", "BatchGetItem", "PutItem"),
        writes=(keys.PLAYERS, keys.AWARDS),
        queried={BY_NUMBER: (keys.AWARDS, keys.LEADERBOARDS)},
    ),
    kinds=(PLAYED, PLAYER, GAME, SCORES),
    by_hand=(ByHand("PLAY", codec.play, codec.play_item, BY_NUMBER),),
    lists={keys.AWARDS: {"award": ANY}},
    directories=(keys.PLAYERS, keys.GAMES),
    why={
        (BY_NUMBER, keys.AWARDS.name): "the plays that won an award by score; a play without one is not here",
        (BY_NUMBER, keys.LEADERBOARDS.name): "the players of a game by their best score; who has none is not here",
    },
)
