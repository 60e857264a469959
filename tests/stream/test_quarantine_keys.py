"""Keys of records in quarantine."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.dynamodb.keys import Key
from edgewise.stream import quarantine_keys


@pytest.mark.parametrize(
    ("key", "expected"), [(quarantine_keys.quarantine("0001", "123", 2), ("QUARANTINE#0001", f"{'0' * 37}123#0002"))]
)
def test_keys_read_as_they_are_documented(key: Key, expected: tuple[str, str]) -> None:
    assert key == expected


@given(one=st.integers(0, 10**39), other=st.integers(0, 10**39))
def test_quarantined_records_keep_the_order_of_their_numbers(one: int, other: int) -> None:
    first, second = (quarantine_keys.quarantine("shard", str(number), 1).sk for number in (one, other))
    assert (first < second) == (one < other)
