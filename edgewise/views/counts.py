"""How many items have each value of a field: what a row has of `count_by`, and the cells that it is read from.

The engine bounds these cells (edgewise/aggregates/named.py): what has none is counted together with all others.
"""

from collections.abc import Iterator, Mapping, Sequence

from edgewise.aggregates.measures import Cell
from edgewise.aggregates.named import SEPARATOR
from edgewise.own.values import marked, unmarked

# So many bytes a value has at most, and so many values a view counts one by one: its rows stay below 70 KB.
LONGEST, MOST = 256, 100


class CrowdedError(LookupError):
    """A group has had more values at once than its view counts one by one, and this one may be among the others."""


class Counts(Mapping[str, int]):
    """How many items of a group have each value, of the values that some item has.

    `others`: how many items have a value that is not among these, because the group had `max_values` of them already
    when that one came. It is 0 unless a group has had more at once, and then each number is still exact; but whoever
    asks for a value that is not among them gets CrowdedError, and no number.
    """

    def __init__(self, values: Mapping[str, int], others: int = 0) -> None:
        self._values, self.others = dict(sorted(values.items())), others

    def __getitem__(self, value: str) -> int:
        if value not in self._values and self.others:
            why = "its group has had more values at once than max_values"
            raise CrowdedError(f"{value!r} may be that of some of {self.others} others: {why}")
        return self._values[value]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Counts):
            return (self._values, self.others) == (other._values, other.others)
        if not isinstance(other, Mapping):
            return NotImplemented
        return not self.others and self._values == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Counts({self._values}, others={self.others})"


def cell_of(measure: str, value: str) -> str:
    """The cell of a value; raises ValueError for one that is too long."""
    if (length := len(value.encode())) > LONGEST:
        raise ValueError(f"has {length:,} bytes, and a value that is counted one by one has {LONGEST} at most")
    return f"{measure}{SEPARATOR}{marked(value)}"


def cell_of_others(measure: str) -> str:
    """The cell of all values that have none."""
    return f"{measure}{SEPARATOR}"


def counts(measure: str, found: Mapping[str, Cell]) -> Counts:
    """What the cells of a row say of a measure."""
    others = cell_of_others(measure)
    own = {name: cell.count for name, cell in found.items() if name.startswith(others) and name != others}
    values = {unmarked(name.removeprefix(others)): number for name, number in own.items()}
    return Counts(values, found.get(others, Cell()).count)


def certain(together: Mapping[str, Cell], rows: Sequence[Mapping[str, Cell]]) -> Mapping[str, Cell]:
    """What rows count together, by their cells: a value that may be among the others of one row is one of all these."""
    found = dict(together)
    for others in (name for name in together if name.find(SEPARATOR) == len(name) - 1):
        crowded = [row for row in rows if others in row]
        own = (name for name in together if name.startswith(others) and name != others)
        for name in (name for name in own if not all(name in row for row in crowded)):
            found[others] = Cell(found[others].count + found.pop(name).count)
    return found
