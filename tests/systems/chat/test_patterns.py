"""Every read of rooms and messages as it is sent, literally."""

from collections.abc import Sequence
from typing import Any

import pytest

from edgewise.dynamodb.queries import Query
from functions.systems.chat import patterns as chat_patterns
from functions.systems.chat.entity import Room
from tests.support.queries import BETWEEN, BY_TARGET, BY_TIME, PREFIX, TABLE, sent

NOON = 1535544000000
ROOM = Room.starting_with("seattle", 2)


def shards(expression: str, where: tuple[str, str, str | None], forward: bool = True, **values: str) -> list[Any]:
    return [sent(f"CHAT#seattle-{shard}", expression, where, forward, **values) for shard in (1, 2)]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ([chat_patterns.user_rooms("amy")], [sent("USER#amy", PREFIX, prefix="EDGE#")]),
        (
            [chat_patterns.user_messages("amy", None, NOON, forward=False)],
            [sent("USER#amy", BETWEEN, BY_TARGET, False, low="0", high="2018-08-29:12:00:00.000")],
        ),
        ([chat_patterns.room("seattle")], [sent("ROOM#seattle", BETWEEN, low="EDGE#", high="META")]),
        ([chat_patterns.room_users("seattle")], [sent("ROOM#seattle", PREFIX, BY_TARGET, prefix="USER#")]),
        (chat_patterns.messages_during(ROOM, "2018-08", None), shards(PREFIX, BY_TIME, prefix="2018-08")),
        (chat_patterns.messages_during(ROOM, "2018-08", "amsg"), shards(PREFIX, TABLE, prefix="amsg#2018-08")),
        (chat_patterns.messages_during(ROOM, "", "amsg", forward=False), shards(PREFIX, TABLE, False, prefix="amsg#")),
        (chat_patterns.messages_during(ROOM, "", None), shards("#pk = :pk", BY_TIME)),
        (
            chat_patterns.messages_between(ROOM, NOON, None, None),
            shards(BETWEEN, BY_TIME, low="2018-08-29:12:00:00.000", high=":"),
        ),
        (
            chat_patterns.messages_between(ROOM, None, NOON, "amsg"),
            shards(BETWEEN, TABLE, low="amsg#0", high="amsg#2018-08-29:12:00:00.000"),
        ),
    ],
)
def test_a_pattern_is_sent_as(pattern: Sequence[Query], expected: list[dict[str, Any]]) -> None:
    assert [query.request() for query in pattern] == expected
