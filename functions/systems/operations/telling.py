"""Aggregates and their recounts as answers."""

from collections.abc import Mapping
from itertools import islice

from edgewise import Cell, rfc_3339
from edgewise.aggregates import keys
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.cells import pack
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.measures import Moment
from edgewise.aggregates.recounts.declaration import unknown
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
from functions.systems.operations.opened import Opened

MOST_CELLS = 1000


def aggregate(found: Opened) -> AggregateOut:
    """An aggregate opened up; its cells by name."""
    whole, (pk, sk) = found.whole, keys.of(found.items[0].id)
    names = sorted(whole.cells)
    return AggregateOut(
        kind=whole.id.kind.name,
        dimensions=spelled(whole.id),
        pk=pk,
        sk=sk,
        version=whole.version,
        cells=[_cell(whole, name) for name in islice(names, MOST_CELLS)],
        more_cells=len(names[MOST_CELLS:]),
        checkpoints=_checkpoints(whole.checkpoints),
        lacks=whole.lacks or None,
        recounting=sorted(unknown(whole).names),
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
        recounting=sorted(unknown(stored).due),
        sources=found.sources,
        unreadable=found.unreadable,
        named=list(found.named),
    )


def _cell(whole: Aggregate, name: str) -> CellOut:
    cell = whole.cells[name]
    extremes = cell.extremes
    valued = extremes.low is not None
    return CellOut(
        name=name,
        stored=_packed(whole, name, cell),
        count=cell.count,
        sum=cell.total,
        least=extremes.low,
        greatest=extremes.high,
        first=_moment(extremes.first, valued=valued),
        last=_moment(extremes.last, valued=valued),
        known=name not in unknown(whole).names,
    )


def _packed(of: Aggregate, name: str, cell: Cell) -> str:
    return str(next(iter(pack(cell, of.id.bucket_start(name)).values())))


def _moment(moment: Moment | None, *, valued: bool) -> MomentOut | None:
    return moment and MomentOut(at=rfc_3339(moment.at), value=moment.value if valued else None)


def _checkpoints(of: Mapping[str, Checkpoint]) -> list[CheckpointOut]:
    return [
        CheckpointOut(
            shard=shard,
            sequence=str(each.sequence),
            at=rfc_3339(each.at),
            missing=list(map(str, sorted(each.missing))),
        )
        for shard, each in sorted(of.items())
    ]
