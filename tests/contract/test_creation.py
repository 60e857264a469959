"""Items that are written unless their keys are taken, on every engine: what was there stays."""

from collections.abc import Sequence
from typing import Any

import pytest

from edgewise.dynamodb.attributes import Item, key_of, s
from edgewise.dynamodb.creation import created_many
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import Table
from edgewise.dynamodb.writes import Delete
from tests.contract.conftest import bare
from tests.support.streams import Recording
from tests.support.throttles import answered

ASKED = "BatchExecuteStatement"


def item(number: int, **more: Any) -> Item:
    return {"PK": s("P"), "SK": s(f"{number:03d}"), "Text": s("new")} | more


@pytest.fixture(params=["puts", "statements"])
def table(engine: Recording, request: pytest.FixtureRequest) -> Table:
    """The engine's table, without the recording. Moto takes no statements: each then goes as a put."""
    found = bare(engine)
    found.statements = request.param == "statements"
    return found


def by_key(items: Sequence[Item]) -> dict[Key, Item]:
    return {key_of(item): item for item in items}


def stored(table: Table, number: int) -> Item | None:
    return table.get(Key("P", f"{number:03d}"))


def test_what_exists_stays_and_is_returned(table: Table) -> None:
    before = [item(number, Text=s("old"), More={"M": {"a \"b' c": s("?")}}) for number in (0, 24, 25, 59)]
    table.put_many(before)
    found = created_many(table, [item(number) for number in range(60)])
    assert found == by_key(before)
    now = [before[0], item(1), before[1], item(26), before[3]]
    assert [stored(table, number) for number in (0, 1, 24, 26, 59)] == now


def test_nothing_is_written_twice(table: Table) -> None:
    """As when the answer to a request got lost, and the SDK repeats it."""
    new = [item(number) for number in range(3)]
    assert created_many(table, new) == {}
    assert created_many(table, new) == by_key(new)
    assert created_many(table, []) == {}


def test_what_is_removed_in_between_is_written_all_the_same(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    old = [item(number, Text=s("old")) for number in (0, 1)]
    table.put_many(old)
    removals, get_many = iter([Key("P", "000")]), table.get_many

    def meanwhile(wanted: Sequence[Key], *, consistent: bool) -> dict[Key, Item]:
        for key in removals:
            table.write(Delete(key))
        return get_many(wanted, consistent=consistent)

    monkeypatch.setattr(table, "get_many", meanwhile)
    assert created_many(table, [item(0), item(1)]) == {Key("P", "001"): old[1]}
    assert stored(table, 0) == item(0)


def test_a_statement_that_is_throttled_is_repeated_as_a_put(engine_on_local: Recording) -> None:
    table = Table(engine_on_local.name, engine_on_local.client, statements=True)
    there = item(1, Text=s("old"))
    table.put_many([there])
    throttled = {"Error": {"Code": "ThrottlingError", "Message": "too much"}}
    with answered(table.client, lambda operation, _: {"Responses": [throttled] * 2} if operation == ASKED else None):
        assert created_many(table, [item(0), item(1)]) == {Key("P", "001"): there}
    assert stored(table, 0) == item(0)
