from typing import Any

import pytest

from ops.api import Api, BusyError
from ops.recounting.feed import BATCH, RejectedError, chat_requests, post_all, telemetry_requests
from ops.recounting.samples import Message, Reading


class FakeApi(Api):
    """It has no time for requests with more than so many items."""

    def __init__(self, rejected: int = 0, most: int = BATCH) -> None:
        super().__init__("http://nowhere", lambda: "token", connections=1)
        self._most = most
        self.given_up: list[int] = []
        self.posted: list[tuple[tuple[str, ...], dict[str, Any]]] = []
        self._rejected = rejected

    def post(self, *path: str, body: dict[str, Any]) -> dict[str, Any]:
        (items,) = body.values()
        if len(items) > self._most:
            self.given_up.append(len(items))
            raise BusyError("503")
        self.posted.append((path, body))
        return {"accepted": len(items) - self._rejected, "rejected": ["why"] * self._rejected}


def test_readings_go_in_requests_of_what_the_api_takes() -> None:
    readings = [Reading("a", f"{number}", ("US",), {}) for number in range(BATCH + 1)]
    assert [len(request.items) for request in telemetry_requests(readings)] == [BATCH, 1]


def test_messages_go_to_their_room() -> None:
    messages = [
        Message("r1", "amy", "t", "0", "x"),
        Message("r1", "bob", "t", "1", "y"),
        Message("r2", "amy", "t", "0", "z"),
    ]
    api, stored = FakeApi(), list[int]()
    post_all(api, chat_requests(messages), stored.append)
    assert {path for path, _ in api.posted} == {("rooms", "r1", "messages"), ("rooms", "r2", "messages")}
    assert sorted(stored) == [1, 2]


def test_what_a_busy_server_has_no_time_for_is_sent_in_parts() -> None:
    messages = [Message("r1", "amy", f"{number}", f"{number}", "x") for number in range(7)]
    api, stored = FakeApi(most=2), list[int]()
    post_all(api, chat_requests(messages), stored.append)
    assert [len(body["messages"]) for _, body in api.posted] == [1, 2, 2, 2]
    assert [each["sent_at"] for _, body in api.posted for each in body["messages"]] == list("0123456")
    assert stored == [7]


def test_what_a_busy_server_had_no_time_for_is_rarely_tried_again() -> None:
    """Each batch whole first would be 500, 250, 125 and 63 for each of 30 batches: 450 requests that are given up."""
    readings = [Reading("a", f"{number}", ("US",), {}) for number in range(30 * BATCH)]
    api = FakeApi(most=40)
    post_all(api, telemetry_requests(readings), lambda _: None)
    posted = [len(body["events"]) for _, body in api.posted]
    assert sum(posted) == 30 * BATCH
    assert len(api.given_up) < len(posted) / 4
    assert max(posted[20:]) > 20  # and it recovers


def test_a_server_that_has_no_time_for_a_single_item_ends_the_feeding() -> None:
    with pytest.raises(BusyError):
        post_all(FakeApi(most=0), telemetry_requests([Reading("a", "t", ("US",), {})]), lambda _: None)


def test_a_rejected_item_ends_the_feeding() -> None:
    readings = [Reading("a", "t", ("US",), {})]
    with pytest.raises(RejectedError, match="0 of 1 accepted"):
        post_all(FakeApi(rejected=1), telemetry_requests(readings), lambda _: None)
