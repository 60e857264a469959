"""Items of games; where plays with an award, and players by their best score, stand in the index by number."""

from collections.abc import Callable, Mapping
from typing import Any

from functions.domain.aggregates import AggregateId
from functions.domain.declarations import COUNT
from functions.domain.games import Play, Played
from functions.domain.measures import Cell
from functions.store import keys
from functions.store.attributes import Item, integer, key_item, n, s, string
from functions.store.cells import unpack


def play_item(play: Play) -> Item:
    """One play; only with an award it stands in the index (a sparse index)."""
    item: Item = key_item(keys.games.play(play.player, play.game, play.at)) | {
        "Type": s("PLAY"),
        "Score": n(play.score),
    }
    if play.award is None:
        return item
    won = {"GSI3PK": s(keys.games.award(play.award)), "GSI3SK": n(play.score)}
    return item | {"Award": s(play.award)} | won


def play(item: Item) -> Play:
    """The inverse of play_item."""
    names = keys.games.parse_play(string(item["PK"]), string(item["SK"]))
    return Play(*names, integer(item["Score"]), string(item["Award"]) if "Award" in item else None)


def awarded(entry: Item, award: str) -> Play:
    """A play from its entry in the index, which sorts it by score."""
    names = keys.games.parse_play(string(entry["PK"]), string(entry["SK"]))
    return Play(*names, integer(entry["GSI3SK"]), award)


def played(item: Item) -> Played | None:
    """The edge from a player to a game; None for one that stands for nothing, any more or yet."""
    names = keys.games.parse_played(string(item["PK"]), string(item["SK"]))
    packed = item["Cells"]["M"].get(COUNT) if "Cells" in item else None
    if packed is None:
        return None
    cell = unpack(packed, 0)
    return Played(*names, cell.count, best(cell)) if cell.count > 0 else None


def best(cell: Cell) -> int | None:
    """The best of some scores; None while it is being recounted."""
    return None if cell.extremes.high is None else int(cell.extremes.high)


def ranked(entry: Item) -> tuple[str, int]:
    """A player and the player's best score, from the index."""
    player, _ = keys.games.parse_played(string(entry["PK"]), string(entry["SK"]))
    return player, integer(entry["GSI3SK"])


def _by_best_score(aggregate_id: AggregateId, cells: Mapping[str, Cell]) -> Item:
    """Nowhere while the best score is not known."""
    _, game = map(str, aggregate_id.parts)
    score = best(cells.get(COUNT, Cell()))
    return {} if score is None else {"GSI3PK": s(keys.games.leaderboard(game)), "GSI3SK": n(score)}


SOURCES: Mapping[str, Callable[[Item], Any]] = {"PLAY": play, "PLAYED": played}
INDEXED: Mapping[str, Callable[[AggregateId, Mapping[str, Cell]], Item]] = {"PLAYED": _by_best_score}
