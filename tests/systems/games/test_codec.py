"""Plays as items and back: everything a source holds survives."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from edgewise.dynamodb.attributes import Item
from functions.systems.games import codec as games_codec
from functions.systems.games.entity import SCORE_LIMIT, Play, Played, Score, scored
from tests.support.items import NOON, instants, names

FINE = st.decimals(1 - 2**39, 2**39 - 1, places=6) | st.integers(-9999, 9999).map(lambda each: Decimal(each) / 1000)
SCORES = st.integers(-SCORE_LIMIT, SCORE_LIMIT) | st.integers(-9, 9) | FINE.map(scored)


@given(st.builds(Play, names, names, instants, SCORES, st.none() | names))
def test_play(play: Play) -> None:
    item = games_codec.play_item(play)
    assert games_codec.play(item) == play
    if play.award is not None:
        entry = {name: item[name] for name in ("PK", "SK", "Type", "GSI3PK", "GSI3SK")}
        assert games_codec.awarded(play.award, entry) == play


def test_only_a_play_with_an_award_stands_in_the_index() -> None:
    plain = {
        "PK": {"S": "PLAYER#Rick"},
        "SK": {"S": "GAME#chess#2018-08-29T12:00:00.000Z"},
        "Type": {"S": "PLAY"},
        "Score": {"N": "-5"},
    }
    won = {"Award": {"S": "Champ"}, "GSI3PK": {"S": "AWARD#Champ#2"}}
    assert games_codec.play_item(Play("Rick", "chess", NOON, -5)) == plain
    item = games_codec.play_item(Play("Rick", "chess", NOON, -5, "Champ"), 2)
    place = Decimal(item.pop("GSI3SK")["N"])
    assert item == plain | won
    assert -5 <= place < -4


@given(st.lists(st.tuples(SCORES, names, instants), unique=True))
def test_an_award_sorts_by_score_and_no_two_plays_alike(plays: list[tuple[Score, str, int]]) -> None:
    won = [Play(player, "g", at, score, "Champ") for score, player, at in plays]
    entries = [games_codec.play_item(each) for each in won]
    by_place = sorted(entries, key=lambda item: Decimal(item["GSI3SK"]["N"]))
    assert [Decimal(item["Score"]["N"]) for item in by_place] == sorted(each.score for each in won)
    keys = {(each.player, each.at) for each in won}
    assert len({item["GSI3SK"]["N"] for item in entries}) >= len(keys)
    assert all(len(item["GSI3SK"]["N"].strip("-0.").replace(".", "")) <= 38 for item in entries)


def played_item(count: str) -> Item:
    edge: Item = {"PK": {"S": "PLAYER#Rick"}, "SK": {"S": "EDGE#PLAYED#GAME#chess"}}
    return edge | {"Cells": {"M": {"Count": {"S": count}}}}


def test_an_edge_to_a_game_knows_the_best_score() -> None:
    assert games_codec.played(played_item("-5@1535544000")) == Played("Rick", "chess", 1, -5)
    assert games_codec.played(played_item("3 6 -5 9 2@1535544000 9@1535544001")) == Played("Rick", "chess", 3, 9)
    assert games_codec.played(played_item("-1 -5")) is None
    assert games_codec.played(played_item("3 6")) == Played("Rick", "chess", 3, None), "it is being recounted"
