"""What is sent: how often, in which rounds, and what was not taken."""

from random import Random
from typing import Any

import pytest

from ops.api import Answer, Api
from verify.sending import RefusedError, rounds, send_all
from verify.share import Request, Share


class Taking(Api):
    """An API that takes so many items of each request."""

    def __init__(self, accepted: int) -> None:
        self.accepted, self.sent = accepted, list[str]()

    def call(self, method: str, *path: str, body: Any = None, **parameters: str | int) -> Answer:
        self.sent.append(path[0])
        return Answer(path[0], {"accepted": self.accepted}, "2", "0.5", "3")


def share(name: str, rounds_: int) -> Share:
    return Share(name, [[Request("PUT", (f"{name} {number}",))] for number in range(rounds_)], [], [])


def test_the_rounds_of_all_shares_go_together_and_the_last_ones_alone() -> None:
    together = rounds([share("a", 1), share("b", 2)], Random(1))
    assert [sorted(request.path[0] for request in requests) for requests in together] == [["a 0", "b 0"], ["b 1"]]


def test_each_request_is_sent_as_often_as_it_says_and_its_cost_is_added_up() -> None:
    api = Taking(accepted=2)
    cost = send_all(api, [Request("POST", ("x",), {}, accepted=2, times=3), Request("PUT", ("y",))], lambda _: None)
    assert sorted(api.sent) == ["x", "x", "x", "y"]
    assert cost == {"requests": 4000, "read units": 2000, "write units": 12000}


def test_what_was_not_taken_is_told() -> None:
    with pytest.raises(RefusedError, match="accepted 1 of 2"):
        send_all(Taking(accepted=1), [Request("POST", ("x",), {}, accepted=2)], lambda _: None)
