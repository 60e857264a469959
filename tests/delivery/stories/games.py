"""Plays that are stored, corrected, removed; ranks counted in a tree must be those of a sort."""

from collections import defaultdict
from decimal import Decimal
from typing import Any, NamedTuple

from hypothesis import strategies as st

from functions.domain.games import Play
from functions.store import codec
from functions.store.attributes import Item
from tests.delivery.stories.story import Source, Story

NOON = 1535544000000
SCORES = (-(2**39) + 1, -1, 0, 1, 255, 256, 65_536, 2**39 - 1)


class Fact(NamedTuple):
    player: str
    game: str
    at: int
    score: int
    award: str | None


@st.composite
def sources(draw: st.DrawFn) -> Source:
    fact = Fact(
        draw(st.sampled_from("abc")),
        draw(st.sampled_from("gh")),
        NOON + 1000 * draw(st.integers(0, 3)),
        draw(st.sampled_from(SCORES)),
        draw(st.sampled_from([None, None, "Champ"])),
    )
    play = Play(fact.player, fact.game, fact.at, fact.score, fact.award)
    return Source(codec.games.play_item(play), fact)


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
        ranked = {("board", item["GSI3PK"]["S"].removeprefix("LEADERBOARD#"), name): int(item["GSI3SK"]["N"])}
        return {("played", name, sk[3]): _scores(cells["Count"]["S"])} | ranked
    about = ("tree", name, sk[1]) if item["Type"]["S"] == "SCORES" else (item["Type"]["S"].lower(), name)
    return {about: {cell: int(count["N"]) for cell, count in cells.items()}}


def _scores(cell: str) -> list[Decimal]:
    """Count, sum, least, best, first and last instant; a single score stands alone with its instant."""
    parts = cell.split(" ")
    if len(parts) == 1:
        score, at = map(Decimal, cell.split("@"))
        return [Decimal(1), score, score, score, at, at]
    return [*map(Decimal, parts[:4]), *(Decimal(moment.split("@")[1]) for moment in parts[4:])]


STORY = Story("games", sources(), recount, actual)
