"""Orders of magnitude, by which rosters name their members."""

from decimal import Decimal

_NEGATIVE, _ZERO, _POSITIVE = "0", "1", "2"
# Sums have at most 327 digits before the point and 324 after it: this makes every exponent a number of three digits.
_MIDDLE = 500


def magnitude(number: Decimal) -> str:
    """The order of magnitude of a number, as a text: a greater number never has a smaller one."""
    if not number:
        return _ZERO
    tens = number.adjusted()
    return f"{_POSITIVE}{_MIDDLE + tens}" if number > 0 else f"{_NEGATIVE}{_MIDDLE - tens}"
