"""Rules by which a node's state and measures follow from those of its neighbours."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from edgewise import Cell
from functions.systems.graph.entity import MEASURE, STATE, Direction, State

# What the neighbours come to: the cells of ADJACENT.
Cells = Mapping[str, Cell]
Condition = Callable[[Cells], bool]
Number = Callable[[Cells], Decimal]

_NOTHING = Cell()


def in_state(*states: str) -> Number:
    """How many neighbours are in one of these states."""
    return lambda cells: Decimal(sum(cells.get(STATE + each, _NOTHING).count for each in states))


def sum_of(measure: str) -> Number:
    """The sum of a measure."""
    return lambda cells: cells.get(MEASURE + measure, _NOTHING).total


def at_least(number: Number, bound: int | Decimal) -> Condition:
    """Whether a number is this great."""
    return lambda cells: number(cells) >= bound


def share_of(number: Number, bound: Decimal) -> Condition:
    """Whether a number is this great a share of all neighbours that have a state; 1: all of them."""
    return lambda cells: number(cells) >= bound * _all(cells)


@dataclass(frozen=True, eq=False)
class Derived:
    """The state of a node follows from its neighbours of one label and direction.

    Of these `states`, the first counts whose condition holds; if none does, `otherwise`. Without any neighbour that has
    a state, it has none. Its measures are numbers of the neighbours. So they count what is more than one step away, and
    count it once for each way that leads there.
    """

    label: str
    direction: Direction
    states: Mapping[str, Condition]
    otherwise: str
    measures: Mapping[str, Number] = field(default_factory=dict)

    def state(self, version: int, cells: Cells) -> State:
        """The state that follows from these cells."""
        if _all(cells) <= 0:
            return State(version)
        name = next((name for name, holds in self.states.items() if holds(cells)), self.otherwise)
        return State(version, name, tuple(sorted((name, number(cells)) for name, number in self.measures.items())))


def worst_of(*states: str) -> Mapping[str, Condition]:
    """The worst state that any neighbour is in: of these, the first one."""
    return {each: at_least(in_state(each), 1) for each in states}


def _all(cells: Cells) -> int:
    return sum(cell.count for name, cell in cells.items() if name.startswith(STATE))
