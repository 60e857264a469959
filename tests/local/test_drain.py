"""A drain waits for all that was written, and for what follows from it, pass by pass."""

import pytest

from local import drain as drains
from local.drain import PASSES, drain
from ops.local_cloud import Cloud


class Stream:
    """Each record has as many followers, one after the other, as are left; a look at it takes the delivery one on.

    `busy`: somebody else writes between any two looks.
    """

    def __init__(self, followers: int, *, busy: bool = False) -> None:
        self.newest, self.delivered = 1, 0
        self._followers, self._busy = followers, busy

    def news(self, _: Cloud) -> int:
        return self.newest

    def is_done(self, _: Cloud, upto: int) -> bool:
        self.newest += self._busy
        if self.delivered < upto:
            self.delivered += 1
            if self._followers:
                self._followers, self.newest = self._followers - 1, self.newest + 1
            return False
        return True


def drained(stream: Stream, monkeypatch: pytest.MonkeyPatch) -> int:
    """After how many passes the drain has ended."""
    monkeypatch.setattr(drains, "running", stream)
    monkeypatch.setattr(stream, "left", lambda _: 0, raising=False)
    monkeypatch.setattr("ops.processes.SOON_SECONDS", 0)
    passes: list[int] = []
    drain(Cloud(1), passes.append)
    return sum(passes)


@pytest.mark.parametrize("followers", [0, 1, 3])
def test_it_ends_with_the_first_pass_from_which_nothing_follows(
    followers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = Stream(followers)
    assert drained(stream, monkeypatch) == followers + 1
    assert stream.delivered == stream.newest == followers + 1


def test_those_who_go_on_writing_are_not_waited_for_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    assert drained(Stream(0, busy=True), monkeypatch) == PASSES


def test_there_is_a_pass_for_each_hop_of_the_longest_way() -> None:
    """From a reading over its device, the edge to its place, and that one's edges above, by carriers, to all places."""
    assert 1 + len(["device", "edge", "edge above", "carrier", "place"]) == PASSES
