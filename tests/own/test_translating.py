"""Requests in the engine's words do on somebody's own table what they do on the engine's."""

import json
from base64 import b64encode
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edgewise import OwnTable
from edgewise.dynamodb.attributes import Item, key_item, n, s
from edgewise.dynamodb.client import client
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.pages import every
from edgewise.dynamodb.queries import Query
from edgewise.dynamodb.schema import BY_VALUE
from edgewise.dynamodb.table import CONFIG, RefusedError, Table, TransactionRefusedError
from edgewise.dynamodb.translating import ExistingTableClient
from edgewise.dynamodb.writes import Action, Check, Condition, Delete, Put
from tests.own.conftest import Opening
from tests.support.own_tables import NAME

KEY = Key("P", "one#two")
# What the engine's attributes are called, the last of which are keys of indexes; and what they hold.
NAMES = ("Type", "Version", "Cells", "Text", "GSI1PK", "GSI1SK", "GSI2PK")
VALUES = [n(1), n(2), s("a"), s("b"), {"B": b"\xff\x00"}, {"M": {"x": n(1)}}, {"L": [s("a")]}, {"M": {}}]
texts, numbers = st.sampled_from([s("a"), s("b")]), st.sampled_from([n(1), n(2), n(10)])


@st.composite
def items(draw: st.DrawFn) -> Item:
    """In the index or not, with any other attributes."""
    found: Item = {**key_item(KEY), "Type": s("SOME")}
    found |= {"GSI1PK": draw(texts), "GSI1SK": draw(texts)} if draw(st.booleans()) else {}
    others = st.dictionaries(st.sampled_from(["Cells", "Text", "GSI2PK"]), st.sampled_from(VALUES))
    versions = st.dictionaries(st.just("Version"), numbers)
    return found | draw(others) | draw(versions)


conditions = st.builds(
    Condition,
    present=st.lists(st.sampled_from(["PK", *NAMES]), max_size=2, unique=True).map(tuple),
    absent=st.lists(st.sampled_from(["PK", *NAMES]), max_size=2, unique=True).map(tuple),
    equal=st.dictionaries(st.sampled_from(NAMES[:4]), st.sampled_from(VALUES), max_size=2)
    | st.dictionaries(st.sampled_from(NAMES[4:]), texts, max_size=1),
    less=st.dictionaries(st.just("Version"), numbers, max_size=1),
    negated=st.booleans(),
).filter(lambda each: each.present or each.absent or each.equal or each.less) | st.one_of(st.none(), items()).map(
    Condition.as_read
)


@pytest.fixture(params=[("customer", "what", "SS"), ("Version", "Type", "SS"), ("Cells", "PK", "SB")], ids="/".join)
def table(request: pytest.FixtureRequest, opening: Opening) -> Table:
    """Somebody's, some of whose keys are called as attributes of the engine's are."""
    return opening(OwnTable(*request.param)).own.opened_by(client(CONFIG), NAME)


def done(table: Table, action: Action, how: str) -> tuple[bool, Item | None]:
    """Whether it is done, and the stored item that a refusal tells."""
    try:
        table.transact([action]) if how == "transaction" or isinstance(action, Check) else table.write(action)
    except RefusedError as error:
        return False, error.item
    except TransactionRefusedError as error:
        return False, error.found[0]
    return True, None


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    before=st.one_of(st.none(), items()),
    condition=conditions,
    kind=st.sampled_from([Put, Delete, Check]),
    how=st.sampled_from(["alone", "transaction"]),
)
def test_a_condition_decides_as_on_the_engines_table(
    table: Table, before: Item | None, condition: Condition, kind: Any, how: str
) -> None:
    table.put_many([before]) if before else table.write(Delete(KEY))
    after: Item = {**key_item(KEY), "Type": s("AFTER"), "Version": n(7)}
    action = Put(after, condition) if kind is Put else kind(KEY, condition)
    holds = condition.holds(before)
    assert done(table, action, how) == (holds, None if holds else before)
    stored = {Put: after, Delete: None, Check: before}[kind] if holds else before
    assert table.get(KEY) == stored
    assert table.get_many([KEY], consistent=True) == ({KEY: stored} if stored else {})


