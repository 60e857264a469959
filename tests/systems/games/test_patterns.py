"""Every read of games as it is sent, literally."""

from collections.abc import Sequence
from typing import Any

import pytest

from edgewise.dynamodb.queries import Query
from functions.systems.games import patterns as games_patterns
from tests.support.queries import BETWEEN, BY_NUMBER, PREFIX, sent


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ([games_patterns.player("Rick")], [sent("PLAYER#Rick", BETWEEN, low="EDGE#", high="GAME$")]),
        ([games_patterns.plays("Rick", "chess")], [sent("PLAYER#Rick", PREFIX, prefix="GAME#chess#")]),
        (
            games_patterns.award(["AWARD#Champ#1", "AWARD#Champ#2"]),
            [sent(f"AWARD#Champ#{shard}", "#pk = :pk", BY_NUMBER, False) for shard in (1, 2)],
        ),
        ([games_patterns.leaderboard("chess")], [sent("LEADERBOARD#chess", "#pk = :pk", BY_NUMBER, False)]),
    ],
)
def test_a_pattern_is_sent_as(pattern: Sequence[Query], expected: list[dict[str, Any]]) -> None:
    assert [query.request() for query in pattern] == expected
