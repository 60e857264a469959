"""Cells as attribute values and back.

Each update pays for the whole item, in write units and in CPU, so each cell is one short value:

- `12`, a number: a count
- `12 936.5`: a count and a sum
- `12 2018-08-29T12:00:00.000Z 2018-09-04T01:00:00.000Z`: a count, the first and the last instant
- `12 936.5 30.1 50`: a count, a sum, the smallest and the greatest value
- `39.02@0.500`: a single reading, and its offset in seconds from the start of its bucket, omitted if 0
- `24 936.5 30.1 50 39.02 45.1@3540`: count, sum, min, max, first and last with their offsets

Numbers have all their digits, and an exponent where Python's texts of decimals have one: that is shorter.
"""

from decimal import Decimal

from edgewise.aggregates.measures import EXACT, ZERO, Cell, Extremes, Moment
from edgewise.dynamodb.attributes import Attribute, integer, n, s, string
from edgewise.times import SECOND, Millis, from_rfc_3339, rfc_3339

# A sum of so few characters is stored as it is.
_READABLE = 40


def pack(cell: Cell, start: Millis) -> Attribute:
    """A cell as it is stored; `start` is where its bucket begins (0: offsets count from 1970)."""
    low, high, first, last = cell.extremes.low, cell.extremes.high, cell.extremes.first, cell.extremes.last
    if first is None or last is None:
        return _without_instants(cell)
    if low is None or high is None:
        return s(f"{cell.count} {rfc_3339(first.at)} {rfc_3339(last.at)}")
    if (cell.count, cell.total, low, high, last) == (1, first.value, first.value, first.value, first):
        return s(_moment_text(first, start))
    moments = f"{_moment_text(first, start)} {_moment_text(last, start)}"
    total = cell.total if len(str(cell.total)) <= _READABLE else _shorter(cell.total)
    return s(f"{cell.count} {total} {low} {high} {moments}")


def _shorter(total: Decimal) -> Decimal:
    """A long sum without the zeros that numbers left behind which have gone again."""
    return total.normalize(EXACT)


def as_text(cell: Cell, start: Millis) -> str:
    """The same as text, for people."""
    return str(next(iter(pack(cell, start).values())))


def _without_instants(cell: Cell) -> Attribute:
    low, high = cell.extremes.low, cell.extremes.high
    total = cell.total if len(str(cell.total)) <= _READABLE else _shorter(cell.total)
    if low is not None and high is not None:
        return s(f"{cell.count} {total} {low} {high}")
    return s(f"{cell.count} {total}") if cell.total else n(cell.count)


def unpack(packed: Attribute, start: Millis) -> Cell:
    """The inverse of pack; raises ValueError for anything else."""
    if "N" in packed:
        return Cell(integer(packed))
    match string(packed).split(" "):
        case [moment]:
            return _single(_moment(moment, start))
        case [count, total]:
            return Cell(int(count), Decimal(total))
        case [count, first, last]:
            moments = (Moment(from_rfc_3339(end), ZERO) for end in (first, last))
            return Cell(int(count), ZERO, Extremes(None, None, *moments))
        case [count, total, low, high]:
            return Cell(int(count), Decimal(total), Extremes(Decimal(low), Decimal(high)))
        case [count, total, low, high, first, last]:
            extremes = Extremes(Decimal(low), Decimal(high), _moment(first, start), _moment(last, start))
            return Cell(int(count), Decimal(total), extremes)
        case dimensions:
            raise ValueError(f"not a cell: {dimensions}")


def pack_extremes(extremes: Extremes) -> Attribute:
    """Extremes alone: `30.1 50 39.02@1535544000 45.1@1535547540`, with `-` for each one that does not exist."""
    values = ["-" if value is None else str(value) for value in (extremes.low, extremes.high)]
    moments = ["-" if moment is None else _moment_text(moment, 0) for moment in (extremes.first, extremes.last)]
    return s(" ".join((*values, *moments)))


def unpack_extremes(packed: Attribute) -> Extremes:
    """The inverse of pack_extremes."""
    low, high, first, last = (None if part == "-" else part for part in string(packed).split(" "))
    return Extremes(
        None if low is None else Decimal(low),
        None if high is None else Decimal(high),
        None if first is None else _moment(first, 0),
        None if last is None else _moment(last, 0),
    )


def _moment_text(moment: Moment, start: Millis) -> str:
    offset = moment.at - start
    seconds, rest = divmod(abs(offset), SECOND)
    sign = "-" if offset < 0 else ""
    if rest:
        return f"{moment.value}@{sign}{seconds}.{rest:03d}"
    return f"{moment.value}@{sign}{seconds}" if seconds else str(moment.value)


def _moment(packed: str, start: Millis) -> Moment:
    value, _, offset = packed.partition("@")
    # A float tells milliseconds apart for longer than there are instants.
    return Moment(start + round(float(offset) * SECOND) if offset else start, Decimal(value))


def _single(moment: Moment) -> Cell:
    return Cell(1, moment.value, Extremes(moment.value, moment.value, moment, moment))
