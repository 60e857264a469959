"""How the numbers of a node's edges and neighbours are answered."""

from pydantic import BaseModel

from edgewise import Cell, rfc_3339
from functions.systems.graph.entity import Direction
from functions.systems.graph.models import ComponentOut
from functions.systems.graph.numbers import Adjacent, Daily, Degree, Numbers
from functions.systems.graph.summaries import AsOf
from functions.systems.graph.summary import Level
from functions.web.common import Counted, Exact, Listed


class MeasureOut(BaseModel):
    """What neighbours measure: how many do, the sum, the mean, the smallest and the greatest value.

    The latter two are null until they are read again, because a neighbour that had one of them has gone.
    """

    count: int
    sum: Exact
    mean: Exact
    min: Exact | None
    max: Exact | None

    @classmethod
    def of(cls, cell: Cell) -> "MeasureOut":
        """A measure as it is answered."""
        low, high = cell.extremes.low, cell.extremes.high
        return cls(count=cell.count, sum=cell.total, mean=cell.mean, min=low, max=high)


class DegreeOut(BaseModel):
    """The edges of one direction and label: how many, the sum of their weights, when they last changed."""

    direction: Direction
    label: str
    edges: int
    weight: Exact
    changed_at: str

    @classmethod
    def of(cls, degree: Degree) -> "DegreeOut":
        """The numbers of a direction and label as they are answered."""
        return cls(
            direction=degree.direction,
            label=degree.label,
            edges=degree.edges.count,
            weight=degree.edges.total,
            changed_at=rfc_3339(degree.changed_at),
        )


class AdjacentOut(BaseModel):
    """The nodes at the other ends of the edges of one direction and label: how many in which state, what they measure.

    `changed_at`: when one of these numbers last changed.
    """

    direction: Direction
    label: str
    states: dict[str, int]
    measures: dict[str, MeasureOut]
    changed_at: str

    @classmethod
    def of(cls, found: Adjacent) -> "AdjacentOut":
        """What neighbours' states come to as it is answered."""
        return cls(
            direction=found.direction,
            label=found.label,
            states=found.states,
            measures={name: MeasureOut.of(cell) for name, cell in found.measures.items()},
            changed_at=rfc_3339(found.changed_at),
        )


class DayOut(BaseModel):
    """The edges of one day: how many, the sum of their weights, and when these numbers last changed."""

    day: str
    edges: int
    weight: Exact
    changed_at: str

    @classmethod
    def of(cls, found: Daily) -> "DayOut":
        """The edges of a day as they are answered."""
        cell = found.edges
        return cls(day=found.day, edges=cell.count, weight=cell.total, changed_at=rfc_3339(found.changed_at))


class DaysOut(Counted, Listed):
    """One page of the days on which a node has edges of a label, the earliest first."""

    days: list[DayOut]
    cursor: str | None


class LevelOut(BaseModel):
    """The nodes so many steps away along the edges, of any label, and the sums of all their edges, out and in.

    `at_least`: there are more such nodes, and these are some of them.
    """

    nodes: int
    at_least: bool
    edges: int
    weight: Exact

    @classmethod
    def of(cls, level: Level) -> "LevelOut":
        """A level as it is answered."""
        return cls(nodes=level.nodes, at_least=level.at_least, edges=level.edges, weight=level.weight)


class ReachSummary(BaseModel):
    """What was two and three steps away from a node at the instant `as_of`."""

    as_of: str
    two_steps: LevelOut
    three_steps: LevelOut

    @classmethod
    def of(cls, found: AsOf) -> "ReachSummary":
        """The levels of a summary as they are answered."""
        two, three = LevelOut.of(found.summary.two), LevelOut.of(found.summary.three)
        return cls(as_of=rfc_3339(found.at), two_steps=two, three_steps=three)


class SummaryOut(ReachSummary):
    """What the last fill computed of a node, as of its instant; edges of all labels count.

    The PageRanks of all nodes add up to 1.
    """

    pagerank: Exact
    component: ComponentOut

    @classmethod
    def of(cls, found: AsOf) -> "SummaryOut":
        """A summary as it is answered."""
        known = found.summary
        component = ComponentOut(**known.component._asdict(), nodes=known.component_nodes)
        reach = ReachSummary.of(found)
        return cls(**dict(reach), pagerank=known.pagerank, component=component)


class DegreesOut(Counted, Listed):
    """One page of a node's numbers. Only the first page has what the last fill computed of the node, if it did."""

    aggregates: list[DegreeOut]
    adjacent: list[AdjacentOut]
    summary: SummaryOut | None
    cursor: str | None

    @classmethod
    def of(cls, numbers: Numbers, cursor: str | None) -> "DegreesOut":
        """A page of numbers as it is answered."""
        summary = SummaryOut.of(numbers.summary) if numbers.summary else None
        return cls(
            aggregates=[DegreeOut.of(each) for each in numbers.degrees],
            adjacent=[AdjacentOut.of(each) for each in numbers.adjacent],
            summary=summary,
            cursor=cursor,
        )
