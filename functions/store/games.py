"""Plays written; players, awards, leaderboards and exact ranks read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from functions.domain.aggregates import AggregateId
from functions.domain.errors import ConcurrentChangeError
from functions.domain.games import Play, Standing, standing, way
from functions.domain.measures import Cell
from functions.store import codec, keys, nodes, pages, patterns
from functions.store.aggregate_items import cells
from functions.store.decoding import decoded, each
from functions.store.nodes import Member
from functions.store.queries import Position
from functions.store.table import RefusedError, Table
from functions.store.writes import ABSENT, Put


def create(table: Table, play: Play) -> Play:
    """Store a play; if there is one of the same player, game and instant already, it stays and is the answer."""
    try:
        table.write(Put(codec.games.play_item(play), ABSENT))
    except RefusedError as refusal:
        if refusal.item is None:
            raise ConcurrentChangeError("play", play.game) from refusal
        return decoded(codec.games.play, refusal.item)
    return play


def of_player(
    table: Table, player: str, limit: int, after: Position | None
) -> tuple[Sequence[Member], Sequence[Play], Position | None]:
    """One page of a player's summary, edges to games, and plays, in this order, and where to go on."""
    return nodes.collection(table, patterns.games.player(player), limit, after, codec.games.play)


def awarded(table: Table, award: str, limit: int, after: Position | None) -> tuple[list[Play], Position | None]:
    """One page of the plays that won an award, the best score first, and where to go on."""
    query = patterns.games.award(award)
    return pages.listed(table, query, limit, after, lambda entry: codec.games.awarded(entry, award))


@dataclass(frozen=True)
class Leaderboard:
    """A game's numbers (empty until the stream has counted them) and its best players with their best scores."""

    numbers: Mapping[str, Cell]
    best: Sequence[tuple[str, int]]


def leaderboard(table: Table, game: str, top: int) -> Leaderboard:
    """The best players of a game; of equals at the end, any."""
    page = table.query(replace(patterns.games.leaderboard(game), limit=top))
    summary = table.get(keys.games.summary(game))
    numbers = decoded(partial(cells, AggregateId("GAME", ())), summary) if summary else {}
    return Leaderboard(numbers, each(table, codec.games.ranked, page.items))


def standing_of(table: Table, player: str, game: str) -> Standing | None:
    """Where a player stands among all players of a game; None for one who has not played it.

    Two requests however many players there are: the player's best score, then the five nodes on the way to it.
    """
    item = table.get(keys.games.played(player, game))
    played = decoded(codec.games.played, item) if item else None
    if played is None:
        return None
    if played.best is None:
        return Standing()
    wanted = [keys.games.scores(game, digits) for digits, _ in way(played.best)]
    found = table.get_many(wanted)
    scores = partial(cells, AggregateId("SCORES", ()))
    counted = [decoded(scores, found[key]) if key in found else {} for key in wanted]
    return standing(played.best, [{branch: cell.count for branch, cell in node.items()} for node in counted])
