"""Reads of games: which index, which key condition."""

from collections.abc import Sequence

from edgewise import BeginsWith, Between, Query
from edgewise.dynamodb.schema import BY_NUMBER
from functions.systems.games import keys


def player(player_id: str) -> Query:
    """A player's summary, then the games played, then all plays."""
    summary = keys.PLAYER(player_id)
    return Query(summary.pk, Between(summary.sk, keys.PLAYS_END))


def plays(player_id: str, game_id: str) -> Query:
    """A player's plays of one game."""
    return Query(keys.player(player_id), BeginsWith(keys.plays_of(game_id)))


def award(partitions: Sequence[str]) -> Sequence[Query]:
    """The plays that won an award, the best score first: one query for each shard of its list."""
    return [Query(partition, None, BY_NUMBER, forward=False) for partition in partitions]


def leaderboard(game_id: str) -> Query:
    """The players of a game, the best first."""
    return Query(keys.leaderboard(game_id), None, BY_NUMBER, forward=False)
