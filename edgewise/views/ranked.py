"""How the engine ranks what a view ranks within its rows."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from edgewise.aggregates.measures import COUNT, Cell
from edgewise.aggregates.rankings.declaration import Rankings
from edgewise.dynamodb.keys import Partitions, join, split
from edgewise.views.columns import Measure

# What the engine calls the number by which something is ranked.
RANKED_BY = "by"


def rankings(name: str, by: Measure[Any]) -> Rankings:
    """The rankings of totals whose last dimension is the value that is ranked, and the others their row."""
    return Rankings(
        partitions=Partitions(name),
        cell=COUNT,
        measures={RANKED_BY: ranked_by(by)},
        apart=lambda *dims: (dims[:-1], join(dims[-1])),
        together=lambda group, member: (*group, *split(member)),
        names_robbed=True,
    )


def ranked_by(by: Measure[Any]) -> Callable[[Cell], Decimal]:
    """The number by which a measure ranks a total."""
    return _summed if by.form == "sum" else _counted


def _summed(cell: Cell) -> Decimal:
    return cell.total


def _counted(cell: Cell) -> Decimal:
    return Decimal(cell.count)
