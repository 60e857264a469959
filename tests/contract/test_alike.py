"""The table in memory answers every query as DynamoDB Local does, or refuses it too."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from botocore.exceptions import ClientError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edgewise.dynamodb.attributes import n, s
from edgewise.dynamodb.queries import BeginsWith, Between, Equals, Page, Query
from edgewise.dynamodb.schema import BY_NUMBER, BY_TARGET
from edgewise.dynamodb.table import Table
from edgewise.failures import is_passing
from functions.replay.memory import MemoryTable

SORTS = ("a", "aa", "ab", "b", "ba", "é", "\ufffd", "\U0001f600")
NUMBERS = [Decimal(text) for text in ("-10", "-9.5", "0", "1e-7", "2", "10", "1e20", "9e125")]
ITEMS = [
    {"PK": s("p"), "SK": s(sort), "GSI2PK": s("i"), "GSI2SK": s(SORTS[-place]), "GSI3PK": s("i"), "Data": s(sort)}
    | ({"GSI3SK": n(NUMBERS[place])} if place % 4 else {})
    for place, sort in enumerate(SORTS)
]
texts = st.sampled_from((*SORTS, "bb", "c"))
numbers = st.sampled_from((*NUMBERS, Decimal(3)))
# Positions of no item: nothing says how an index sorts entries that have the same sort key.
no_texts, no_numbers = st.sampled_from(("0", "bb", "c")), st.sampled_from(("-1", "3", "9.1e125"))


def ranges(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Between]:
    """Most of them from low to high."""
    ordered = st.tuples(values, values).map(sorted).map(lambda bounds: Between(*bounds))
    return ordered | ordered | st.builds(Between, values, values)


of_texts = st.one_of(st.none(), texts.map(BeginsWith), texts.map(Equals), ranges(texts))
of_numbers = st.one_of(st.none(), ranges(numbers), ranges(numbers), ranges(texts))


@st.composite
def queries(draw: st.DrawFn) -> Query:
    """Any query, also one that is refused; most go on from an item, if they go on."""
    index = draw(st.sampled_from((None, BY_TARGET, BY_NUMBER)))
    query = Query(
        draw(st.sampled_from(("p", "i", "o", ""))) if draw(st.integers(0, 9)) == 0 else "i" if index else "p",
        draw(of_numbers if index is BY_NUMBER else of_texts),
        index,
        draw(st.booleans()),
        draw(st.none() | st.integers(0, 9) | st.integers(1, 9)),
        draw(st.booleans()) and not index,
    )
    entries = [item for item in ITEMS if query.sort_key in item]
    sorts = no_numbers if query.by_number else no_texts if index else texts
    positions = st.sampled_from(entries).map(query.position)
    elsewhere = st.builds(lambda position, sort: {**position, query.sort_key: sort}, positions, sorts)
    return replace(query, after=draw(st.one_of(st.none(), st.none(), positions, elsewhere)))


def answer(table: Table, query: Query) -> Page | None:
    """None: it is refused."""
    try:
        return table.query(query)
    except ClientError as error:
        if is_passing(error):
            raise
        return None


@pytest.fixture
def tables(engine_on_local: Table) -> tuple[Table, MemoryTable]:
    memory = MemoryTable()
    for table in (engine_on_local, memory):
        table.put_many(ITEMS)
    return engine_on_local, memory


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=queries())
def test_queries(tables: tuple[Table, MemoryTable], query: Query) -> None:
    local, memory = (answer(table, query) for table in tables)
    assert memory == local
