"""Keys of games: as they are documented, and what stands before and behind them."""

from collections.abc import Callable

import pytest
from hypothesis import given

from edgewise.aggregates import keys as aggregate_keys
from edgewise.dynamodb.keys import Key
from functions.catalog import CATALOG
from functions.systems.games import keys as games_keys
from tests.support.keys import NOON, instants, names


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (games_keys.PLAY("Rick", "chess", NOON), ("PLAYER#Rick", "GAME#chess#2018-08-29T12:00:00.000Z")),
        (games_keys.PLAYED("Rick", "chess"), ("PLAYER#Rick", "EDGE#PLAYED#GAME#chess")),
        (games_keys.SCORES("chess", ""), ("GAME#chess", "SCORES#")),
        (games_keys.SCORES("chess", "8000"), ("GAME#chess", "SCORES#8000")),
    ],
)
def test_keys_read_as_they_are_documented(key: Key, expected: tuple[str, str]) -> None:
    assert key == expected


@pytest.mark.parametrize(
    ("aggregate", "expected"),
    [
        (("PLAYER", ("Rick",)), ("PLAYER#Rick", "EDGE#")),
        (("GAME", ("chess",)), ("GAME#chess", "EDGE#")),
        (("SCORES", ("chess", "80")), ("GAME#chess", "SCORES#80")),
    ],
)
def test_an_aggregate_stands_with_its_node(aggregate: tuple[str, tuple[str, ...]], expected: tuple[str, str]) -> None:
    kind, parts = aggregate
    assert aggregate_keys.of(CATALOG.kinds[kind](*parts)) == expected


class TestRoundTrips:
    @given(player=names, game=names, at=instants)
    def test_play(self, player: str, game: str, at: int) -> None:
        assert games_keys.PLAY.parse(*games_keys.PLAY(player, game, at)) == (player, game, at)
        assert games_keys.PLAYED.parse(*games_keys.PLAYED(player, game)) == (player, game)


@pytest.mark.parametrize(
    ("parse", "arguments"),
    [
        (games_keys.PLAY.parse, ("PLAYER#a", "GAME#chess")),
        (games_keys.PLAY.parse, ("GAME#a", "GAME#chess#2018-08-29T12:00:00.000Z")),
        (games_keys.PLAYED.parse, ("PLAYER#a", "EDGE#")),
        (games_keys.PLAYED.parse, ("CUSTOMER#a", "EDGE#PLAYED#GAME#chess")),
    ],
)
def test_keys_of_another_kind_are_refused(parse: Callable[..., object], arguments: tuple[str, ...]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (says which key, or what is wrong with its parts)
        parse(*arguments)
