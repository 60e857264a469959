"""Replacements on every engine: statements do to an item what puts do."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edgewise.dynamodb.attributes import Item, n, s
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import Table
from edgewise.dynamodb.writes import Replacement, Reply
from tests.contract.conftest import bare
from tests.support.streams import Recording


def item(name: str, version: int, **more: Any) -> Item:
    return {"PK": s("P"), "SK": s(name), "Version": n(version)} | more


@pytest.fixture(params=["puts", "statements"])
def table(engine: Recording, request: pytest.FixtureRequest) -> Table:
    """The engine's table, without the recording."""
    found = bare(engine)
    found.statements = request.param == "statements"
    if found.statements and "moto" in request.node.name:
        pytest.skip("moto knows no UPDATE with REMOVE")
    return found


def test_each_has_its_own_fate(table: Table) -> None:
    a, b, c = item("a", 1, Gone=s("x"), GSI1PK=s("list"), GSI1SK=s("1")), item("b", 1), item("c", 1)
    first = table.replace_many([Replacement(each, None) for each in (a, b)])
    assert first == [Reply.TAKEN, Reply.TAKEN]
    later = item("a", 2, Seqs={"B": b"\x00\xff"}, Cells={"M": {"odd \"name's": s("1 2"), "Count": n(7)}})
    second = table.replace_many(
        [
            Replacement(later, a),
            Replacement(item("b", 3), item("b", 2)),
            Replacement(c, None),
            Replacement(item("d", 2), item("d", 1)),
        ]
    )
    assert second == [Reply.TAKEN, Reply.REFUSED, Reply.TAKEN, Reply.REFUSED]
    assert [table.get(Key("P", name)) for name in "abcd"] == [later, b, c, None]
    assert table.replace_many([Replacement(a, None), Replacement(item("c", 2), c)]) == [Reply.REFUSED, Reply.TAKEN]


def test_any_version_that_was_read_can_be_replaced(table: Table) -> None:
    """Nobody but a person writes 0, which is not the same as no item: refused for ever, it would stop a shard."""
    table.put_many([item("a", 0), item("b", 0)])
    both = [Replacement(item(name, 1), item(name, 0)) for name in "ab"]
    assert table.replace_many(both[:1]) == [Reply.TAKEN]
    assert table.replace_many(both) == [Reply.REFUSED, Reply.TAKEN]


def test_what_is_too_large_is_unclear_and_stops_no_other(table: Table) -> None:
    large = item("a", 1, Text=s("x" * 410_000))
    found = table.replace_many([Replacement(large, None), Replacement(item("b", 1), None)])
    assert found == [Reply.UNCLEAR, Reply.TAKEN]
    assert table.get(Key("P", "a")) is None


@pytest.mark.parametrize("others", [["a"], [*map(str, range(24))]], ids=["twice", "26"])
def test_a_request_that_is_refused_says_nothing_of_its_statements(table: Table, others: list[str]) -> None:
    """A request has at most 25 statements, and no two of them about one item; puts have a request each."""
    asked = [Replacement(item(name, 1), None) for name in ("a", *others, "z")]
    found = table.replace_many(asked)
    if table.statements:
        assert set(found) == {Reply.UNCLEAR}
    else:
        assert found.count(Reply.TAKEN) == len({each.item["SK"]["S"] for each in asked})


values = st.one_of(
    st.text(max_size=20).map(s),
    st.integers(-(10**30), 10**30).map(n),
    st.binary(max_size=20).map(lambda some: {"B": some}),
    st.booleans().map(lambda some: {"BOOL": some}),
    st.dictionaries(st.text(min_size=1, max_size=10), st.text(max_size=10).map(s), max_size=3).map(
        lambda some: {"M": some}
    ),
)
names = st.sampled_from(["Type", "Seqs", "Cells", "Full", "Lacks", "Due", "Text"])
contents = st.dictionaries(names, values)


@pytest.fixture
def by_statements(engine_on_local: Recording) -> Table:
    return Table(engine_on_local.name, engine_on_local.client, statements=True)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=contents, after=contents, number=st.integers(1, 10**12))
def test_a_statement_leaves_the_item_that_a_put_would(
    by_statements: Table, before: dict[str, Any], after: dict[str, Any], number: int
) -> None:
    for name in ("put", "statement"):
        by_statements.put_many([item(name, number, **before)])
    by_statements.replace(Replacement(item("put", number + 1, **after), item("put", number, **before)))
    of_statement = Replacement(item("statement", number + 1, **after), item("statement", number, **before))
    other = Replacement(item("other", number), None)
    assert by_statements.replace_many([of_statement, other])[0] is Reply.TAKEN
    found = [by_statements.get(Key("P", name)) or {} for name in ("put", "statement")]
    assert found[0] | {"SK": s("")} == found[1] | {"SK": s("")} == item("", number + 1, **after)
