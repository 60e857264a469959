"""Keys of documents: as they are documented, and what stands before and behind them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.aggregates import keys as aggregate_keys
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.queries import Between, Query
from functions.catalog import CATALOG
from functions.systems.documents import items as documents_items
from tests.support.keys import texts
from tests.support.queries import continuations_found


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (documents_items.METADATA.key("d 1"), ("DOCUMENT#d$201", "metadata")),
        (documents_items.PERMISSIONS.key("d"), ("DOCUMENT#d", "permissions")),
        (documents_items.NEWEST.key("d"), ("DOCUMENT#d", "v_0")),
        (documents_items.REVISION.key("d", 12), ("DOCUMENT#d", "v_000000012")),
    ],
)
def test_keys_read_as_they_are_documented(key: Key, expected: tuple[str, str]) -> None:
    assert key == expected


@pytest.mark.parametrize(("aggregate", "expected"), [(("DOCUMENT", ("d",)), ("DOCUMENT#d", "EDGE#"))])
def test_an_aggregate_stands_with_its_node(aggregate: tuple[str, tuple[str, ...]], expected: tuple[str, str]) -> None:
    kind, parts = aggregate
    assert aggregate_keys.of(CATALOG.kinds[kind](*parts)) == expected


@pytest.mark.parametrize("query", [documents_items.whole("a"), documents_items.revisions("a")])
def test_no_query_finds_continuations(query: Query) -> None:
    assert continuations_found(query) == []


@pytest.mark.parametrize(
    "key", [("EQUIPMENT#e", "x_a"), ("DOCUMENT", "x_a"), ("DOCUMENT#d", "metadata"), ("DOCUMENT#d", "x_a#b")]
)
def test_keys_of_another_kind_are_refused(key: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="not a key of this kind"):
        documents_items.INFORMATION.names(Key(*key))


class TestVersions:
    PARTS = texts | st.sampled_from(["v000000001", "v0_Audit", "Audit"])
    VERSIONS = st.integers(1, 999_999_999)

    @given(version=VERSIONS)
    def test_of_a_document_only_its_revisions_are_outside_of_the_range(self, version: int) -> None:
        whole = [
            aggregate_keys.SUMMARY,
            documents_items.NAMES.key("d").sk,
            documents_items.METADATA.key("d").sk,
            documents_items.PERMISSIONS.key("d").sk,
            documents_items.NEWEST.key("d").sk,
        ]
        every = documents_items.revisions("d").condition
        assert isinstance(every, Between)
        assert whole == sorted(whole)
        assert whole[-1] == "v_0" < str(every.low) <= documents_items.REVISION.key("d", version).sk <= str(every.high)

    @given(name=PARTS | st.sampled_from(["metadata", "v_0", "x_", "information"]), version=VERSIONS)
    def test_information_of_any_name_is_no_other_item_of_a_document(self, name: str, version: int) -> None:
        key, every = documents_items.INFORMATION.key("d", name), documents_items.revisions("d").condition
        assert isinstance(every, Between)
        assert documents_items.INFORMATION.names(key) == ("d", name)
        assert key.sk > str(every.high) > "v_0"
