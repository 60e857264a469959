"""How far follow-ups are: what is told stays true while some take long, and where shards end."""

from edgewise.dynamodb.keys import Key
from edgewise.freshness import followed, unfinished
from edgewise.freshness.followed import FollowedUp, followed_up
from edgewise.freshness.hops import Hop
from edgewise.freshness.known import Known
from edgewise.freshness.shards import NO_PARENT, Shards
from edgewise.freshness.watermarks import Followed, Reached, Watermark
from edgewise.times import HOUR, SECOND, Millis
from functions.replay.memory import MemoryTable

T, MINUTE = 1_535_544_000_000, 60 * SECOND
PASS, OTHER = Key("NODE#host#a", "PASS#out#RUNS"), Key("NODE#host#b", "PASS#out#RUNS")


def told(*moments: tuple[Millis, Millis], name: str = "x") -> FollowedUp:
    found = FollowedUp(name)
    for at, until in moments:
        found = found.moved(at, until, None)
    return found


def consumed(shard: str, *names: str, until: Millis) -> Watermark:
    return Watermark(shard, 1, (Reached(until + 1, until, until, until),), names)


def test_it_comes_back() -> None:
    found = told((T, T - 1), (T + MINUTE, T + 50 * SECOND))
    assert followed_up(followed.replacing(found).item) == found


def test_nothing_new_is_told_of_what_came_before_the_oldest_that_is_unfinished() -> None:
    before = told((T, T - 1), (T + MINUTE, T + 50 * SECOND))
    assert before.moved(T + HOUR, T + HOUR - 1, T + 30 * SECOND).history[-1] == Followed(T + HOUR, T - 1)
    assert before.moved(T + HOUR, T + HOUR - 1, T + 2 * MINUTE).history[-1] == Followed(T + HOUR, T + 50 * SECOND)
    assert before.moved(T + HOUR, T - 5, T + 2 * MINUTE).history[-1] == Followed(T + HOUR, T - 5)


def test_who_had_told_nothing_before_goes_on_telling_nothing() -> None:
    assert told().moved(T, T - 1, T - HOUR) == told()
    assert told((T, T - 1)).moved(T + HOUR, T + HOUR, T) == told((T, T - 1))


def test_the_oldest_that_is_unfinished_is_found_until_it_is_done() -> None:
    table = MemoryTable()
    assert unfinished.oldest(table) is None
    for begun, what in ((T + SECOND, OTHER), (T, PASS)):
        table.write(unfinished.noted(begun, what))
    assert unfinished.oldest(table) == T
    table.write(unfinished.done(T, PASS))
    assert unfinished.oldest(table) == T + SECOND


def as_of(known: Known) -> Millis | None:
    return known.as_of([(Hop.FOLLOWED,)], T + HOUR)


def test_what_comes_with_a_shards_heartbeat_is_of_that_shard() -> None:
    both = Shards(1, {"a": NO_PARENT, "b": NO_PARENT})
    marks = {shard: consumed(shard, name, until=T + MINUTE) for shard, name in (("a", "x"), ("b", "y"))}
    found = {"x": told((T + MINUTE, T)), "y": told((T + MINUTE, T - SECOND), name="y")}
    assert as_of(Known(both, marks, found)) == T - SECOND
    assert as_of(Known(both, marks, {"x": found["x"]})) is None


def test_no_child_inherits_what_the_heartbeat_of_its_parent_tells_of_another_one() -> None:
    """The parent was read until T; its heartbeat goes on in one of two children, and nobody knows the other one's."""
    found = {"x": told((T + 2 * MINUTE, T + MINUTE))}
    marks = {"parent": consumed("parent", "x", until=T), "a": consumed("a", "x", until=T + MINUTE)}
    assert as_of(Known(Shards(1, {"a": "parent", "b": "parent"}), marks, found)) == T
    assert as_of(Known(Shards(1, {"a": "parent"}), marks, found)) == T + MINUTE
    assert as_of(Known(Shards(1, {"parent": NO_PARENT}), {"parent": marks["parent"]}, found)) == T