def test_what_the_index_tells_and_how_it_goes_on(table: Table) -> None:
    entries = [
        {**key_item(Key("P", str(number))), "GSI1PK": s("list"), "GSI1SK": s(f"{number % 2}"), "Cells": s("x")}
        | {"Type": s("SOME"), "Text": s(f"text {number}"), "Version": n(number)}
        for number in range(5)
    ]
    table.put_many([*entries, {**key_item(Key("P", "5")), "Type": s("SOME")}])
    query = Query("list", index=BY_VALUE)
    told = [{name: value for name, value in each.items() if name not in ("Cells", "Version")} for each in entries]
    for limit in (1, 2, 10):
        found = [item for page in every(table, query.part(limit)) for item in page.items]
        assert sorted(found, key=lambda each: each["SK"]["S"]) == told
        assert [each["GSI1SK"]["S"] for each in found] == sorted(each["GSI1SK"]["S"] for each in found)
    assert len([item for page in every(table, Query("P", limit=2)) for item in page.items]) == 6


@pytest.mark.parametrize("opening", ["dynamodb-local"], indirect=True)
def test_what_changes_beside_what_the_index_tells_costs_no_entry(table: Table) -> None:
    item: Item = {**key_item(KEY), "GSI1PK": s("list"), "GSI1SK": s("1"), "Type": s("SOME"), "Version": n(1)}
    paid = list[float]()
    for changed in (item, item | {"Version": n(2)}, item | {"Version": n(2), "Text": s("new")}):
        before = table.usage.write_units
        table.write(Put(changed))
        paid.append(table.usage.write_units - before)
    assert paid == [2, 1, 2]


class Unwilling:
    """A client that leaves all keys of a batch unprocessed, and all writes."""

    exceptions = None

    def batch_get_item(self, RequestItems: Any, **_: Any) -> Any:
        return {"Responses": {name: [] for name in RequestItems}, "UnprocessedKeys": RequestItems}

    def batch_write_item(self, RequestItems: Any, **_: Any) -> Any:
        return {"UnprocessedItems": RequestItems}


@pytest.mark.parametrize("name", [NAME, "Item", "Items", "Key", "Keys", "IndexName", "Responses"])
@pytest.mark.parametrize("forms", ["SS", "SB"])
def test_what_is_left_unprocessed_is_asked_for_again_in_the_engines_words(forms: str, name: str) -> None:
    """Whatever the table is called: its name is a key of these requests, beside those that have a meaning."""
    own = OwnTable("Type", "Version", forms)
    translating = ExistingTableClient(Unwilling(), own.existing(()))
    sort = "k1" if forms == "SS" else "ff01"
    keys = [key_item(KEY), key_item(Key("ITEM#ann", sort))]
    asked = {name: {"Keys": keys, "ConsistentRead": True}}
    assert translating.batch_get_item(RequestItems=asked) == {"Responses": {name: []}, "UnprocessedKeys": asked}
    writes = [{"PutRequest": {"Item": {**key_item(KEY), "Type": s("SOME"), "GSI1PK": s("a"), "GSI1SK": s("b")}}}]
    assert translating.batch_write_item(RequestItems={name: writes}) == {"UnprocessedItems": {name: writes}}


@pytest.mark.parametrize("forms", ["SS", "SB"])
def test_a_record_of_the_engines_is_told_as_it_was_delivered(forms: str) -> None:
    """Quarantine keeps it as JSON."""
    existing = OwnTable("customer", "what", forms).existing(())
    sort = {"S": "one"} if forms == "SS" else {"B": b64encode(b"one").decode()}
    keys = {"customer": {"S": "edgewise#P"}, "what": sort}
    image = {**keys, "Edgewise": {"M": {"Type": {"S": "SOME"}}}}
    record = {"dynamodb": {"SequenceNumber": "1", "Keys": keys, "NewImage": image}}
    told = existing.as_delivered(existing.record(record))
    assert json.loads(json.dumps(told)) == record
