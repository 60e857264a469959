"""Every read as it is sent, literally."""

from collections.abc import Sequence
from typing import Any

import pytest

from functions.dynamodb.attributes import Item
from functions.dynamodb.queries import Query
from functions.dynamodb.schema import BY_VALUE
from functions.systems.chat import patterns as chat_patterns
from functions.systems.chat.entity import Room
from functions.systems.games import patterns as games_patterns
from functions.systems.orders import patterns as orders_patterns
from functions.systems.places import patterns as places_patterns
from functions.systems.telemetry import patterns as telemetry_patterns

NOON = 1535544000000
ROOM = Room.starting_with("seattle", 2)
PREFIX, BETWEEN = "#pk = :pk AND begins_with(#sk, :prefix)", "#pk = :pk AND #sk BETWEEN :low AND :high"
TABLE, BY_TIME, BY_TARGET = ("PK", "SK", None), ("GSI1PK", "GSI1SK", "GSI1"), ("GSI2PK", "GSI2SK", "GSI2")
BY_NUMBER = ("GSI3PK", "GSI3SK", "GSI3")


def sent(
    partition: str, expression: str, where: tuple[str, str, str | None] = TABLE, forward: bool = True, **values: str
) -> dict[str, Any]:
    pk, sk, index = where
    request: dict[str, Any] = {
        "KeyConditionExpression": expression,
        "ExpressionAttributeNames": {"#pk": pk} | ({"#sk": sk} if values else {}),
        "ExpressionAttributeValues": {":pk": {"S": partition}} | {f":{name}": {"S": v} for name, v in values.items()},
        "ScanIndexForward": forward,
    }
    return request | ({"IndexName": index} if index else {})


def shards(expression: str, where: tuple[str, str, str | None], forward: bool = True, **values: str) -> list[Any]:
    return [sent(f"CHAT#seattle-{shard}", expression, where, forward, **values) for shard in (1, 2)]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ([telemetry_patterns.device("123")], [sent("DEVICE#123", PREFIX, prefix="EDGE#")]),
        ([chat_patterns.user_rooms("amy")], [sent("USER#amy", PREFIX, prefix="EDGE#")]),
        ([places_patterns.place(("US", "New York"))], [sent("PLACE#US#New$20York", PREFIX, prefix="EDGE#")]),
        ([chat_patterns.room("seattle")], [sent("ROOM#seattle", BETWEEN, low="EDGE#", high="META")]),
        ([chat_patterns.room_users("seattle")], [sent("ROOM#seattle", PREFIX, BY_TARGET, prefix="USER#")]),
        ([telemetry_patterns.device_events("1", None, None)], [sent("DEVICE#1", BETWEEN, low="EVENT#", high="EVENT$")]),
        (
            [telemetry_patterns.device_events("1", NOON, None)],
            [sent("DEVICE#1", BETWEEN, low="EVENT#2018-08-29T12:00:00.001Z", high="EVENT$")],
        ),
        (
            [telemetry_patterns.device_events("1", None, NOON, forward=False)],
            [sent("DEVICE#1", BETWEEN, forward=False, low="EVENT#", high="EVENT#2018-08-29T12:00:00.000Z")],
        ),
        (
            [telemetry_patterns.rollups("1", "HOUR", NOON, NOON + 4 * 3_600_000)],
            [
                sent(
                    "DEVICE#1",
                    BETWEEN,
                    low="ROLLUP#HOUR#2018-08-29T12:00:00.000Z",
                    high="ROLLUP#HOUR#2018-08-29T16:00:00.000Z",
                )
            ],
        ),
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
        ([orders_patterns.customer("Padma")], [sent("CUSTOMER#Padma", BETWEEN, low="EDGE#", high="ORDER$")]),
        ([orders_patterns.open_of("Padma", forward=False)], [sent("OPEN#Padma", "#pk = :pk", BY_NUMBER, False)]),
        (
            [orders_patterns.dated("Padma", NOON, None)],
            [sent("CUSTOMER#Padma", BETWEEN, BY_TARGET, low="ORDER#2018-08-29T12:00:00.000Z", high="ORDER$")],
        ),
        (
            orders_patterns.opened_between(NOON, None),
            [
                sent(f"OPEN_ORDERS#{shard}", BETWEEN, BY_TIME, low="2018-08-29T12:00:00.000Z", high=":")
                for shard in range(4)
            ],
        ),
        ([games_patterns.player("Rick")], [sent("PLAYER#Rick", BETWEEN, low="EDGE#", high="GAME$")]),
        ([games_patterns.plays("Rick", "chess")], [sent("PLAYER#Rick", PREFIX, prefix="GAME#chess#")]),
        ([games_patterns.award("Champ")], [sent("AWARD#Champ", "#pk = :pk", BY_NUMBER, False)]),
        ([games_patterns.leaderboard("chess")], [sent("LEADERBOARD#chess", "#pk = :pk", BY_NUMBER, False)]),
    ],
)
def test_a_pattern_is_sent_as(pattern: Sequence[Query], expected: list[dict[str, Any]]) -> None:
    assert [query.request() for query in pattern] == expected


def test_limit_consistency_and_start_are_sent_when_given() -> None:
    query = Query("DEVICE#1", limit=7, consistent=True, after={"PK": "DEVICE#1", "SK": "a"})
    assert query.request() == sent("DEVICE#1", "#pk = :pk") | {
        "Limit": 7,
        "ConsistentRead": True,
        "ExclusiveStartKey": {"PK": {"S": "DEVICE#1"}, "SK": {"S": "a"}},
    }


def test_a_position_on_an_index_holds_the_keys_of_both_and_moves_to_each_shard() -> None:
    query = Query("CHAT#seattle-2", index=BY_VALUE)
    item: Item = {name: {"S": name.lower()} for name in ("PK", "SK", "GSI1PK", "GSI1SK", "Text")}
    position = query.position(item)
    assert position == {"PK": "pk", "SK": "sk", "GSI1PK": "gsi1pk", "GSI1SK": "gsi1sk"}
    assert Query("CHAT#seattle-2", index=BY_VALUE, after=position).request()["ExclusiveStartKey"] == {
        "PK": {"S": "pk"},
        "SK": {"S": "sk"},
        "GSI1PK": {"S": "CHAT#seattle-2"},
        "GSI1SK": {"S": "gsi1sk"},
    }
