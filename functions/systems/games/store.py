"""Writes plays; reads players, awards, leaderboards and exact ranks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from edgewise import Cell, Item, Position, Table, cells, created, decoded, each
from edgewise.dynamodb.schema import BY_NUMBER
from edgewise.sharding import listing, relief
from functions.systems.games import codec, keys, patterns
from functions.systems.games.entity import Play, Score, Standing, standing, way


def create(table: Table, play: Play) -> Play:
    """Store a play; if one of the same player, game and instant exists, keeps and returns that one."""
    if play.award is None:
        return _created(table, codec.play_item(play), play)
    won = keys.award(play.award)
    with relief.shard(table, BY_NUMBER, won, "".join(keys.PLAY(play.player, play.game, play.at))) as shard:
        return _created(table, codec.play_item(play, shard), play)


def _created(table: Table, item: Item, play: Play) -> Play:
    return created(table, item, codec.play, "play", play.game) or play


def awarded(table: Table, award: str, limit: int, after: Position | None) -> tuple[list[Play], Position | None]:
    """One page of the plays that won an award, the best score first, and the next position."""
    return listing.page(table, keys.award(award), patterns.award, limit, after, partial(codec.awarded, award))


@dataclass(frozen=True)
class Leaderboard:
    """A game's numbers (empty until the stream has counted them) and its best players with their best scores."""

    numbers: Mapping[str, Cell]
    best: Sequence[tuple[str, Score]]


def leaderboard(table: Table, game: str, top: int) -> Leaderboard:
    """The best players of a game; if several are tied at the end of the list, any of them."""
    page = table.query(patterns.leaderboard(game).part(top))
    summary = table.get(keys.GAME(game))
    numbers = decoded(cells, summary) if summary else {}
    return Leaderboard(numbers, each(table, codec.ranked, page.items))


def standing_of(table: Table, player: str, game: str) -> Standing | None:
    """A player's rank among all players of a game; None for a player who has not played it.

    Two requests, regardless of the number of players: the player's best score, then the nodes on the way to it.
    """
    item = table.get(keys.PLAYED(player, game))
    played = decoded(codec.played, item) if item else None
    if played is None:
        return None
    if played.best is None:
        return Standing()
    wanted = [keys.SCORES(game, digits) for digits, _ in way(played.best)]
    found = table.get_many(wanted)
    counted = [decoded(cells, found[key]) if key in found else {} for key in wanted]
    return standing(played.best, [{branch: cell.count for branch, cell in node.items()} for node in counted])
