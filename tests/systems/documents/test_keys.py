"""Keys of documents: as they are documented, and what stands before and behind them."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.aggregates import keys as aggregate_keys
from functions.catalog import CATALOG
from functions.dynamodb.keys import Key
from functions.dynamodb.queries import Query
from functions.systems.documents import keys as documents_keys
from functions.systems.documents import patterns as documents_patterns
from tests.support.keys import texts
from tests.support.queries import continuations_found


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (documents_keys.metadata("d 1"), ("DOCUMENT#d$201", "metadata")),
        (documents_keys.permissions("d"), ("DOCUMENT#d", "permissions")),
        (documents_keys.newest("d"), ("DOCUMENT#d", "v_0")),
        (documents_keys.revision("d", 12), ("DOCUMENT#d", "v_000000012")),
    ],
)
def test_keys_read_as_they_are_documented(key: Key, expected: tuple[str, str]) -> None:
    assert key == expected


@pytest.mark.parametrize(("aggregate", "expected"), [(("DOCUMENT", ("d",)), ("DOCUMENT#d", "EDGE#"))])
def test_an_aggregate_stands_with_its_node(aggregate: tuple[str, tuple[str, ...]], expected: tuple[str, str]) -> None:
    kind, parts = aggregate
    assert aggregate_keys.of(CATALOG.kinds[kind](*parts)) == expected


@pytest.mark.parametrize("query", [documents_patterns.document("a"), documents_patterns.revisions("a")])
def test_no_query_finds_continuations(query: Query) -> None:
    assert continuations_found(query) == []


@pytest.mark.parametrize(
    ("parse", "arguments"),
    [
        (documents_keys.parse, ("EQUIPMENT#e",)),
        (documents_keys.parse, ("DOCUMENT",)),
        (documents_keys.parse_information, ("metadata",)),
        (documents_keys.parse_information, ("x_a#b",)),
    ],
)
def test_keys_of_another_kind_are_refused(parse: Callable[..., object], arguments: tuple[str, ...]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (says which key, or what is wrong with its parts)
        parse(*arguments)


class TestVersions:
    PARTS = texts | st.sampled_from(["v000000001", "v0_Audit", "Audit"])
    VERSIONS = st.integers(1, 999_999_999)

    @given(version=VERSIONS)
    def test_of_a_document_only_its_revisions_are_outside_of_the_range(self, version: int) -> None:
        whole = [
            aggregate_keys.SUMMARY,
            documents_keys.information_names("d").sk,
            documents_keys.metadata("d").sk,
            documents_keys.permissions("d").sk,
            documents_keys.newest("d").sk,
        ]
        first, last = documents_keys.revisions()
        assert whole == sorted(whole)
        assert whole[-1] == documents_keys.NEWEST < first <= documents_keys.revision("d", version).sk <= last

    @given(name=PARTS | st.sampled_from(["metadata", "v_0", "x_", "information"]), version=VERSIONS)
    def test_information_of_any_name_is_no_other_item_of_a_document(self, name: str, version: int) -> None:
        sk = documents_keys.information("d", name).sk
        assert documents_keys.parse_information(sk) == name
        assert sk > documents_keys.revisions()[1] > documents_keys.NEWEST
