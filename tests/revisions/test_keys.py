"""Keys of versions."""

from hypothesis import given
from hypothesis import strategies as st

from functions.systems.audits import keys as audits_keys
from functions.systems.documents import keys as documents_keys

VERSIONS = st.integers(1, 999_999_999)


@given(one=VERSIONS, other=VERSIONS)
def test_versions_sort_as_numbers(one: int, other: int) -> None:
    assert (audits_keys.audit("e", "p", one) < audits_keys.audit("e", "p", other)) == (one < other)
    assert (documents_keys.revision("d", one) < documents_keys.revision("d", other)) == (one < other)
