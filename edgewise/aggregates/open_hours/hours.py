"""The open part of an aggregate: what it has absorbed for other aggregates and not passed on yet.

Most sources of some kinds change several aggregates a little each, such as the hour, the day and the place of a
reading. Their effects wait in the one item that each of these sources changes anyway, and go on together: the put that
moves on from them carries them as a *closing*, named by the version of that put. The put's record in the stream is the
only one that feeds the other aggregates.

A name in an open part is `bucket.rest`; the aggregate's own cells have no dot in their names.
"""

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import NamedTuple

from edgewise.aggregates.checkpoints import DIRECT, LATEST_DELIVERY, Checkpoint
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.measures import EXACT, Cell, Delta, joined
from edgewise.times import EARLIEST, SECOND, Millis

# Readers add the closings that the other aggregates have not absorbed yet. A closing stays in the item until all of
# these were found to have absorbed it, and for so long after that: a reader who met one of them before it had done so
# has read the item by then.
READING: Millis = 60 * SECOND
# An item holds at most 400 KB. These are the bytes for the names and values of the open part, and of one closing: what
# is open, and a correction that replaces a hundred metrics by others.
OPEN_ROOM, CLOSING_ROOM = 40_000, 140_000
# The longest value is that of a cell from which something was removed, with numbers of 38 digits; compressed. A sum of
# numbers of very different sizes has more: what it has counts.
_VALUE_BYTES, _SUM_BYTES = 180, 38


class TooLargeError(Exception):
    """What would close does not fit into one item: the effects must be absorbed a few at a time."""


class Kept(NamedTuple):
    """Which names are open after some changes; the content of those `told` is passed on all the same."""

    names: Set[str]
    told: Set[str]


# Decides what stays open, from the open cells and the changes of open names.
Opening = Callable[[Mapping[str, Cell], Mapping[str, Delta]], Kept]


class Put(NamedTuple):
    """The put of an aggregate: its version, and its time."""

    version: int
    now: Millis


@dataclass(frozen=True, slots=True)
class Closing:
    """What a put passed on: the changes of some cells. `number` is the version of the put, `at` its time.

    `acknowledged`: when all that it feeds were found to have absorbed it; 0: not yet.
    """

    number: int
    at: Millis
    cells: Mapping[str, Delta]
    acknowledged: Millis = 0

    def heard(self, now: Millis) -> "Closing":
        """The closing that all whom it feeds were found to have absorbed, now or before."""
        return replace(self, acknowledged=self.acknowledged or now)

    def is_over(self, now: Millis) -> bool:
        """Whether no reader needs it any more. What is as old as this was absorbed or passed over."""
        read = self.acknowledged and now - self.acknowledged > READING
        return bool(read) or now - self.at > LATEST_DELIVERY


@dataclass(frozen=True, slots=True)
class OpenPart:
    """The cells that are open, and the last closings, the newest last."""

    cells: Mapping[str, Cell] = field(default_factory=dict)
    closings: tuple[Closing, ...] = ()

    def closed(self, put: Put) -> "OpenPart":
        """The open part after a put that passes on all of it, so that others recount the extremes."""
        return self.absorbed(_nothing, {}, self.cells.keys(), put)

    @property
    def changes(self) -> Mapping[str, Delta]:
        """What is open, as the changes that would be passed on."""
        return {name: _change(cell) for name, cell in self.cells.items()}

    @property
    def counts(self) -> bool:
        """Whether anything in it has not been passed on."""
        return any(cell.counts for cell in self.cells.values())

    def absorbed(self, opening: Opening, deltas: Mapping[str, Delta], late: Set[str], put: Put) -> "OpenPart":
        """The open part after changes that a put stores; raises TooLargeError.

        What is removed is never subtracted from an open cell: it is passed on, with that cell, to the aggregate that
        can recount its extremes. So are the changes of `late` names, whose values may have been removed already.
        """
        kept = opening(self.cells, deltas)
        wholes = {name: _whole(self.cells.get(name), deltas.get(name)) for name in {**self.cells, **deltas}}
        if sum(_bytes(name, whole) for name, whole in wholes.items() if name in kept.names) > OPEN_ROOM:
            kept = _nothing(self.cells, deltas)
        cells, closed = dict[str, Cell](), dict[str, Delta]()
        for name, whole in wholes.items():
            doubtful = name in late or whole.retracts
            stays = name in kept.names and not doubtful
            passed = not stays or name in kept.told
            if stays:
                cells[name] = Cell() if passed else Cell(whole.count, whole.total, whole.extremes)
            if passed and (whole.counts or whole.retracts):
                closed[name] = _doubted(whole) if name in late else whole
        for_readers = (closing for closing in self.closings if not closing.is_over(put.now))
        return OpenPart(cells, (*for_readers, *_closing(put, closed)))

    def acknowledged(self, numbers: Set[int], now: Millis) -> "OpenPart":
        """The same, once others were found to have absorbed the closings with these numbers."""
        return replace(
            self, closings=tuple(each.heard(now) if each.number in numbers else each for each in self.closings)
        )


