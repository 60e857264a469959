"""Cells that are called after values: a number for each of so many values, and one for all further values together.

`status=open` counts what has this value. As long as no more values count anything than there may be, each has its cell,
which goes with the last that has it. The first one too many makes the cell `status=`, of all others. From then on
values that have a cell keep it, also while they count nothing, and those without one never get any: what such a value
had before is among the others, so a cell of its own would tell a part of it. So each number is exact, always.

All is one item, written by one put. An item that counts nothing at all goes, and a repair chooses anew.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from edgewise.aggregates.measures import Cell, Observation, Observations

# It stands in no name of a measure, behind which values follow; the value of all others is empty, and no other one is.
SEPARATOR = "="


@dataclass(frozen=True, eq=False)
class Named:
    """Some of its cells are called after values. `most`: how many there may be, by the cell of all others.

    What feeds these aggregates must tell of each item which value it has, and so have no such bound itself.
    """

    costs: ClassVar[str] = "the item has a cell for each value: its units are those of one that has all it may have"

    most: Mapping[str, int]

    def fitting(self, stored: Mapping[str, Cell], cells: Mapping[str, Cell]) -> dict[str, Cell]:
        """What an item keeps of these cells that had the stored ones before; `stored` empty: it may choose anew."""
        found = {name: cell for name, cell in cells.items() if cell.counts}
        for others, most in self.most.items():
            own = [name for name in cells if _is_of(name, others)]
            if others in stored:
                kept = [name for name in stored if _is_of(name, others)]
            else:
                kept = [name for name in own if cells[name].counts]
                if len(kept) <= most:
                    continue
                # Whoever has a cell keeps it, so that as few numbers as possible are told no more.
                kept = sorted(kept, key=lambda name: (name not in stored, -cells[name].count, name))[:most]
            rest = {*own} - {*kept}
            shared = cells.get(others, Cell()).count + sum(cells[name].count for name in rest)
            found = {name: cell for name, cell in found.items() if name not in rest}
            found |= {others: Cell(shared), **{name: cells.get(name, Cell()) for name in kept}}
        return found

    def has_too_many(self, cells: Mapping[str, Cell]) -> bool:
        """Whether not all values of an item with these cells have one."""
        return any(others in cells for others in self.most)

    def crowded(self, observed: Observations) -> Observations:
        """As many further values as there may be, each as long as one that is observed: what an item grows to."""
        lengths = {others: len(name.encode()) for others in self.most for name in observed if _is_of(name, others)}
        return {
            f"{others}{number:0{length - len(others)}}": Observation()
            for others, length in lengths.items()
            for number in range(self.most[others] + 1)
        }


def _is_of(name: str, others: str) -> bool:
    """Whether a cell is that of a single value."""
    return name.startswith(others) and name != others
