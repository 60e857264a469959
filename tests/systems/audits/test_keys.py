"""Keys of audits: as they are documented, and what stands before and behind them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.aggregates import keys as aggregate_keys
from edgewise.aggregates.keys import AggregateId
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.queries import BeginsWith, Between, Query
from functions.catalog import CATALOG
from functions.systems.audits import items as audits_items
from functions.systems.audits.system import EQUIPMENT
from tests.support.keys import names, texts
from tests.support.queries import continuations_found


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (audits_items.NEWEST.key("Equipment_1", ""), ("EQUIPMENT#Equipment_1", "v0_Audit#")),
        (audits_items.NEWEST.key("Equipment_1", "left wing"), ("EQUIPMENT#Equipment_1", "v0_Audit#left$20wing")),
        (audits_items.AUDIT.key("Equipment_1", "", 12), ("EQUIPMENT#Equipment_1", "Audit##v000000012")),
        (audits_items.AUDIT.key("Equipment_1", "wing", 1), ("EQUIPMENT#Equipment_1", "Audit#wing#v000000001")),
    ],
)
def test_keys_read_as_they_are_documented(key: Key, expected: tuple[str, str]) -> None:
    assert key == expected


@pytest.mark.parametrize(
    ("aggregate", "expected"), [(("EQUIPMENT", ("Equipment_1",)), ("EQUIPMENT#Equipment_1", "EDGE#"))]
)
def test_an_aggregate_stands_with_its_node(aggregate: tuple[str, tuple[str, ...]], expected: tuple[str, str]) -> None:
    kind, parts = aggregate
    assert aggregate_keys.of(CATALOG.kinds[kind](*parts)) == expected


@pytest.mark.parametrize(
    ("about", "expected"),
    [(EQUIPMENT("Equipment_1")._replace(path="0"), ("EQUIPMENT#Equipment_1", "CONTINUED#0#EDGE#"))],
)
def test_a_continuation_stands_beside_what_it_continues(about: AggregateId, expected: tuple[str, str]) -> None:
    assert aggregate_keys.of(about) == expected


@pytest.mark.parametrize("query", [audits_items.NEWEST.with_summary("a"), audits_items.history("a", "")])
def test_no_query_finds_continuations(query: Query) -> None:
    assert continuations_found(query) == []


@pytest.mark.parametrize(
    "key",
    [
        ("EQUIPMENT#e", "EDGE#"),
        ("EQUIPMENT#e", "Audit#engine"),
        ("EQUIPMENT#e", "v0_Audit"),
        ("EQUIPMENT#e", "v0_Audits#engine"),
        ("DOCUMENT#e", "v0_Audit#engine"),
    ],
)
def test_keys_of_another_kind_are_refused(key: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="not a key of this kind"):
        audits_items.NEWEST.names(Key(*key))


class TestVersions:
    PARTS = texts | st.sampled_from(["v000000001", "v0_Audit", "Audit"])
    VERSIONS = st.integers(1, 999_999_999)

    @given(equipment=names, part=PARTS, version=VERSIONS)
    def test_an_audit_and_its_copy_name_equipment_and_part(self, equipment: str, part: str, version: int) -> None:
        assert audits_items.AUDIT.names(audits_items.AUDIT.key(equipment, part, version))[:2] == (equipment, part)
        assert audits_items.NEWEST.names(audits_items.NEWEST.key(equipment, part)) == (equipment, part)

    @given(part=PARTS, other=PARTS, version=VERSIONS)
    def test_a_history_is_of_one_part_and_without_the_copy(self, part: str, other: str, version: int) -> None:
        found = audits_items.history("e", part).condition
        assert isinstance(found, BeginsWith)
        assert audits_items.AUDIT.key("e", other, version).sk.startswith(found.prefix) == (part == other)
        assert not audits_items.NEWEST.key("e", other).sk.startswith(found.prefix)

    @given(part=PARTS, version=VERSIONS)
    def test_of_equipment_only_summary_and_newest_audits_are_one_range(self, part: str, version: int) -> None:
        found = audits_items.NEWEST.with_summary("e").condition
        assert isinstance(found, Between)
        assert found.low == aggregate_keys.SUMMARY
        assert audits_items.AUDIT.key("e", part, version).sk < aggregate_keys.SUMMARY
        assert aggregate_keys.SUMMARY < audits_items.NEWEST.key("e", part).sk < str(found.high)
