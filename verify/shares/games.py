"""Games: plays with scores and awards, each sent twice; best scores and exact ranks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from random import Random
from typing import Any

from ops.api import Api
from ops.recounting.facts import Facts, Name
from ops.recounting.readback import fields, get, pages
from verify.corner import Corner
from verify.facts import Check
from verify.share import Left, Request, Share

START = datetime(2026, 1, 5, tzinfo=UTC)


@dataclass(frozen=True)
class Play:
    """One play as it is sent."""

    player: str
    game: str
    at: datetime
    score: int
    award: str | None


def share(corner: Corner, rng: Random, events: int) -> Share:
    """A twentieth as many plays as readings."""
    plays = list(_plays(corner, rng, max(24, events // 20)))
    return Share(
        name="games",
        rounds=[[_post(play) for play in plays]],
        checks=list(_checks(plays)),
        recounts=_recounts(plays[0]),
        left=[Left("plays", len(plays), f"PLAYER#{corner.name}…, GAME#{corner.name}…")],
    )


def _plays(corner: Corner, rng: Random, count: int) -> Iterator[Play]:
    for number in range(count):
        player, game = corner.id("player", rng.randrange(6)), corner.id("game", rng.randrange(2))
        award = corner.id("award") if rng.random() < 0.2 else None
        yield Play(player, game, START + timedelta(minutes=number), rng.randint(-50, 50), award)


def _post(play: Play) -> Request:
    body: dict[str, Any] = {"game": play.game, "score": play.score, "at": play.at.isoformat()}
    return Request(
        "POST", ("players", play.player, "games"), body | ({"award": play.award} if play.award else {}), times=2
    )


def _recounts(play: Play) -> list[Name]:
    return [
        Name("PLAYER", (play.player,)),
        Name("PLAYED", (play.player, play.game)),
        Name("GAME", (play.game,)),
        Name("SCORES", (play.game, "")),
    ]


def _checks(plays: Sequence[Play]) -> Iterator[Check]:
    for player in {play.player for play in plays}:
        own = [play for play in plays if play.player == player]
        yield Check(_player(player, own), partial(_read_player, player=player))
    for game in {play.game for play in plays}:
        own = [play for play in plays if play.game == game]
        numbers = {"plays": len(own), "players": len({play.player for play in own})}
        yield Check({Name("GAME", (game,)): numbers}, partial(_read_game, game=game))
        best = {player: max(p.score for p in own if p.player == player) for player in {p.player for p in own}}
        for player, score in best.items():
            ranked = {
                "rank": 1 + sum(other > score for other in best.values()),
                "score": score,
                "players": len(best),
                "tied": sum(other == score for other in best.values()) - 1,
            }
            yield Check({Name("SCORES", (game, player)): ranked}, partial(_read_standing, game=game, player=player))


def _player(player: str, plays: Sequence[Play]) -> Facts:
    games = {play.game for play in plays}
    awards = sum(play.award is not None for play in plays)
    facts: Facts = {Name("PLAYER", (player,)): {"plays": len(plays), "games": len(games), "awards": awards}}
    for game in games:
        own = [play for play in plays if play.game == game]
        first, last = (at.strftime("%Y-%m-%dT%H:%M:%S.000Z") for at in (own[0].at, own[-1].at))
        numbers = {"plays": len(own), "best": max(play.score for play in own), "first": first, "last": last}
        facts[Name("PLAYED", (player, game))] = numbers
    return facts


def _read_player(api: Api, player: str) -> Facts:
    facts: Facts = {}
    for page in pages(api, "players", player, "games"):
        if page["summary"]:
            facts[Name("PLAYER", (player,))] = page["summary"]
        for edge in page["games"]:
            facts[Name("PLAYED", (player, edge["game"]))] = fields(edge, "plays", "best", "first", "last")
    return facts


def _read_game(api: Api, game: str) -> Facts:
    found = get(api, "leaderboards", game)
    return {Name("GAME", (game,)): found["summary"]} if found and found["summary"] else {}


def _read_standing(api: Api, game: str, player: str) -> Facts:
    found = get(api, "leaderboards", game, "players", player)
    return {Name("SCORES", (game, player)): fields(found, "rank", "score", "players", "tied")} if found else {}
