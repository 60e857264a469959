"""Which changes of the table are news, and to whom."""

import json
from dataclasses import replace
from typing import Any

import pytest

from edgewise.aggregates import keys
from edgewise.aggregates.catalog import DeclarationError
from edgewise.dynamodb.attributes import key_of, s, string
from functions.catalog import CATALOG, FOLLOW_UPS, TOPICS
from functions.owned import Withdrawal, tombstone
from functions.push.topics import News
from functions.system import Live, Route
from functions.systems.chat import codec as chat
from functions.systems.chat.entity import Message
from functions.systems.chat.models import MessageOut
from tests.support import examples
from tests.support.streams import PRESENT

MESSAGE = Message("harbour", 1, "amy", PRESENT, "m1", 'He said "hi" \N{GRINNING FACE} \uffff')
# Types of items whose changes are news, and whether those are the topic of the item's own partition.
OWN = {"DEVICE", "REPORTED_FROM", "ROLLUP_HOUR", "ROLLUP_DAY", "PLACE", "HOSTS", "ROOM", "DEGREE", "ADJACENT"}


def record(new: Any, old: Any = None) -> dict[str, Any]:
    return {"dynamodb": {name: image for name, image in (("NewImage", new), ("OldImage", old)) if image}}


def test_a_message_is_news_to_its_room_whatever_its_shard_as_the_api_shows_it() -> None:
    for shard in (1, 7):
        (news,) = TOPICS.news(record(chat.message_item(replace(MESSAGE, shard=shard))))
        assert news.topic == "CHAT#harbour"
        shown = MessageOut.model_validate_json(news.shown)
        assert (shown.message_id, shown.user, shown.text) == ("m1", "amy", MESSAGE.text)
        assert json.loads(news.shown).keys() == MessageOut.model_fields.keys()


def test_a_message_that_is_removed_is_no_news() -> None:
    assert TOPICS.news(record(None, chat.message_item(MESSAGE))) == []


def test_a_message_that_is_withdrawn_is_named_and_neither_shown_nor_new() -> None:
    item = chat.message_item(MESSAGE)
    (news,) = TOPICS.news(record(tombstone(item, Withdrawal("amy", PRESENT)), item))
    assert (news.topic, news.withdrawn) == ("CHAT#harbour", True)
    assert json.loads(news.shown) == {"message_id": "m1", "user": "amy", "sent_at": "2018-08-29T12:01:00.000Z"}


@pytest.mark.parametrize("kind", sorted(OWN))
def test_an_aggregate_is_news_to_its_partition_when_it_changes_and_when_it_goes(kind: str) -> None:
    stored = [item for item in examples.stored() if string(item["Type"]) == kind]
    assert stored
    for item in stored:
        told = TOPICS.news(record(item))
        assert News(key_of(item).pk) in told
        assert TOPICS.news(record(None, item)) == told
        assert TOPICS.news(record(item, item)) == told


def test_a_nodes_degree_is_news_to_its_ranking_too() -> None:
    found = [item for item in examples.stored() if string(item["Type"]) == "DEGREE"]
    directions = set()
    for item in found:
        own, ranking = [news.topic for news in TOPICS.news(record(item))]
        assert own == key_of(item).pk
        name, label, direction = ranking.split("#")
        assert name == "RANK"
        assert label in key_of(item).sk
        directions.add(direction)
    assert directions == {"in", "out"}


def test_a_places_numbers_are_news_to_it_and_to_the_place_around_it() -> None:
    """They stand in the list of the place around it; those of a root in its own partition."""
    for place, topics in ((("US", "Texas"), {"PLACE#US", "PLACE#US#Texas"}), (("US",), {"PLACE#US"})):
        pk, sk = keys.of(CATALOG.kinds["PLACE"](place))
        told = TOPICS.news(record({"PK": s(pk), "SK": s(sk), "Type": s("PLACE")}))
        assert sorted(told) == [News(topic) for topic in sorted(topics)]


def test_nothing_else_is_news() -> None:
    assert OWN | {"ALERT", "MESSAGE", "RANKING"} == TOPICS.types
    for item in examples.stored():
        if string(item["Type"]) not in TOPICS.types:
            assert TOPICS.news(record(item)) == []


@pytest.mark.parametrize(
    "foreign",
    [
        {},
        {"dynamodb": None},
        {"dynamodb": {}},
        {"dynamodb": {"NewImage": {}}},
        {"dynamodb": {"NewImage": {"Type": {"S": "MESSAGE"}}}},
        {"dynamodb": {"NewImage": {"Type": {"N": "1"}}}},
        {"dynamodb": {"NewImage": {"Type": {"S": "DEGREE"}, "PK": {"S": "NODE#x"}, "SK": {"S": "?"}}}},
        {"dynamodb": {"NewImage": {"Type": {"S": "DEVICE"}, "PK": {"N": "1"}}}},
    ],
)
def test_a_record_that_nobody_understands_is_no_news_and_no_failure(foreign: Any) -> None:
    assert TOPICS.news(foreign) == []


def test_the_reader_is_sent_what_is_news() -> None:
    """Else the filter drops it, whatever is subscribed to."""
    assert {"MESSAGE"} | set(CATALOG.kinds) & TOPICS.types <= TOPICS.types
    assert not TOPICS.types & {"TICKET", "CONNECTION", "SUBSCRIPTION"}
    assert {"TICKET", "CONNECTION", "SUBSCRIPTION"} <= set(FOLLOW_UPS.undelivered_types)


def test_what_only_a_group_may_read_nobody_subscribes_to() -> None:
    with pytest.raises(DeclarationError, match="GET /secrets is for members of a group"):
        Route("GET /secrets", "", group="admin", live=Live(lambda: "", {}))
