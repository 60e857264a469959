"""Aggregates and their recounts as answers."""

from itertools import islice

from edgewise import rfc_3339
from edgewise.aggregates.inspection import Inspected
from edgewise.aggregates.measures import Moment
from edgewise.stream.levels import Descent, Level
from edgewise.stream.verification import Verification
from functions.systems.operations.models import (
    AggregateOut,
    CellOut,
    CheckpointOut,
    ComparedOut,
    CountedLevel,
    DescentOut,
    MomentOut,
)
from functions.systems.operations.naming import spelled

MOST_CELLS = 1000


def aggregate(found: Inspected) -> AggregateOut:
    """An aggregate opened up; its cells by name."""
    whole, (pk, sk) = found.whole, found.key
    names = sorted(whole.cells)
    return AggregateOut(
        kind=whole.id.kind.name,
        dimensions=spelled(whole.id),
        pk=pk,
        sk=sk,
        version=whole.version,
        cells=[_cell(found, name) for name in islice(names, MOST_CELLS)],
        more_cells=len(names[MOST_CELLS:]),
        checkpoints=_checkpoints(found),
        lacks=whole.lacks or None,
        recounting=sorted(found.recounting),
        waiting=dict(found.waiting),
        continuations=len(found.items) - 1,
    )


def descended(found: Descent, asked: ComparedOut) -> DescentOut:
    """A count of an aggregate and of those below it."""
    lowest = found.lowest_wrong
    return DescentOut(
        **asked.model_dump(),
        levels=list(map(_level, found.levels)),
        differs=lowest.kind.name if lowest else None,
        complete=found.complete,
        equal=found.equal,
    )


def _level(level: Level) -> CountedLevel:
    first_wrong = list(map(compared, level.first_wrong))
    return CountedLevel(kind=level.kind.name, compared=level.compared, wrong=level.wrong, first_wrong=first_wrong)


def compared(found: Verification) -> ComparedOut:
    """An aggregate beside its recount."""
    stored = found.stored
    return ComparedOut(
        kind=stored.id.kind.name,
        dimensions=spelled(stored.id),
        stored=found.packed(stored.cells),
        recounted=found.packed(found.recounted),
        recounting=sorted(found.due),
        sources=found.sources,
        unreadable=found.unreadable,
        named=list(found.named),
    )


def _cell(found: Inspected, name: str) -> CellOut:
    cell = found.whole.cells[name]
    extremes = cell.extremes
    valued = extremes.low is not None
    return CellOut(
        name=name,
        stored=found.packed(name),
        count=cell.count,
        sum=cell.total,
        least=extremes.low,
        greatest=extremes.high,
        first=_moment(extremes.first, valued=valued),
        last=_moment(extremes.last, valued=valued),
        known=name not in found.recounting,
    )


def _moment(moment: Moment | None, *, valued: bool) -> MomentOut | None:
    return moment and MomentOut(at=rfc_3339(moment.at), value=moment.value if valued else None)


def _checkpoints(found: Inspected) -> list[CheckpointOut]:
    return [
        CheckpointOut(
            shard=shard,
            sequence=str(each.sequence),
            at=rfc_3339(each.at),
            missing=list(map(str, sorted(each.missing))),
        )
        for shard, each in sorted(found.whole.checkpoints.items())
    ]