NOTHING_OPEN = OpenPart()


def _nothing(_cells: Mapping[str, Cell], _deltas: Mapping[str, Delta]) -> Kept:
    return Kept(frozenset(), frozenset())


def directly_until(checkpoints: Mapping[str, Checkpoint]) -> Millis:
    """The instant up to which an aggregate with these checkpoints leaves nothing open, but hands it on directly."""
    last = checkpoints.get(DIRECT)
    return last.at if last else EARLIEST


def with_open(effect: Effect, rest: Effect, until: Millis) -> Effect:
    """What counts of an effect: its open names, and of the others what a repair by hand has left of it: the `rest`.

    What is open counts whatever a repair has counted: the aggregates that it feeds were repaired apart. What others get
    directly, `until` an instant, is passed on without weight: they may still have to learn by a closing that it came.
    """
    direct = effect.checkpoint.at <= until
    if rest is effect and not direct:
        return effect
    mine, others = rest.only(lambda name: not is_open(name)), effect.only(is_open)
    if direct:
        others = Effect(effect.checkpoint, {}, {name: seen.weightless for name, seen in others.removed.items()})
    return Effect(effect.checkpoint, {**mine.added, **others.added}, {**mine.removed, **others.removed})


def last_closing(effects: Iterable[Effect]) -> int:
    """The number of the last closing that these effects are, absorbed or passed over; 0 if none is one."""
    observed = chain.from_iterable(effect.added.values() for effect in effects)
    return max((seen.passed.number for seen in observed if seen.passed), default=0)


def is_open(name: str) -> bool:
    """Whether a cell with this name is in the open part."""
    return "." in name


def summed(deltas: Iterable[Delta]) -> Delta:
    """Several changes of one cell as one."""
    whole = Delta()
    for delta in deltas:
        whole.add(delta.passed_on(0))
    return whole


def _change(cell: Cell) -> Delta:
    return Delta(cell.count, cell.total, cell.extremes)


def _whole(cell: Cell | None, delta: Delta | None) -> Delta:
    if cell is None or delta is None:
        return _change(cell) if cell else delta or Delta()
    count, total = cell.count + delta.count, EXACT.add(cell.total, delta.total)
    return Delta(count, total, joined(cell.extremes, delta.extremes), delta.removed, delta.retracts)


def _doubted(delta: Delta) -> Delta:
    """The change, whose values may have been removed before they were added: their extremes must be recounted."""
    gone = joined(delta.removed, delta.extremes)
    return Delta(delta.count, delta.total, delta.extremes, gone, retracts=True)


def _closing(put: Put, closed: Mapping[str, Delta]) -> tuple[Closing, ...]:
    if not closed:
        return ()
    if sum(_bytes(*each) for each in closed.items()) > CLOSING_ROOM:
        raise TooLargeError(f"a closing of {len(closed)} cells")
    return (Closing(put.version, put.now, closed),)


def _bytes(name: str, cell: Cell) -> int:
    return len(name.encode()) + _VALUE_BYTES + max(0, len(str(cell.total)) - _SUM_BYTES)
