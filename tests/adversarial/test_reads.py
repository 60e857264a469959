"""What people store must not keep others from reading it."""

from functions.systems.chat.models import MAX_TEXT
from functions.web.paging import MAX_LIMIT
from tests.adversarial.cases.case import CALLER
from tests.adversarial.test_refused import ANSWER_BYTES
from tests.support.streams import StreamedMemory

SHARDS, MESSAGES, A_REQUEST = 16, 60, 5


def message(number: int) -> dict[str, object]:
    return {"text": "\U0001f600" * MAX_TEXT, "user": f"u{number % 7}", "sent_at": number, "message_id": f"{number}"}


def test_a_room_full_of_the_longest_messages_is_read_in_pages_that_fit_an_answer(table: StreamedMemory) -> None:
    """A shard gives 1 MB at once, and a room has many."""
    CALLER.call("PUT /rooms/{room}", None, {"shards": SHARDS}, room="r")
    for start in range(0, MESSAGES, A_REQUEST):
        body = {"messages": [message(number) for number in range(start, start + A_REQUEST)]}
        assert CALLER.call("POST /rooms/{room}/messages", None, body, room="r").body["accepted"] == A_REQUEST
    found: list[str] = []
    query = {"limit": f"{MAX_LIMIT}"}
    while True:
        answer = CALLER.call("GET /rooms/{room}/messages", query, room="r")
        assert answer.status == 200
        assert sum(len(each["text"].encode()) for each in answer.body["messages"]) < ANSWER_BYTES / 2
        found += [each["message_id"] for each in answer.body["messages"]]
        if answer.body["cursor"] is None:
            break
        query["cursor"] = answer.body["cursor"]
    assert found == [f"{number}" for number in range(MESSAGES)]
