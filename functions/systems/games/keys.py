"""Keys of games: partition PLAYER#id holds a player's summary, games and plays; GAME#id holds a game's aggregates.

Partition AWARD#SHARDS#award says how many shards the list of the plays with an award has, in the index by number.
"""

import math
from decimal import Decimal

from edgewise import KeyTemplate, Millis, Partitions, ShardedList
from edgewise.dynamodb.keys import digest, prefix
from functions.systems.games.entity import Score, of_parts, parts

# The numbers of a player, and of a game; and one play.
PLAYER, GAME = KeyTemplate("PLAYER#{player}"), KeyTemplate("GAME#{game}")
PLAY = KeyTemplate("PLAYER#{player}", "GAME#{game}#{at}", at=Millis)
PLAYERS, GAMES = PLAYER.partitions, GAME.partitions
# In the index by number.
AWARDS, LEADERBOARDS = Partitions("AWARD"), Partitions("LEADERBOARD")
# The edge from a player to a game; and a node of a game's tree of counts: the best scores that begin with these digits.
PLAYED = KeyTemplate("PLAYER#{player}", "EDGE#PLAYED#GAME#{game}")
SCORES = KeyTemplate("GAME#{game}", "SCORES#{digits}")
# A digest is less than 2 * 10^19. Behind the digits of a whole score, 16 at most, it makes 36 digits, of DynamoDB's 38.
# It is less than 0.2 there, so scores with decimals have the rest up to the next whole one: from 0.2 on, so much for
# each millionth, which is more than the digest that follows. With twelve digits before the point at most, these are 38.
_WHOLE, _FINE = 10**20, 10**26
_BEGIN, _STEP = 2 * 10**25, 75 * 10**18
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


def awarded(player_id: str, game_id: str, at: Millis, score: Score) -> Decimal:
    """The number that sorts a play there: its score, and a fraction all its own, so that pages can end anywhere."""
    own = int(digest(*PLAY(player_id, game_id, at)), 16)
    whole, millionths = parts(score)
    if not millionths:
        return Decimal(f"{whole * _WHOLE + own}e-20")
    return Decimal(f"{whole * _FINE + _BEGIN + millionths * _STEP + own}e-26")


def score_of(number: Decimal) -> Score:
    """The score in such a number."""
    whole = math.floor(number)
    beyond = int((number - whole).scaleb(26)) - _BEGIN
    return whole if beyond < 0 else of_parts(whole, beyond // _STEP)


def leaderboard(game_id: str) -> str:
    """The partition, in the index by number, of a game's players, sorted by best score."""
    return LEADERBOARDS(game_id)
