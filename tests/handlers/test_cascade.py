"""The cascade as Lambda calls it: what it sets aside, what it passes over, what comes again."""

import gzip
import json
from decimal import Decimal
from typing import Any

import pytest
from botocore.exceptions import ClientError

from edgewise.dynamodb import keys
from edgewise.dynamodb.queries import Query
from functions.handlers import cascade
from functions.systems.billing import amounts
from functions.systems.billing import items as billing_items
from functions.systems.billing import store as billing
from functions.systems.billing.entity import Bill, Billed, Invoice
from functions.systems.graph import store as graph
from functions.systems.graph.entity import GraphEdge, NodeId
from tests.support.crashes import dying_at
from tests.support.http import Context
from tests.support.streams import StreamedTable


@pytest.fixture
def records(table: StreamedTable) -> list[dict[str, Any]]:
    """A bill's change from 10 to 20, stored by a request that died before its invoice knew of it."""
    billing.put_bill(table, Bill("b", Decimal(10)))
    billing.put_invoice(table, Invoice("i"))
    billing.put_billed(table, "i", "b")
    with dying_at(table, 1, answer_lost=True):
        billing.put_bill(table, Bill("b", Decimal(20)))
    (shard,) = table.shards.values()
    found, shard[:] = list(shard), []
    return found


def amount(table: StreamedTable) -> Decimal:
    item = table.get(billing_items.BILLED.key("i", "b"))
    assert item is not None
    return billing_items.BILLED.decode(item).amount


def deliver(*records: dict[str, Any]) -> None:
    cascade.handler({"Records": list(records)}, Context())


def aside(table: StreamedTable) -> list[Any]:
    return list(table.query(Query(keys.join("QUARANTINE", "cascade"))).items)


def test_what_a_request_left_undone_is_finished(table: StreamedTable, records: list[dict[str, Any]]) -> None:
    for _ in range(2):
        deliver(*records)
        assert amount(table) == 20
    assert not aside(table)


@pytest.mark.parametrize(
    "image",
    [
        {"Type": {"S": "MESSAGE"}},
        billing_items.BILLED.encode(Billed("i", "b", Decimal(20), 2)),
        billing_items.BILLED.encode(Billed("unknown", "unknown", Decimal(20), 2)),
    ],
)
def test_what_entails_nothing_is_passed_over(table: StreamedTable, image: Any) -> None:
    deliver({"dynamodb": {"NewImage": image}}, {"dynamodb": {"OldImage": image}})
    assert table.all_items() == []


def test_a_record_that_cannot_be_understood_is_set_aside_whole_and_blocks_nobody(
    table: StreamedTable, records: list[dict[str, Any]]
) -> None:
    bad = json.loads(json.dumps(records[-1]))
    del bad["dynamodb"]["NewImage"]["Amount"]
    for _ in range(2):
        deliver(bad, *records)
    (kept,) = aside(table)
    assert kept["Text"] == {"S": "KeyError: 'Amount'"}
    assert json.loads(gzip.decompress(kept["Record"]["B"])) == bad
    assert amount(table) == 20


def test_what_can_not_be_finished_is_set_aside_and_everything_beside_it_is_finished(
    table: StreamedTable, records: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody foresaw why; it fails for one of two bills."""

    def failing(table: Any, bill: Bill, after: Any = None) -> Any:
        if bill.id == "poison":
            raise RuntimeError("nobody foresaw this")
        return carry_step(table, bill, after)

    carry_step = amounts.carry_step
    monkeypatch.setattr(amounts, "carry_step", failing)
    poison = json.loads(json.dumps(records[-1]).replace("BILL#b", "BILL#poison"))
    for _ in range(2):
        deliver(poison, *records)
    (kept,) = aside(table)
    assert kept["Text"] == {"S": "RuntimeError: nobody foresaw this"}
    assert json.loads(gzip.decompress(kept["Record"]["B"])) == poison
    assert amount(table) == 20


@pytest.mark.parametrize("record", [{}, {"dynamodb": None}, {"dynamodb": {"NewImage": {}}}])
def test_what_is_no_record_at_all_is_set_aside(table: StreamedTable, record: Any) -> None:
    deliver(record)
    assert len(aside(table)) == 1


def test_a_fault_of_the_table_is_raised_so_that_the_batch_comes_again(
    table: StreamedTable, records: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def throttled(*_: Any, **__: Any) -> None:
        raise ClientError({"Error": {"Code": "ThrottlingException", "Message": "slow down"}}, "PutItem")

    with monkeypatch.context() as patch:
        patch.setattr(table, "write", throttled)
        with pytest.raises(ClientError):
            deliver(*records)
    deliver(*records)
    assert amount(table) == 20


def test_all_new_edges_of_a_batch_take_three_reads(table: StreamedTable) -> None:
    nodes = [NodeId("person", str(number)) for number in range(5)]
    for node in nodes:
        graph.put_node(table, node, [], 1)
    for node in nodes:
        graph.put_edge(table, GraphEdge(nodes[0], "KNOWS", node, Decimal(1)))
    (shard,) = table.shards.values()
    table.usage.reset()
    deliver(*shard)
    # Of their ends, of their mirrors, and of the edges of these mirrors.
    assert (table.usage.requests, table.usage.write_units) == (3, 0)
