"""Queries as they are sent, literally."""

from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.queries import Query
from edgewise.dynamodb.schema import BY_VALUE
from tests.support.queries import sent


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
