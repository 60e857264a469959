"""An aggregate that is never at rest is right once it equals its sources; at rest it must equal them."""

from collections.abc import Callable, Iterable

import pytest

from edgewise import clock
from edgewise.aggregates import keys
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import COUNT, Cell
from edgewise.aggregates.stored import aggregate_item
from edgewise.dynamodb.attributes import integer
from edgewise.stream.watching import Watched, watch
from functions.replay.memory import MemoryTable
from functions.systems.chat.system import POSTED_IN, USER
from tests.support.streams import PRESENT

AMY, BOB = USER("amy"), USER("bob")
REST = 10_000
Step = Callable[[], None]


class World(MemoryTable):
    """Users whose edges say how many messages they have sent, and a clock: each pause lasts a second."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        self.now = PRESENT
        monkeypatch.setattr(clock, "now", lambda: self.now)

    def send(self, user: AggregateId, messages: int) -> None:
        self._store(POSTED_IN(*user.dimensions, "seattle"), {COUNT: Cell(messages)})

    def count(self, user: AggregateId, messages: int) -> None:
        self._store(user, {"Messages": Cell(messages), "Rooms": Cell(1)})

    def watched(self, users: Iterable[AggregateId], *steps: Step, seconds: int = 30) -> Watched:
        """Each of the steps is taken in one of the first pauses; there is time for so many."""
        coming, end = iter(steps), self.now + 1000 * seconds

        def pause() -> None:
            self.now += 1000
            next(coming, lambda: None)()

        return watch(self, list(users), REST, pause, lambda: self.now < end)

    def _store(self, about: AggregateId, cells: dict[str, Cell]) -> None:
        found = self.get(keys.of(about))
        version = integer(found["Version"]) + 1 if found else 1
        self.put_many([aggregate_item(Aggregate(about, version, cells))])


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    """Amy has sent three messages and bob four; all are counted."""
    found = World(monkeypatch)
    for user, messages in ((AMY, 3), (BOB, 4)):
        found.send(user, messages)
        found.count(user, messages)
    return found


def test_right_at_once(world: World) -> None:
    assert world.watched([AMY, BOB]) == Watched(right=2)
    assert world.now == PRESENT + 1000


def test_one_moment_without_changes_under_way_is_enough(world: World) -> None:
    world.send(AMY, 5)

    def catch_up() -> None:
        world.count(AMY, 5)

    assert world.watched([AMY], lambda: world.send(AMY, 6), lambda: world.send(AMY, 5), catch_up) == Watched(right=1)


def test_what_differs_at_rest_is_wrong(world: World) -> None:
    world.count(AMY, 2)
    found = world.watched([AMY, BOB])
    assert (found.right, list(found.busy)) == (1, [])
    assert [each.differing for each in found.wrong] == [({"Messages": "3"}, {"Messages": "2"})]
    assert world.now - PRESENT == REST + 1000


def test_a_change_of_its_sources_begins_the_rest_anew(world: World) -> None:
    """The consumer has nine seconds left to absorb it."""
    world.count(AMY, 2)
    rests = [lambda: None] * 8
    found = world.watched([AMY], *rests, lambda: world.send(AMY, 4), *rests, lambda: world.count(AMY, 4))
    assert found == Watched(right=1)


def test_one_that_always_has_something_to_absorb_is_busy(world: World) -> None:
    def step(number: int) -> Step:
        def change() -> None:
            world.send(AMY, 10 + number)
            world.count(AMY, 9 + number)

        return change

    step(0)()
    found = world.watched([AMY], *map(step, range(1, 30)))
    assert (found.right, found.wrong, found.busy) == (0, [], [AMY])


def test_without_time_nothing_is_said(world: World) -> None:
    assert world.watched([AMY], seconds=0) == Watched(busy=[AMY])
