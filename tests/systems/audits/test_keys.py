"""Keys of audits: as they are documented, and what stands before and behind them."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.aggregates import keys as aggregate_keys
from functions.aggregates.ids import AggregateId
from functions.catalog import CATALOG
from functions.dynamodb.keys import Key
from functions.dynamodb.queries import Query
from functions.systems.audits import keys as audits_keys
from functions.systems.audits import patterns as audits_patterns
from functions.systems.audits.system import EQUIPMENT
from tests.support.keys import names, texts
from tests.support.queries import continuations_found


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (audits_keys.newest("Equipment_1", ""), ("EQUIPMENT#Equipment_1", "v0_Audit#")),
        (audits_keys.newest("Equipment_1", "left wing"), ("EQUIPMENT#Equipment_1", "v0_Audit#left$20wing")),
        (audits_keys.audit("Equipment_1", "", 12), ("EQUIPMENT#Equipment_1", "Audit##v000000012")),
        (audits_keys.audit("Equipment_1", "wing", 1), ("EQUIPMENT#Equipment_1", "Audit#wing#v000000001")),
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


@pytest.mark.parametrize("query", [audits_patterns.equipment("a"), audits_patterns.history("a", "")])
def test_no_query_finds_continuations(query: Query) -> None:
    assert continuations_found(query) == []


@pytest.mark.parametrize(
    ("parse", "arguments"),
    [
        (audits_keys.parse, ("EQUIPMENT#e", "EDGE#")),
        (audits_keys.parse, ("EQUIPMENT#e", "Audit#engine")),
        (audits_keys.parse, ("EQUIPMENT#e", "v0_Audit")),
        (audits_keys.parse, ("EQUIPMENT#e", "v0_Audits#engine")),
        (audits_keys.parse, ("DOCUMENT#e", "Audit#engine#v000000001")),
    ],
)
def test_keys_of_another_kind_are_refused(parse: Callable[..., object], arguments: tuple[str, ...]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (says which key, or what is wrong with its parts)
        parse(*arguments)


class TestVersions:
    PARTS = texts | st.sampled_from(["v000000001", "v0_Audit", "Audit"])
    VERSIONS = st.integers(1, 999_999_999)

    @given(equipment=names, part=PARTS, version=VERSIONS)
    def test_an_audit_and_its_copy_name_equipment_and_part(self, equipment: str, part: str, version: int) -> None:
        assert audits_keys.parse(*audits_keys.audit(equipment, part, version)) == (equipment, part)
        assert audits_keys.parse(*audits_keys.newest(equipment, part)) == (equipment, part)

    @given(part=PARTS, other=PARTS, version=VERSIONS)
    def test_a_history_is_of_one_part_and_without_the_copy(self, part: str, other: str, version: int) -> None:
        history = audits_keys.history(part)
        assert audits_keys.audit("e", other, version).sk.startswith(history) == (part == other)
        assert not audits_keys.newest("e", other).sk.startswith(history)

    @given(part=PARTS, version=VERSIONS)
    def test_of_equipment_only_summary_and_newest_audits_are_one_range(self, part: str, version: int) -> None:
        low, high = aggregate_keys.SUMMARY, audits_keys.NEWEST_END
        assert audits_keys.audit("e", part, version).sk < low < audits_keys.newest("e", part).sk < high
