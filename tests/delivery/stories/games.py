"""Plays that are stored, corrected, removed; ranks counted in a tree must be those of a sort."""

from collections import defaultdict
from decimal import Decimal
from random import Random
from typing import Any, NamedTuple

from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.table import Table
from functions.systems.games import codec as games_codec
from functions.systems.games import store as games
from functions.systems.games.entity import Play, Standing
from tests.delivery.stories.story import Numbers, Rankings, Source, Story, ranked

NOON = 1535544000000
LIMIT = 100
SCORES = (-(2**39) + 1, -1, 0, 1, 255, 256, 65_536, 2**39 - 1)


class Fact(NamedTuple):
    player: str
    game: str
    at: int
    score: int
    award: str | None


def source(random: Random) -> Source:
    fact = Fact(
        random.choice("abc"),
        random.choice("gh"),
        NOON + 1000 * random.randint(0, 3),
        random.choice(SCORES),
        random.choice((None, None, "Champ")),
    )
    play = Play(fact.player, fact.game, fact.at, fact.score, fact.award)
    return Source(games_codec.play_item(play), fact)


def recount(facts: list[Fact]) -> dict[Any, Any]:
    plays: dict[Any, list[Fact]] = defaultdict(list)
    for fact in facts:
        plays[fact.player, fact.game].append(fact)
    best = {pair: max(fact.score for fact in each) for pair, each in plays.items()}
    return (
        {("played", *pair): _span(each) for pair, each in plays.items()}
        | {("board", game, player): score for (player, game), score in best.items()}
        | {("player", fact.player): _player(facts, fact.player) for fact in facts}
        | {("game", fact.game): _game(facts, fact.game) for fact in facts}
        | _tree(best)
    )


def _span(plays: list[Fact]) -> list[int]:
    scores, seconds = [fact.score for fact in plays], [fact.at // 1000 for fact in plays]
    return [len(plays), sum(scores), min(scores), max(scores), min(seconds), max(seconds)]


def _player(facts: list[Fact], player: str) -> dict[str, int]:
    own = [fact for fact in facts if fact.player == player]
    counts = {"Plays": len(own), "Games": len({fact.game for fact in own}), "Awards": sum(bool(f.award) for f in own)}
    return {name: count for name, count in counts.items() if count}


def _game(facts: list[Fact], game: str) -> dict[str, int]:
    of_game = [fact.player for fact in facts if fact.game == game]
    return {"Plays": len(of_game), "Players": len(set(of_game))}


def _tree(best: dict[Any, int]) -> dict[Any, Any]:
    tree: dict[Any, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for (_, game), score in best.items():
        digits = (score + 2**39).to_bytes(5, "big").hex()
        for start in range(0, 10, 2):
            tree["tree", game, digits[:start]][digits[start : start + 2]] += 1
    return {node: dict(branches) for node, branches in tree.items()}


def actual(items: list[Item]) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for item in items:
        if "Cells" in item and item["Type"]["S"] in ("PLAYED", "PLAYER", "GAME", "SCORES"):
            found |= _read(item, item["PK"]["S"].split("#")[1], item["SK"]["S"].split("#"))
    return found


def _read(item: Item, name: str, sk: list[str]) -> dict[Any, Any]:
    cells = item["Cells"]["M"]
    if item["Type"]["S"] == "PLAYED":
        played = {("played", name, sk[3]): _scores(cells["Count"]["S"])}
        if "GSI3PK" not in item:  # no board has it
            return played
        return played | {("board", item["GSI3PK"]["S"].removeprefix("LEADERBOARD#"), name): int(item["GSI3SK"]["N"])}
    about = ("tree", name, sk[1]) if item["Type"]["S"] == "SCORES" else (item["Type"]["S"].lower(), name)
    return {about: {cell: int(count["N"]) for cell, count in cells.items()}}


def _scores(cell: str) -> list[Decimal]:
    """Count, sum, least, best, first and last instant; a single score stands alone with its instant."""
    parts = cell.split(" ")
    if len(parts) == 1:
        score, at = map(Decimal, cell.split("@"))
        return [Decimal(1), score, score, score, at, at]
    return [*map(Decimal, parts[:4]), *(Decimal(moment.split("@")[1]) for moment in parts[4:])]


def read(table: Table) -> Numbers:
    """The leaderboards, everybody's exact standing, and who won the award."""
    lists: Numbers = {}
    for game in "gh":
        lists[game] = ranked((score, player) for player, score in games.leaderboard(table, game, LIMIT).best)
        for player in "abc":
            lists[game, player] = games.standing_of(table, player, game)
    plays, _ = games.awarded(table, "Champ", LIMIT, None)
    return lists | {"Champ": ranked((play.score, (play.player, play.game, play.at)) for play in plays)}


def sort(facts: list[Fact]) -> Numbers:
    best = {
        (game, player): max((fact.score for fact in facts if (fact.game, fact.player) == (game, player)), default=None)
        for game in "gh"
        for player in "abc"
    }
    lists: Numbers = {}
    for game in "gh":
        scores = {player: score for (of, player), score in best.items() if of == game and score is not None}
        best_first = sorted(scores, key=lambda player: scores[player], reverse=True)
        lists[game] = ranked((scores[player], player) for player in best_first)
        lists |= {(game, player): _standing(player, scores) for player in "abc"}
    champions = sorted((fact for fact in facts if fact.award), key=lambda fact: fact.score, reverse=True)
    return lists | {"Champ": ranked((fact.score, (fact.player, fact.game, fact.at)) for fact in champions)}


def _standing(player: str, scores: dict[str, int]) -> Standing | None:
    if player not in scores:
        return None
    own = scores[player]
    better, same = sum(score > own for score in scores.values()), sum(score == own for score in scores.values())
    return Standing(own, 1 + better, len(scores), same - 1)


STORY = Story("games", source, recount, actual, Rankings(read, sort))
