"""Items of games, and the entries of plays with an award and of players by best score in the index by number."""

from collections.abc import Mapping

from edgewise import COUNT, AggregateId, Cell, Item, cells
from edgewise.dynamodb.attributes import key_item, key_of, n, number, s, string
from edgewise.sharding.lists import FIRST
from functions.systems.games import keys
from functions.systems.games.entity import Play, Played, Score, scored


def play_item(play: Play, shard: int = FIRST) -> Item:
    """One play; only one with an award is in the index (a sparse index), in this shard of the award's list."""
    item: Item = key_item(keys.PLAY(play.player, play.game, play.at)) | {
        "Type": s("PLAY"),
        "Score": n(play.score),
    }
    if play.award is None:
        return item
    place = keys.awarded(play.player, play.game, play.at, play.score)
    won = {"GSI3PK": s(keys.award(play.award).shard(shard)), "GSI3SK": n(place)}
    return item | {"Award": s(play.award)} | won


def play(item: Item) -> Play:
    """The inverse of play_item."""
    player, game, at = keys.PLAY.parse(*key_of(item))
    return Play(player, game, at, scored(number(item["Score"])), string(item["Award"]) if "Award" in item else None)


def awarded(award: str, entry: Item) -> Play:
    """A play from its entry in the index, which sorts it by score."""
    player, game, at = keys.PLAY.parse(*key_of(entry))
    return Play(player, game, at, keys.score_of(number(entry["GSI3SK"])), award)


def played(item: Item) -> Played | None:
    """The edge from a player to a game; None if it counts nothing, no longer or not yet."""
    player, game = keys.PLAYED.parse(*key_of(item))
    cell = cells(item).get(COUNT)
    return Played(player, game, cell.count, best(cell)) if cell else None


def best(cell: Cell) -> Score | None:
    """The best score; None while it is being recounted."""
    return None if cell.extremes.high is None else scored(cell.extremes.high)


def ranked(entry: Item) -> tuple[str, Score]:
    """A player and the player's best score, from the index."""
    player, _ = keys.PLAYED.parse(*key_of(entry))
    return player, scored(number(entry["GSI3SK"]))


def by_best_score(aggregate_id: AggregateId, counted: Mapping[str, Cell]) -> Item:
    """No entry while the best score is unknown."""
    _, game = map(str, aggregate_id.dimensions)
    score = best(counted.get(COUNT, Cell()))
    return {} if score is None else {"GSI3PK": s(keys.leaderboard(game)), "GSI3SK": n(score)}
