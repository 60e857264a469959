"""The model of write units says what the engine reports; and statements are read as they were written."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks import engine, statements
from edgewise.dynamodb import units
from edgewise.dynamodb.attributes import Item, n, s
from edgewise.dynamodb.table import Table
from edgewise.dynamodb.writes import Replacement


@pytest.fixture(scope="module")
def table(java: None) -> Iterator[Table]:
    with engine.running():
        yield engine.create("units")


texts = st.sampled_from(["", "a", "b" * 500, "c" * 1_500])
indexed = st.one_of(
    st.just({}),
    st.builds(lambda one, two: {"GSI1PK": s(one), "GSI1SK": s(two)}, *[st.sampled_from(["x", "y"])] * 2),
    st.builds(lambda one, two: {"GSI3PK": s(one), "GSI3SK": n(two)}, st.sampled_from(["x", "y"]), st.integers(1, 2)),
)
contents = st.builds(
    lambda text, data, seqs, keys, more: (
        {"Type": s("A"), "Text": s(text), "Data": s(data), "Seqs": s(seqs)} | keys | more
    ),
    *[texts, texts, texts, indexed, indexed],
)


names = count()


def of(name: str, version: int, content: Item) -> Item:
    return {"PK": s("P"), "SK": s(name), "Version": n(version)} | content


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(contents=st.lists(contents, min_size=1, max_size=4))
def test_a_put_costs_what_the_engine_reports(table: Table, contents: list[Item]) -> None:
    former, name = None, f"{next(names)}"
    for version, content in enumerate(contents, start=1):
        item = of(name, version, content)
        table.usage.reset()
        table.replace(Replacement(item, former))
        assert table.usage.write_units == units.of_put(former, item)
        former = item


@given(before=contents, after=contents)
def test_a_statement_is_read_as_it_was_written(before: Item, after: Item) -> None:
    old, new = of("s", 1, before), of("s", 2, after)
    assert statements.written(Replacement(old, None).statement("T")) == old
    assert statements.written(Replacement(new, old).statement("T")) == new


def test_refused_statements_are_counted_and_wrote_nothing() -> None:
    item = of("s", 1, {})
    sent = [Replacement(item, None).statement("T")] * 3
    codes: list[Any] = [
        {"Error": {"Code": "DuplicateItem"}},
        {"TableName": "T"},
        {"Error": {"Code": "ThrottlingError"}},
    ]
    assert (list(statements.taken(sent, codes)), statements.refused(codes)) == ([item], 1)
