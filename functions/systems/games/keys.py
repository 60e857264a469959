"""Keys of games: partition PLAYER#id holds a player's summary, games and plays; GAME#id holds a game's aggregates.

Partition AWARD#SHARDS#award says how many shards the list of the plays with an award has, in the index by number.
"""

import math
from decimal import Decimal

from edgewise import KeyTemplate, Millis, Partitions, ShardedList
from edgewise.dynamodb.keys import digest, prefix

# The numbers of a player, and of a game; and one play.
PLAYER, GAME = KeyTemplate("PLAYER#{player}"), KeyTemplate("GAME#{game}")
PLAY = KeyTemplate("PLAYER#{player}", "GAME#{game}#{at}", at=Millis)
PLAYERS, GAMES = PLAYER.partitions, GAME.partitions
# In the index by number.
AWARDS, LEADERBOARDS = Partitions("AWARD"), Partitions("LEADERBOARD")
# The edge from a player to a game; and a node of a game's tree of counts: the best scores that begin with these digits.
PLAYED = KeyTemplate("PLAYER#{player}", "EDGE#PLAYED#GAME#{game}")
SCORES = KeyTemplate("GAME#{game}", "SCORES#{digits}")
# More than a digest can be; with the digits of a score it makes 32 digits, of DynamoDB's 38.
_FRACTION_DIGITS = 20
_FRACTIONS = 10**_FRACTION_DIGITS
PLAYS_END = "GAME$"  # `$` follows the delimiter: after the last play, before anything else


def player(player_id: str) -> str:
    """The partition of a player."""
    return PLAYERS(player_id)


def plays_of(game_id: str) -> str:
    """The prefix of the keys of a player's plays of one game."""
    return prefix("GAME", game_id)


def award(name: str) -> ShardedList:
    """The list, in the index by number, of the plays that won an award, sorted by score."""
    return ShardedList(AWARDS, (name,))


def awarded(player_id: str, game_id: str, at: Millis, score: int) -> Decimal:
    """The number that sorts a play there: its score, and a fraction all its own, so that pages can end anywhere."""
    fraction = int(digest(*PLAY(player_id, game_id, at)), 16)
    return Decimal(f"{score * _FRACTIONS + fraction}e-{_FRACTION_DIGITS}")


def score_of(number: Decimal) -> int:
    """The score in such a number."""
    return math.floor(number)


def leaderboard(game_id: str) -> str:
    """The partition, in the index by number, of a game's players, sorted by best score."""
    return LEADERBOARDS(game_id)
