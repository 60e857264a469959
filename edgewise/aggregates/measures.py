"""The measures of an aggregate, and how they absorb what is added to and removed from its sources."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Context, Decimal, Inexact
from typing import NamedTuple

from edgewise.aggregates.keys import Dimension
from edgewise.dynamodb.attributes import MAX_DIGITS
from edgewise.times import Millis

ZERO, _ONE = Decimal(0), Decimal(1)
# The cell that counts the things that a materialized edge stands for.
COUNT = "Count"

# Sums are stored as text, so they may have more digits than DynamoDB's numbers. What is measured has up to 309 digits
# before the point and 324 after it, so 10^18 values add up to 327 and 324, and their squares to 636 and 648. Should a
# sum not fit all the same, the trap turns a silent rounding into an error.
EXACT = Context(prec=1300, traps=[Inexact])
# Of what is paid, and of weights.
MAX_INTEGER_DIGITS, MAX_DECIMALS = 13, 18
# The greatest double of IEEE 754; and how many digits the shortest text of any double has on either side of its point.
GREATEST = Decimal("1.7976931348623157e308")
_INTEGER_DIGITS, _DECIMALS = 309, 324
# A number has 38 digits, and so has a mean that is told: then the mean of one number is that number.
STORABLE = Context(prec=MAX_DIGITS)
MEASURABLE = f"at most {MAX_DIGITS} digits from the first that is not 0 to the last, {_DECIMALS} after the point"


def measurable(value: Decimal) -> Decimal:
    """The number in its shortest form; raises ValueError if it is no number that can be measured.

    Every integer of 64 bits and every finite double can, as the shortest text that tells it from all other doubles.
    """
    short = _short(value, _INTEGER_DIGITS, _DECIMALS)
    if short is None or short.copy_abs() > GREATEST:
        raise ValueError(f"must be finite, between -{GREATEST:e} and {GREATEST:e}, with {MEASURABLE}")
    return short


def bounded(value: Decimal) -> Decimal:
    """The number in its shortest form; raises ValueError unless it can be paid, or be a weight."""
    return shortest(value, MAX_INTEGER_DIGITS, MAX_DECIMALS)


def shortest(value: Decimal, integer_digits: int, decimals: int) -> Decimal:
    """The number without needless zeros, and without exponent if it then has 38 digits at most before the point.

    Raises ValueError if it has more than this many digits before or after the point, or more than 38 in all.
    """
    short = _short(value, integer_digits, decimals)
    if short is None:
        raise ValueError(
            f"must be finite, with at most {integer_digits} digits before the point and {decimals} after it"
        )
    return short


def _short(value: Decimal, integer_digits: int, decimals: int) -> Decimal | None:
    if not value.is_finite():
        return None
    if not value:
        return ZERO
    if not -decimals <= value.adjusted() < integer_digits:
        return None
    short = value.normalize(STORABLE)
    exponent = short.as_tuple().exponent
    if not isinstance(exponent, int) or exponent < -decimals or short != value:
        return None
    has_room = exponent > 0 and short.adjusted() < MAX_DIGITS
    return short.quantize(_ONE, context=STORABLE) if has_room else short


class Moment(NamedTuple):
    """When something was seen, and its value; of two values at one instant, the smaller counts as the earlier."""

    at: Millis
    value: Decimal


class Passed(NamedTuple):
    """What a closing says of the several things in an observation: the extremes of those that came and that went.

    `number` is the closing's (edgewise/aggregates/open_hours/hours.py).
    """

    came: "Extremes"
    went: "Extremes"
    number: int


class Observation(NamedTuple):
    """What one source item contributes to one cell: how many things, and where it makes sense a value and an instant.

    An `amount` is summed but has no minimum and maximum, so removing it never needs a recount. It is the amount of all
    the `weight` things together; a `value` is that of a single thing. `passed`: they come by a closing.
    """

    weight: int = 1
    value: Decimal | None = None
    at: Millis | None = None
    amount: Decimal | None = None
    passed: Passed | None = None

    @property
    def weightless(self) -> "Observation":
        """The same values, of nothing that is counted: only extremes are concerned."""
        return Observation(0, self.value, self.at, ZERO)

    @property
    def counts(self) -> bool:
        """Whether it counts anything, or passes anything on."""
        return bool(self.weight or self.summed or self.passed)

    @property
    def moment(self) -> Moment | None:
        """The observation on the timeline, for first and last."""
        return None if self.at is None else Moment(self.at, ZERO if self.value is None else self.value)

    @property
    def summed(self) -> Decimal | None:
        """What the observation adds to a sum."""
        return self.value if self.amount is None else self.amount


# What one source item contributes to the cells of one aggregate, by the name of the cell.
Observations = Mapping[str, Observation]
# What one source item contributes to each aggregate that it feeds, and the dimensions of that aggregate.
Fed = Iterator[tuple[tuple[Dimension, ...], Observations]]


@dataclass(slots=True)
class Extremes:
    """The smallest and greatest value, and the first and last moment, of some observations."""

    low: Decimal | None = None
    high: Decimal | None = None
    first: Moment | None = None
    last: Moment | None = None

    def widen(self, observation: Observation) -> None:
        """Widen these extremes to include one more observation."""
        value = observation.value
        if value is not None:
            self.low = value if self.low is None or value < self.low else self.low
            self.high = value if self.high is None or value > self.high else self.high
        if moment := observation.moment:
            self.first = moment if self.first is None or moment < self.first else self.first
            self.last = moment if self.last is None or moment > self.last else self.last

    def touches(self, others: "Extremes") -> bool:
        """Whether one of the other extremes reaches or passes one of these."""
        return (
            (others.low is not None and (self.low is None or others.low <= self.low))
            or (others.high is not None and (self.high is None or others.high >= self.high))
            or (others.first is not None and (self.first is None or others.first <= self.first))
            or (others.last is not None and (self.last is None or others.last >= self.last))
        )

    def copy(self) -> "Extremes":
        """A copy with the same values."""
        return Extremes(self.low, self.high, self.first, self.last)


@dataclass(slots=True)
class Cell:
    """One measured quantity of an aggregate: a count, an exact sum, and the extremes."""

    count: int = 0
    total: Decimal = ZERO
    extremes: Extremes = field(default_factory=Extremes)

    @property
    def counts(self) -> bool:
        """Whether the cell counts anything.

        A sum with a count of zero does: records after one in quarantine may have removed what that one adds.
        """
        return bool(self.count or self.total)

    @property
    def mean(self) -> Decimal:
        """The sum divided by the count, to 38 digits; raises DivisionByZero if nothing is counted."""
        return STORABLE.divide(self.total, self.count)

    def add(self, observation: Observation) -> None:
        """Add one observation."""
        self.count += observation.weight
        if (summed := observation.summed) is not None:
            self.total = EXACT.add(self.total, summed)
        self.extremes.widen(observation)

    def absorbed(self, delta: "Delta") -> tuple["Cell", bool]:
        """The cell after the delta, and whether its extremes must be recounted from the sources.

        A minimum can't be subtracted: the removed value may have been the minimum, and the next one is unknown.
        """
        count, total = self.count + delta.count, EXACT.add(self.total, delta.total)
        after = Cell(count, total, joined(self.extremes, delta.added))
        if not after.counts:
            return Cell(), False
        return after, delta.retracts and after.extremes.touches(delta.removed)


@dataclass(slots=True)
class Delta(Cell):
    """The change of one cell by some records: net count and sum, and the extremes of the values added and removed."""

    removed: Extremes = field(default_factory=Extremes)
    retracts: bool = False

    @property
    def added(self) -> Extremes:
        """The extremes of the values added."""
        return self.extremes

    def add(self, observation: Observation) -> None:
        """Add one observation, or what a closing says of several."""
        Cell.add(self, observation)
        if observation.passed:
            came, went, _ = observation.passed
            self.extremes, self.removed = joined(self.extremes, came), joined(self.removed, went)
            self.retracts |= went != Extremes()

    def passed_on(self, number: int) -> Observation:
        """The whole change as an observation of a closing with this number."""
        return Observation(self.count, amount=self.total, passed=Passed(self.extremes, self.removed, number))

    def remove(self, observation: Observation) -> None:
        """Remove one observation."""
        self.count -= observation.weight
        if (summed := observation.summed) is not None:
            self.total = EXACT.subtract(self.total, summed)
        if observation.value is not None or observation.at is not None:
            self.removed.widen(observation)
            self.retracts = True


def joined(one: Extremes, other: Extremes) -> Extremes:
    """The extremes of both together."""
    both = one.copy()
    if other.low is not None and other.high is not None:
        both.low = other.low if both.low is None else min(both.low, other.low)
        both.high = other.high if both.high is None else max(both.high, other.high)
    if other.first is not None and other.last is not None:
        both.first = other.first if both.first is None else min(both.first, other.first)
        both.last = other.last if both.last is None else max(both.last, other.last)
    return both
