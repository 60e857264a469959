"""What keys are made of, as hypothesis makes it up."""

from hypothesis import strategies as st

from edgewise.times import EARLIEST, LATEST

NOON = 1535544000000  # 2018-08-29T12:00:00.000Z
# Mostly the characters that delimit, escape or come next to them.
texts = st.text(st.sampled_from('#$%/-: \t\x00!"&aAzé\U0001f6002039'), max_size=6) | st.text(max_size=6)
names = texts.filter(bool)
places = st.lists(names, min_size=1, max_size=8).map(tuple)
instants = st.integers(EARLIEST, LATEST)
