"""Numbers as texts that sort as the numbers do, without loss."""

from decimal import Decimal

from edgewise.aggregates.measures import EXACT

# Greater than any exponent of a number that can be measured, in either direction.
_SHIFT = 500
_NEGATIVE, _ZERO, _POSITIVE = "0", "1", "2"
_COMPLEMENT = str.maketrans("0123456789", "9876543210")
# Sorts after all digits: of two negative numbers, the one with more digits is the smaller one.
_END = ":"


def text(number: Decimal) -> str:
    """The text of a number: its sign, its magnitude, its digits."""
    if not number:
        return _ZERO
    sign, digits, exponent = EXACT.normalize(number).as_tuple()
    assert isinstance(exponent, int), "a finite number"
    found = f"{len(digits) + exponent + _SHIFT:03d}{''.join(map(str, digits))}"
    return _NEGATIVE + found.translate(_COMPLEMENT) + _END if sign else _POSITIVE + found


def number(sortable: str) -> Decimal:
    """The inverse of `text`; raises ValueError."""
    if sortable == _ZERO:
        return Decimal(0)
    sign, found = sortable[0], sortable[1:]
    if sign == _NEGATIVE:
        found = found.removesuffix(_END).translate(_COMPLEMENT)
    elif sign != _POSITIVE:
        raise ValueError(f"{sortable} is no number")
    digits = found[3:]
    exponent = int(found[:3]) - _SHIFT - len(digits)
    # Whole numbers with all their zeros: people read 100, not 1E+2.
    scaled = Decimal(int(digits) * 10**exponent) if exponent > 0 else EXACT.scaleb(Decimal(int(digits)), exponent)
    return scaled.copy_negate() if sign == _NEGATIVE else scaled
