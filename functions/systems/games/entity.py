"""Games: the scores of players, the best players, and the exact rank of every player."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from edgewise import COUNT, Fed, Millis, Observation
from edgewise.times import DAY

# Scores lie between -2^39 and 2^39, both excluded: with the limit added, they have ten hexadecimal digits.
SCORE_LIMIT = 2**39
_DIGITS, _STEP = 10, 2
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
    score: int
    award: str | None = None


@dataclass(frozen=True, slots=True)
class Played:
    """The edge from a player to a game: how many plays, and the best score of them; None while it is recounted."""

    player: str
    game: str
    plays: int
    best: int | None


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's rank in a game; `tied` is how many others have the same best score and share the rank.

    All of it is unknown while the best score is being recounted.
    """

    score: int | None = None
    rank: int | None = None
    players: int | None = None
    tied: int | None = None


def way(score: int) -> list[tuple[str, str]]:
    """The way to a score in the game's tree of counts: at each node, the root first, its name and the branch taken.

    A node is named after the first digits of the scores below it, and counts the players in each branch, that
    is, for each value of the next two digits.
    """
    digits = f"{score + SCORE_LIMIT:0{_DIGITS}x}"
    return [(digits[:start], digits[start : start + _STEP]) for start in range(0, _DIGITS, _STEP)]


def standing(score: int, nodes: Sequence[Mapping[str, int]]) -> Standing:
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
