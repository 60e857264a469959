"""Reads of games: which index, which key condition."""

from functions.store import keys
from functions.store.queries import BeginsWith, Between, Query
from functions.store.schema import BY_NUMBER


def player(player_id: str) -> Query:
    """A player's summary, then the games played, then all plays."""
    return Query(keys.games.player(player_id), Between(keys.nodes.NODE_SUMMARY, keys.games.PLAYS_END))


def plays(player_id: str, game_id: str) -> Query:
    """A player's plays of one game."""
    return Query(keys.games.player(player_id), BeginsWith(keys.games.plays_of(game_id)))


def award(name: str) -> Query:
    """The plays that won an award, the best score first."""
    return Query(keys.games.award(name), None, BY_NUMBER, forward=False)


def leaderboard(game_id: str) -> Query:
    """The players of a game, the best first."""
    return Query(keys.games.leaderboard(game_id), None, BY_NUMBER, forward=False)
