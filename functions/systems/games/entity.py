"""Games: the scores of players, the best players, and the exact rank of every player."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from edgewise import COUNT, Fed, Millis, Observation
from edgewise.aggregates.measures import measurable
from edgewise.times import DAY

# Whole scores lie between these, which every language can count to, both included; scores with decimals, of which
# there are so many, below the second in size.
SCORE_LIMIT, FINE_LIMIT, DECIMALS = 2**53, 2**39, 6
# With this limit added, scores below it in size have ten hexadecimal digits; greater ones have fourteen.
_LIMIT, _DIGITS, _MORE_DIGITS, _STEP = FINE_LIMIT, 10, 14, 2
# What stands before the digits of scores that are greater than those of ten digits, or smaller: it sorts so. And what
# stands between the digits of a score and its decimals: it sorts after the digits of the whole score alone.
_GREATER, _SMALLER, _POINT = "g", "-", "~"
BOUNDS = (
    f"a whole number between -{SCORE_LIMIT} and {SCORE_LIMIT}, or one with at most {DECIMALS} decimals that is "
    f"less than {FINE_LIMIT} in size"
)
# A score: a Decimal if it has decimals.
Score = int | Decimal
# How far a play may be ahead of the server's clock, as those of a device are whose zone is set wrong.
AHEAD = DAY
# The players of a game who are temporarily unranked, because their best score is unknown.
RECOUNTING = "Recounting"


@dataclass(frozen=True, slots=True)
class Play:
    """One score of a player; game and instant name it among the player's."""

    player: str
    game: str
    at: Millis
    score: Score
    award: str | None = None


@dataclass(frozen=True, slots=True)
class Played:
    """The edge from a player to a game: how many plays, and the best score of them; None while it is recounted."""

    player: str
    game: str
    plays: int
    best: Score | None


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's rank in a game; `tied` is how many others have the same best score and share the rank.

    All of it is unknown while the best score is being recounted.
    """

    score: Score | None = None
    rank: int | None = None
    players: int | None = None
    tied: int | None = None


def scored(number: Decimal) -> Score:
    """A number as a score; raises ValueError if it is none."""
    try:
        short = measurable(number)
    except ValueError as error:
        raise ValueError(f"must be {BOUNDS}") from error
    whole, size, last = short == short.to_integral_value(), short.copy_abs(), short.as_tuple().exponent
    is_fine = size < FINE_LIMIT and isinstance(last, int) and last >= -DECIMALS
    if size > SCORE_LIMIT or not (whole or is_fine):
        raise ValueError(f"must be {BOUNDS}")
    return int(short) if whole else short


def parts(score: Score) -> tuple[int, int]:
    """The greatest whole score that is not above this one, and how many millionths it is above that."""
    whole = math.floor(score)
    return whole, int((score - whole) * 10**DECIMALS)


def of_parts(whole: int, millionths: int) -> Score:
    """The inverse of `parts`."""
    return scored(Decimal(f"{whole * 10**DECIMALS + millionths}e-{DECIMALS}"))


def way(score: Score) -> list[tuple[str, str]]:
    """The way to a score in the game's tree of counts: at each node, the root first, its name and the branch taken.

    A node is named after the first digits of the scores below it, and counts the players in each branch, that
    is, for each value of the next two digits. Most scores have five nodes; great ones have seven, and those with
    decimals three more.
    """
    branches = _branches(score)
    return [("".join(branches[:place]), branch) for place, branch in enumerate(branches)]


def _branches(score: Score) -> list[str]:
    """The branches taken on the way to a score: joined, they sort as scores do."""
    whole, millionths = parts(score)
    if -_LIMIT <= whole < _LIMIT:
        branches = _pairs(f"{whole + _LIMIT:0{_DIGITS}x}")
    else:
        branches = _pairs(f"{whole % 16**_MORE_DIGITS:0{_MORE_DIGITS}x}")
        branches[0] = (_GREATER if whole > 0 else _SMALLER) + branches[0]
    if millionths:
        branches[-1] += _POINT
        branches += _pairs(f"{millionths:0{DECIMALS}d}")
    return branches


def _pairs(digits: str) -> list[str]:
    return [digits[start : start + _STEP] for start in range(0, len(digits), _STEP)]


def standing(score: Score, nodes: Sequence[Mapping[str, int]]) -> Standing:
    """The exact standing with this best score, from the counts of the nodes on the way to it.

    Every better score leaves this way at exactly one node, into a greater branch.
    """
    branches = [branch for _, branch in way(score)]
    better = sum(
        count for taken, node in zip(branches, nodes, strict=True) for branch, count in node.items() if branch > taken
    )
    here = nodes[-1].get(branches[-1], 0)
    return Standing(score, rank=1 + better, players=sum(nodes[0].values()), tied=max(0, here - 1))


def of_played(play: Play) -> Fed:
    """A play feeds the edge from its player to its game."""
    yield (play.player, play.game), {COUNT: Observation(1, Decimal(play.score), play.at)}


def of_awards(play: Play) -> Fed:
    """A play with an award feeds its player."""
    if play.award is not None:
        yield (play.player,), {"Awards": Observation()}


def of_player(edge: Played) -> Fed:
    """An edge to a game feeds its player."""
    yield (edge.player,), {"Plays": Observation(edge.plays), "Games": Observation()}


def of_game(edge: Played) -> Fed:
    """An edge to a game feeds the game."""
    seen = {"Plays": Observation(edge.plays), "Players": Observation()}
    yield (edge.game,), seen if edge.best is not None else seen | {RECOUNTING: Observation()}


def of_scores(edge: Played) -> Fed:
    """An edge to a game feeds the nodes on the way to its best score."""
    if edge.best is not None:
        for prefix, branch in way(edge.best):
            yield (edge.game, prefix), {branch: Observation()}
