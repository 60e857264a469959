"""Plays as items and back: everything a source holds survives."""

from hypothesis import given
from hypothesis import strategies as st

from functions.dynamodb.attributes import Item
from functions.systems.games import codec as games_codec
from functions.systems.games.entity import SCORE_LIMIT, Play, Played
from tests.support.items import NOON, instants, names


@given(st.builds(Play, names, names, instants, st.integers(1 - SCORE_LIMIT, SCORE_LIMIT - 1), st.none() | names))
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
    won = {"Award": {"S": "Champ"}, "GSI3PK": {"S": "AWARD#Champ"}, "GSI3SK": {"N": "-5"}}
    assert games_codec.play_item(Play("Rick", "chess", NOON, -5)) == plain
    assert games_codec.play_item(Play("Rick", "chess", NOON, -5, "Champ")) == plain | won


def played_item(count: str) -> Item:
    edge: Item = {"PK": {"S": "PLAYER#Rick"}, "SK": {"S": "EDGE#PLAYED#GAME#chess"}}
    return edge | {"Cells": {"M": {"Count": {"S": count}}}}


def test_an_edge_to_a_game_knows_the_best_score() -> None:
    assert games_codec.played(played_item("-5@1535544000")) == Played("Rick", "chess", 1, -5)
    assert games_codec.played(played_item("3 6 -5 9 2@1535544000 9@1535544001")) == Played("Rick", "chess", 3, 9)
    assert games_codec.played(played_item("-1 -5")) is None
    assert games_codec.played(played_item("3 6")) == Played("Rick", "chess", 3, None), "it is being recounted"
