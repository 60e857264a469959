"""Keys of rooms and messages: as they are documented, and what stands before and behind them."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.aggregates import keys as aggregate_keys
from edgewise.dynamodb.keys import Key
from functions.catalog import CATALOG
from functions.systems.chat import keys as chat_keys
from tests.support.keys import NOON, instants, names


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (chat_keys.message("seattle", 1, "amsg", NOON, "id"), ("CHAT#seattle-1", "amsg#2018-08-29:12:00:00.000#id")),
        (chat_keys.METADATA("seattle"), ("ROOM#seattle", "META")),
        (chat_keys.message_guard("seattle", "amsg", "id"), ("MESSAGE-ID#seattle#amsg#id", "GUARD")),
        (chat_keys.POSTED_IN("amsg", "seattle"), ("USER#amsg", "EDGE#POSTED_IN#ROOM#seattle")),
    ],
)
def test_keys_read_as_they_are_documented(key: Key, expected: tuple[str, str]) -> None:
    assert key == expected


@pytest.mark.parametrize(
    ("aggregate", "expected"),
    [
        (("POSTED_IN", ("amy", "seattle")), ("USER#amy", "EDGE#POSTED_IN#ROOM#seattle")),
        (("ROOM", ("seattle",)), ("ROOM#seattle", "EDGE#")),
        (("USER", ("amy",)), ("USER#amy", "EDGE#")),
    ],
)
def test_an_aggregate_stands_with_its_node(aggregate: tuple[str, tuple[str, ...]], expected: tuple[str, str]) -> None:
    kind, parts = aggregate
    assert aggregate_keys.of(CATALOG.kinds[kind](*parts)) == expected


def test_the_index_by_time_inverts_the_template() -> None:
    assert chat_keys.message_by_time("amsg", NOON, "id") == "2018-08-29:12:00:00.000#amsg#id"


class TestRoundTrips:
    @given(room=names, shard=st.integers(1, 64), user=names, at=instants, message_id=names)
    def test_message(self, room: str, shard: int, user: str, at: int, message_id: str) -> None:
        key = chat_keys.message(room, shard, user, at, message_id)
        assert chat_keys.parse_message(*key) == (room, shard, user, at, message_id)

    @given(user=names, room=names)
    def test_user_posted_in_room(self, user: str, room: str) -> None:
        key = chat_keys.POSTED_IN(user, room)
        assert (aggregate_keys.entity(key.pk), aggregate_keys.edge_target(key.sk)) == ((user,), (room,))


@pytest.mark.parametrize(
    ("parse", "arguments"),
    [
        (chat_keys.parse_message, ("CHAT#seattle", "amy#2018-08-29:12:00:00.000#id")),
        (chat_keys.parse_message, ("CHAT#seattle-x", "amy#2018-08-29:12:00:00.000#id")),
        (chat_keys.parse_message, ("CHAT#seattle-1", "amy#2018-08-29:12:00:00.000")),
        (chat_keys.parse_message, ("ROOM#seattle-1", "amy#2018-08-29:12:00:00.000#id")),
    ],
)
def test_keys_of_another_kind_are_refused(parse: Callable[..., object], arguments: tuple[str, ...]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (says which key, or what is wrong with its parts)
        parse(*arguments)


class TestBorders:
    @given(at=instants, start=instants, end=instants, user=names, message_id=names)
    def test_messages_between_instants(self, at: int, start: int, end: int, user: str, message_id: str) -> None:
        wanted = start <= at < end
        for key, of in (
            (chat_keys.message("r", 1, user, at, message_id).sk, user),
            (chat_keys.message_by_time(user, at, message_id), None),
        ):
            low, high = chat_keys.messages_between(start, end, of)
            assert (low <= key <= high) == wanted
            assert chat_keys.messages_between(None, None, of)[0] <= key <= chat_keys.messages_between(None, None, of)[1]

    @given(user=names, other=names, at=instants)
    def test_messages_of_a_user_are_no_other_users(self, user: str, other: str, at: int) -> None:
        key = chat_keys.message("r", 1, other, at, "id").sk
        low, high = chat_keys.messages_between(None, None, user)
        assert (low <= key <= high) == (user == other) == key.startswith(chat_keys.messages_during("", user))

    @pytest.mark.parametrize(
        ("period", "found"),
        [
            ("2018", True),
            ("2018-08", True),
            ("2018-08-29", True),
            ("2018-08-29:12", True),
            ("2018-08-29T12", True),
            ("2018-08-29:12:00:00", True),
            ("2018-08-2", True),  # never asked for: is_period refuses it
            ("2018-09", False),
            ("2019", False),
            ("2018-08-29:13", False),
        ],
    )
    def test_a_period_is_a_prefix(self, period: str, found: bool) -> None:
        by_user, by_time = chat_keys.message("r", 1, "amy", NOON, "id").sk, chat_keys.message_by_time("amy", NOON, "id")
        assert by_user.startswith(chat_keys.messages_during(period, "amy")) is found
        assert by_time.startswith(chat_keys.messages_during(period)) is found
