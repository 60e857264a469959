"""Keys of versions."""

from hypothesis import given
from hypothesis import strategies as st

from functions.systems.audits import items as audits_items
from functions.systems.documents import items as documents_items

VERSIONS = st.integers(1, 999_999_999)


@given(one=VERSIONS, other=VERSIONS)
def test_versions_sort_as_numbers(one: int, other: int) -> None:
    assert (audits_items.AUDIT.key("e", "p", one) < audits_items.AUDIT.key("e", "p", other)) == (one < other)
    assert (documents_items.REVISION.key("d", one) < documents_items.REVISION.key("d", other)) == (one < other)
