"""Games: plays, awards, leaderboards, ranks."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Query

from edgewise import COUNT, Cell, Member, NotFoundError, millis, rfc_3339
from functions.errors import AlreadyExistsError
from functions.systems.games import codec, keys, patterns, store
from functions.systems.games.entity import RECOUNTING, Play, Score
from functions.systems.games.models import (
    AwardOut,
    GamesOut,
    GameSummary,
    LeaderboardEntry,
    LeaderboardOut,
    PlayerGame,
    PlayerGames,
    PlayersOut,
    PlayerSummary,
    PlayIn,
    PlayOut,
    StandingOut,
)
from functions.systems.games.system import GAME, PLAYED, PLAYER, SCORES, SYSTEM
from functions.web import answers, http, runtime
from functions.web.fields import PathId
from functions.web.paging import (
    DEFAULT_LIMIT,
    Beginning,
    CursorText,
    Limit,
    Paging,
    collection_page,
    directory_page,
    span,
)

MAX_TOP = 100

app = http.resolver(SYSTEM)


@http.route(
    app,
    "POST /players/{player}/games",
    "Store a play; repeating it changes nothing, a different play at the same instant is a conflict",
    responses=answers.stored(PlayOut) | answers.CONFLICT,
    status_code=HTTPStatus.CREATED,
    group="write",
)
def post_play(player: PathId, body: PlayIn) -> Response[str]:
    """One conditional write; the stream consumer updates ranks and numbers."""
    play = Play(player, body.game, millis(body.at), body.score, body.award)
    stored = store.create(runtime.table(), play)
    if stored != play:
        raise AlreadyExistsError("play", f"{play.game}, {rfc_3339(play.at)}")
    return answers.reply(_play(play), HTTPStatus.CREATED if stored is play else HTTPStatus.OK)


@http.route(app, "GET /players", "All players that have plays, by id", responses=answers.described(PlayersOut))
def get_players(
    begins_with: Beginning = None, limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None
) -> Response[str]:
    """One query of the index by value."""
    found, next_cursor = directory_page(keys.PLAYERS, begins_with, limit, cursor)
    return answers.reply(PlayersOut(players=found, cursor=next_cursor))


@http.route(app, "GET /games", "All games that have plays, by id", responses=answers.described(GamesOut))
def get_games(begins_with: Beginning = None, limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None) -> Response[str]:
    """One query of the index by value."""
    found, next_cursor = directory_page(keys.GAMES, begins_with, limit, cursor)
    return answers.reply(GamesOut(games=found, cursor=next_cursor))


@http.route(
    app,
    "GET /players/{player}/games",
    "A player's numbers, games and plays",
    responses=answers.described(PlayerGames) | answers.NOT_FOUND,
    shows=(PLAYER, PLAYED),
)
def get_player(player: PathId, limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None) -> Response[str]:
    """One query: the summary sorts first, then the edges, then the plays."""
    page = collection_page((PLAYER, PLAYED), patterns.player(player), limit, cursor, codec.play)
    if page.is_empty and cursor is None:
        raise NotFoundError("player", player)
    return answers.reply(
        PlayerGames(
            player=player,
            summary=_player_summary(page.summary.cells) if page.summary else None,
            games=[_player_game(edge) for edge in page.edges],
            plays=[_play(play) for play in page.items],
            cursor=page.cursor,
        )
    )


@http.route(
    app,
    "GET /awards/{award}",
    "The plays that won an award, the best score first",
    responses=answers.described(AwardOut),
    shows=(PLAYED,),
    by_index=True,
)
def get_award(award: PathId, limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None) -> Response[str]:
    """One query of the sparse index, or one per shard, merged, in descending order.

    Plays without an award are not in it.
    """
    paging = Paging({"route": "award", "of": award}, cursor)
    plays, position = store.awarded(runtime.table(), award, limit, paging.after)
    return answers.reply(AwardOut(award=award, plays=[_play(play) for play in plays], cursor=paging.next(position)))


@http.route(
    app,
    "GET /leaderboards/{game}",
    "A game's numbers and its best players",
    responses=answers.described(LeaderboardOut),
    shows=(GAME, PLAYED),
    by_index=True,
)
def get_leaderboard(
    game: PathId,
    top: Annotated[int, Query(ge=1, le=MAX_TOP, description="the maximum number of players")] = 10,
) -> Response[str]:
    """One query of the index by number, in descending order, and the game's summary."""
    board = store.leaderboard(runtime.table(), game, top)
    summary = GameSummary(**_counts(board.numbers, "Plays", "Players")) if board.numbers else None
    recounting = board.numbers.get(RECOUNTING, Cell()).count
    return answers.reply(LeaderboardOut(game=game, summary=summary, top=_ranked(board.best), recounting=recounting))


@http.route(
    app,
    "GET /leaderboards/{game}/players/{player}",
    "The exact rank of a player, in two requests regardless of the number of players",
    responses=answers.described(StandingOut) | answers.NOT_FOUND,
    shows=(SCORES, PLAYED),
)
def get_standing(game: PathId, player: PathId) -> Response[str]:
    """Two requests: the best score, then the nodes on the way to it in the game's tree of counts."""
    found = store.standing_of(runtime.table(), player, game)
    if found is None:
        raise NotFoundError(f"score in the game '{game}' of the player", player)
    return answers.reply(
        StandingOut(
            game=game,
            player=player,
            rank=found.rank,
            score=found.score,
            players=found.players,
            tied=found.tied,
            recounting=found.score is None,
        )
    )


handler = http.handler(app)


def _play(play: Play) -> PlayOut:
    return PlayOut(player=play.player, game=play.game, at=rfc_3339(play.at), score=play.score, award=play.award)


def _player_summary(cells: Mapping[str, Cell]) -> PlayerSummary:
    return PlayerSummary(**_counts(cells, "Plays", "Games", "Awards"))


def _player_game(member: Member) -> PlayerGame:
    cell, (game,) = member.cells[COUNT], member.target
    return PlayerGame(game=game, plays=cell.count, best=codec.best(cell), **span(cell))


def _ranked(best: Sequence[tuple[str, Score]]) -> list[LeaderboardEntry]:
    """Best first; equal scores share the rank of the first of them."""
    scores = [score for _, score in best]
    return [LeaderboardEntry(rank=1 + scores.index(score), player=player, score=score) for player, score in best]


def _counts(cells: Mapping[str, Cell], *names: str) -> dict[str, int]:
    return {name.lower(): cells.get(name, Cell()).count for name in names}
