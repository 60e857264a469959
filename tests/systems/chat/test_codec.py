"""Messages and rooms as items and back: everything a source holds survives."""

from hypothesis import given
from hypothesis import strategies as st

from edgewise.sharding.sharding import Widening
from functions.systems.chat import codec as chat_codec
from functions.systems.chat.entity import Message, Room
from tests.support.items import NOON, instants, names


@given(st.builds(Message, names, st.integers(1, 64), names, instants, names, st.text()))
def test_message(message: Message) -> None:
    assert chat_codec.message(chat_codec.message_item(message)) == message


steps = st.lists(st.builds(Widening, instants, st.integers(1, 64)), min_size=1).map(tuple)


@given(st.builds(Room, names, steps, st.integers(1, 99)))
def test_room(room: Room) -> None:
    assert chat_codec.room(chat_codec.room_item(room)) == room


def test_a_message_stands_in_two_indexes_with_its_text() -> None:
    assert chat_codec.message_item(Message("seattle", 1, "amsg", NOON, "id", "hi")) == {
        "PK": {"S": "CHAT#seattle-1"},
        "SK": {"S": "amsg#2018-08-29:12:00:00.000#id"},
        "Type": {"S": "MESSAGE"},
        "Text": {"S": "hi"},
        "GSI1PK": {"S": "CHAT#seattle-1"},
        "GSI1SK": {"S": "2018-08-29:12:00:00.000#amsg#id"},
        "GSI2PK": {"S": "USER#amsg"},
        "GSI2SK": {"S": "2018-08-29:12:00:00.000#seattle#id"},
    }
