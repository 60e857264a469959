"""What items hold, as hypothesis makes it up."""

from decimal import Decimal

from hypothesis import strategies as st

from edgewise.aggregates.measures import measurable
from edgewise.times import EARLIEST, LATEST

NOON = 1535544000000
names = st.text(min_size=1, max_size=8)
places = st.lists(names, max_size=8).map(tuple)
instants = st.integers(EARLIEST, LATEST)
decimals = st.integers(-(10**31) + 1, 10**31 - 1).map(lambda number: Decimal(f"{number}e-18"))
doubles = st.floats(allow_nan=False, allow_infinity=False).map(lambda number: Decimal(repr(number)))
numbers = (decimals | doubles | st.integers(-(2**63), 2**64 - 1).map(Decimal)).map(measurable)
versions = st.integers(1, 999_999_999)
