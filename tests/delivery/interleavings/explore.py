"""All histories of a scenario: every state once, the shortest way to each first."""

from array import array
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, count

from tests.delivery.interleavings.model import Model, Move, State
from tests.delivery.interleavings.programs import running
from tests.delivery.interleavings.scenario import Scenario
from tests.delivery.interleavings.tables import AssumedError
from tests.delivery.interleavings.telling import told


@dataclass(frozen=True)
class Explored:
    """How many states and histories there are; if one went wrong, a shortest one such as people can read it.

    `histories` are only counted to the end.
    """

    states: int
    histories: int
    wrong: str | None = None


def explore(scenario: Scenario) -> Explored:
    """Go through all histories, or until the first one that goes wrong."""
    with running(scenario) as consume:
        model = Model(scenario, consume)
        while True:
            with suppress(AssumedError):
                graph, wrong = _graph(model)
                break
        told_of = None if wrong is None else told(model, graph.way(model, wrong))
    return Explored(len(graph.numbers), graph.histories() if wrong is None else 0, told_of)


class _Graph:
    """The states by number, and the numbers of those that each leads to."""

    def __init__(self, first: State) -> None:
        self.numbers = {first: 0}
        self.after: list[array[int]] = []
        self.came_from = array("q", [-1])

    def add(self, number: int, states: Iterable[State]) -> Iterator[State]:
        """Take in what a state leads to, and give back what is new of it."""
        after = array("q")
        for state in states:
            known = self.numbers.setdefault(state, len(self.numbers))
            after.append(known)
            if known == len(self.came_from):
                self.came_from.append(number)
                yield state
        self.after.append(after)

    def histories(self) -> int:
        """How many ways there are from the first state to one without moves; every one ends."""
        coming, ways = array("q", bytes(8 * len(self.after))), [0] * len(self.after)
        for number in chain.from_iterable(self.after):
            coming[number] += 1
        ways[0], ready, ended, seen = 1, [0], 0, 0
        while ready:
            number = ready.pop()
            seen += 1
            ended += 0 if self.after[number] else ways[number]
            for after in self.after[number]:
                ways[after] += ways[number]
                coming[after] -= 1
                if not coming[after]:
                    ready.append(after)
        assert seen == len(self.after), "some histories go round in circles"
        return ended

    def way(self, model: Model, to: int) -> list[tuple[Move, State]]:
        """The moves of a shortest history that leads to a state."""
        states, way = list(self.numbers), []
        while (before := self.came_from[to]) >= 0:
            way.append(next(step for step in model.moves(states[before]) if step[1] == states[to]))
            to = before
        return way[::-1]


def _graph(model: Model) -> tuple[_Graph, int | None]:
    """All states, or those up to the first that is wrong, and its number."""
    first = model.begin()
    graph, waiting = _Graph(first), deque([first])
    for number in count():
        if not waiting:
            return graph, None
        state = waiting.popleft()
        if model.wrong(state):
            return graph, number
        waiting.extend(graph.add(number, (after for _, after in model.moves(state))))
    raise AssertionError
