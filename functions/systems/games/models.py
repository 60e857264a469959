"""Requests and responses of the game routes."""

from decimal import Decimal
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, WithJsonSchema

from functions.systems.games.entity import AHEAD, BOUNDS, SCORE_LIMIT, scored
from functions.web.common import Counted, Listed
from functions.web.fields import Ahead, Id, Instant, Request, exactly

_SCORE_SCHEMA = {"type": "number", "minimum": -SCORE_LIMIT, "maximum": SCORE_LIMIT, "description": BOUNDS}
ScoreIn = Annotated[int | Decimal, BeforeValidator(lambda value: scored(exactly(value))), WithJsonSchema(_SCORE_SCHEMA)]
ScoreOut = Annotated[int | Decimal, WithJsonSchema({"type": "number"})]


class PlayIn(Request):
    """One score of a player in a game, with an optional award."""

    game: Id
    score: ScoreIn
    at: Annotated[Instant, Ahead(AHEAD)]
    award: Id | None = None


class PlayOut(BaseModel):
    """One play."""

    player: str
    game: str
    at: str
    score: ScoreOut
    award: str | None


class PlayersOut(Listed):
    """One page of the ids of players."""

    players: list[str]
    cursor: str | None


class GamesOut(Listed):
    """One page of the ids of games."""

    games: list[str]
    cursor: str | None


class PlayerSummary(BaseModel):
    """A player's numbers over all games."""

    plays: int
    games: int
    awards: int


class PlayerGame(BaseModel):
    """A game of a player: how often played, the best score, first and last instant; null while being recounted."""

    game: str
    plays: int
    best: ScoreOut | None
    first: str | None
    last: str | None
    recounting: bool


class PlayerGames(Counted, Listed):
    """One page of a player: the summary comes first, then the games, then all plays; `limit` counts games and plays."""

    player: str
    summary: PlayerSummary | None
    games: list[PlayerGame]
    plays: list[PlayOut]
    cursor: str | None


class AwardOut(Counted, Listed):
    """One page of the plays that won an award, the best score first."""

    award: str
    plays: list[PlayOut]
    cursor: str | None


class GameSummary(BaseModel):
    """A game's numbers."""

    plays: int
    players: int


class LeaderboardEntry(BaseModel):
    """A player, the player's best score, and the rank; equal scores share a rank."""

    rank: int
    player: str
    score: ScoreOut


class LeaderboardOut(Counted, Listed):
    """The best players of a game; if several are tied at the end of the list, any of them may be shown.

    `recounting`: how many players are temporarily unranked, because their best score is being recounted.
    """

    game: str
    summary: GameSummary | None
    top: list[LeaderboardEntry]
    recounting: int


class StandingOut(Counted):
    """A player's exact rank: one more than the number of players whose best score is better.

    `players` is how many players are ranked, `tied` how many others share the rank. While the player's own best score
    is being recounted, all of these are unknown.
    """

    game: str
    player: str
    rank: int | None
    score: ScoreOut | None
    players: int | None
    tied: int | None
    recounting: bool
