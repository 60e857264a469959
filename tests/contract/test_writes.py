"""Conditional writes, transactions and reads by number, on every engine."""

from dataclasses import replace
from decimal import Decimal

import pytest

from edgewise.dynamodb.attributes import Item, n, s
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.queries import Between, Equals, Query
from edgewise.dynamodb.schema import BY_NUMBER
from edgewise.dynamodb.table import RefusedError, Table, TransactionRefusedError
from edgewise.dynamodb.writes import Check, Condition, Delete, Put
from tests.support.streams import Recording

ONE, TWO, THREE = (Key("P", name) for name in ("1", "2", "3"))


def item(key: Key, version: int = 1, **more: str) -> Item:
    return {"PK": s(key.pk), "SK": s(key.sk), "Version": n(version)} | {name: s(text) for name, text in more.items()}


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (Condition.PRESENT, True),
        (Condition.ABSENT, False),
        (Condition.at_version(1), True),
        (Condition.at_version(2), False),
        (Condition.at_version(0), False),
        (Condition(present=("PK", "Name"), absent=("Gone",), equal={"Name": s("x"), "Version": n(1)}), True),
        (Condition(present=("Gone",)), False),
        (Condition(absent=("Name",)), False),
        (Condition(equal={"Name": s("y")}), False),
        (Condition(equal={"Gone": s("x")}), False),
        (Condition(less={"Version": n(2)}), True),
        (Condition(equal={"Name": s("x")}, less={"Version": n(10)}), True),
        (Condition(less={"Version": n(1)}), False),
        (Condition(less={"Gone": n(1)}), False),
        (Condition(present=("PK",), absent=("Name",), negated=True), True),
        (Condition(present=("PK",), absent=("Gone",), negated=True), False),
    ],
)
@pytest.mark.parametrize("kind", ["put", "delete", "transaction"])
def test_a_condition_decides(engine: Recording, condition: Condition, holds: bool, kind: str) -> None:
    table: Table = engine
    before = item(ONE, Name="x")
    table.put_many([before])
    after = None if kind == "delete" else item(ONE, 7)
    write = Put(after, condition) if after else Delete(ONE, condition)
    if holds:
        table.transact([write]) if kind == "transaction" else table.write(write)
        assert table.get(ONE) == after
    elif kind == "transaction":
        with pytest.raises(TransactionRefusedError) as refused:
            table.transact([write])
        assert refused.value.found == {0: before}
    else:
        with pytest.raises(RefusedError) as refusal:
            table.write(write)
        assert refusal.value.item == table.get(ONE) == before


@pytest.mark.parametrize(
    "condition",
    [Condition.PRESENT, Condition.at_version(1), Condition(equal={"Name": s("x")}), Condition(less={"Version": n(9)})],
)
def test_what_is_not_there_fulfils_only_that_it_is_absent(engine: Recording, condition: Condition) -> None:
    with pytest.raises(RefusedError) as refusal:
        engine.write(Put(item(ONE), condition))
    assert refusal.value.item is None
    engine.write(Put(item(ONE), Condition.ABSENT))
    assert engine.get(ONE) == item(ONE)


def test_a_delete_without_condition_needs_nothing(engine: Recording) -> None:
    engine.write(Delete(ONE))
    engine.put_many([item(ONE)])
    engine.write(Delete(ONE))
    assert engine.get(ONE) is None


class TestTransactions:
    def test_all_is_done(self, engine: Recording) -> None:
        engine.put_many([item(TWO), item(THREE)])
        engine.transact(
            [Put(item(ONE), Condition.ABSENT), Delete(TWO, Condition.PRESENT), Check(THREE, Condition.at_version(1))]
        )
        assert engine.get_many([ONE, TWO, THREE]) == {ONE: item(ONE), THREE: item(THREE)}

    def test_or_nothing_and_every_refusal_says_what_is_there(self, engine: Recording) -> None:
        engine.put_many([item(TWO), item(THREE)])
        with pytest.raises(TransactionRefusedError) as refused:
            engine.transact(
                [
                    Put(item(ONE), Condition.PRESENT),
                    Delete(TWO, Condition.PRESENT),
                    Check(THREE, Condition.at_version(2)),
                ]
            )
        assert refused.value.found == {0: None, 2: item(THREE)}
        assert engine.get_many([ONE, TWO, THREE]) == {TWO: item(TWO), THREE: item(THREE)}

    def test_a_hundred_actions_fit(self, engine: Recording) -> None:
        wanted = [Key("P", f"{number:03d}") for number in range(100)]
        engine.transact([Put(item(key), Condition.ABSENT) for key in wanted])
        assert len(engine.get_many(wanted)) == 100


def test_a_sort_key_alone_is_found(engine: Recording) -> None:
    engine.put_many([item(ONE), item(Key("P", "11"))])
    assert engine.query(Query("P", Equals("1"))).items == [item(ONE)]


class TestByNumber:
    NUMBERS: tuple[Decimal, ...] = (
        Decimal("-2.5"),
        Decimal(0),
        Decimal("0.000000000000000001"),
        Decimal(9),
        Decimal(10),
        Decimal(10),
        Decimal(10**15),
    )

    @pytest.fixture
    def ranked(self, engine: Recording) -> Table:
        engine.put_many(
            [
                item(Key("P", f"{place}")) | {"GSI3PK": s("RANK"), "GSI3SK": n(number)}
                for place, number in enumerate(self.NUMBERS)
            ]
        )
        return engine

    def found(self, table: Table, query: Query) -> list[Decimal]:
        return [Decimal(item["GSI3SK"]["N"]) for item in table.query(query).items]

    def test_they_sort_as_numbers(self, ranked: Table) -> None:
        assert self.found(ranked, Query("RANK", None, BY_NUMBER)) == list(self.NUMBERS)
        assert self.found(ranked, Query("RANK", None, BY_NUMBER, forward=False)) == list(self.NUMBERS)[::-1]

    def test_a_range_includes_both_ends(self, ranked: Table) -> None:
        assert self.found(ranked, Query("RANK", Between(0, Decimal(10)), BY_NUMBER)) == list(self.NUMBERS[1:6])

    @pytest.mark.parametrize("forward", [True, False])
    def test_pages_together_are_the_whole_also_among_equals(self, ranked: Table, forward: bool) -> None:
        query: Query | None = Query("RANK", None, BY_NUMBER, forward, limit=1)
        places: list[str] = []
        while query:
            page = ranked.query(query)
            places += [item["SK"]["S"] for item in page.items]
            query = replace(query, after=page.next) if page.next else None
        assert sorted(places) == [str(place) for place in range(len(self.NUMBERS))]
