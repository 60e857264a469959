"""Games on every engine: awards, leaderboards, and exact ranks in two requests."""

import random

import pytest

from docs.patterns import example
from edgewise.aggregates import collections
from edgewise.dynamodb.queries import Position
from edgewise.dynamodb.table import Table
from functions.systems.games import codec as games_codec
from functions.systems.games import patterns
from functions.systems.games import store as games
from functions.systems.games.entity import Play, Standing
from functions.systems.games.system import PLAYED, PLAYER
from tests.support.streams import Recording

NOON = 1535544000000


def play(player: str, score: int, award: str | None = None, number: int = 0) -> Play:
    return Play(player, "chess", NOON + number, score, award)


def store(table: Table, *plays: Play) -> None:
    """The plays with all that the stream makes of them."""
    example.store(table, *map(games_codec.play_item, plays))


def test_a_play_stays_whatever_else_is_sent_of_the_same_instant(engine: Recording) -> None:
    first = play("Rick", 1, "Champ")
    assert [games.create(engine, each) for each in (first, first, play("Rick", 2))] == [first] * 3
    player = patterns.player("Rick")
    assert collections.collection(engine, (PLAYER, PLAYED), player, 10, None, games_codec.play) == ([], [first], None)
    assert games.awarded(engine, "Champ", 10, None) == ([first], None)


@pytest.mark.parametrize("limit", [1, 2, 100])
def test_an_award_lists_its_plays_the_best_first_equals_included(engine: Recording, limit: int) -> None:
    scores = [-5, 10, 9, 10, 0, 10]
    won = [play(f"p{number}", score, "Champ") for number, score in enumerate(scores)]
    engine.put_many([games_codec.play_item(each) for each in [*won, play("Rick", 99), play("Rick", 98, "Other", 1)]])
    found: list[Play] = []
    after: Position | None = None
    while True:
        page, after = games.awarded(engine, "Champ", limit, after)
        found += page
        if after is None:
            break
    assert [each.score for each in found] == [10, 10, 10, 9, 0, -5]
    assert {each.player for each in found} == {each.player for each in won}
    assert set(map(str, found)) == set(map(str, won))


def test_leaderboard_and_ranks(engine: Recording) -> None:
    store(
        engine,
        play("Rick", 5),
        play("Rick", 9, number=1),
        play("Padma", 9),
        play("Amy", 10),
        play("Bob", -7),
        Play("Rick", "go", NOON, 1),
    )
    board = games.leaderboard(engine, "chess", 3)
    assert [score for _, score in board.best] == [10, 9, 9]
    assert {player for player, _ in board.best} == {"Amy", "Padma", "Rick"}
    assert {name: cell.count for name, cell in board.numbers.items()} == {"Plays": 5, "Players": 4}
    assert games.standing_of(engine, "Amy", "chess") == Standing(10, 1, 4, 0)
    assert games.standing_of(engine, "Rick", "chess") == Standing(9, 2, 4, 1)
    assert games.standing_of(engine, "Padma", "chess") == Standing(9, 2, 4, 1)
    assert games.standing_of(engine, "Bob", "chess") == Standing(-7, 4, 4, 0)
    assert games.standing_of(engine, "Rick", "go") == Standing(1, 1, 1, 0)
    assert games.standing_of(engine, "Amy", "go") is None


@pytest.mark.parametrize(
    ("engine", "players"), [("memory", 1000), ("moto", 60), ("dynamodb-local", 60)], indirect=["engine"]
)
def test_everyone_has_the_rank_of_a_sort(engine: Recording, players: int) -> None:
    chance = random.Random(7)
    best = {f"p{number}": chance.choice((number % 9, chance.randrange(-(2**38), 2**38))) for number in range(players)}
    store(engine, *(play(player, score) for player, score in best.items()))
    sort = sorted(best.values(), reverse=True)
    for player, score in best.items():
        expected = Standing(score, sort.index(score) + 1, len(best), sort.count(score) - 1)
        assert games.standing_of(engine, player, "chess") == expected


@pytest.mark.parametrize("players", [1, 300])
@pytest.mark.parametrize("engine", ["dynamodb-local"], indirect=True)
def test_a_rank_costs_the_same_among_any_number_of_players(engine: Recording, players: int) -> None:
    table = Table(engine.name, engine.client)
    store(table, *(play(f"p{number}", number * 1_000_003) for number in range(players)))
    table.usage.reset()
    assert games.standing_of(table, "p0", "chess") == Standing(0, players, players, 0)
    assert (table.usage.requests, table.usage.read_units) == (2, 3.5)


@pytest.mark.parametrize("engine", ["dynamodb-local"], indirect=True)
def test_the_sample_is_seven_items_of_which_three_are_in_the_index(engine: Recording) -> None:
    """Rick played three games and won one, Padma four and two."""
    rick = [play("Rick", score, "Champ" if score == 3 else None, score) for score in (1, 2, 3)]
    padma = [play("Padma", score, "Champ" if score > 2 else None, score) for score in (1, 2, 3, 4)]
    for each in rick + padma:
        games.create(engine, each)
    table = engine.client.describe_table(TableName=engine.name)["Table"]
    counts = {index["IndexName"]: index["ItemCount"] for index in table["GlobalSecondaryIndexes"]}
    assert (table["ItemCount"], counts["GSI3"]) == (7, 3)
