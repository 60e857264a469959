"""Whatever forms a table's keys have, DynamoDB takes each request: moto does not mind, so this asks DynamoDB Local."""

from collections.abc import Iterator
from typing import Any

import pytest

from delivery import NONE
from edgewise import Item, OwnTable, totals
from edgewise.dynamodb.attributes import Attribute
from edgewise.own.totals import Totals
from tests.support.own_tables import NAME, Shop

FORMS = ["SS", "SB", "SN", "BS", "BB", "NS", "NN", "S", "N", "B"]


def is_paid(item: Item) -> bool:
    return item["state"] == {"S": "paid"}


def is_paid_now(item: Item) -> bool:
    return item.get("state", {"S": "paid"}) == {"S": "paid"}


def declared(own: OwnTable, where: Any, backfill: str = "") -> tuple[Totals, ...]:
    """Written directly, with extremes; by edges; and by carriers, with a ranking and its roster."""
    orders = own.items("order", where)
    return (
        totals(orders, "KEY", by=own.partition, of="euros", extremes=True, backfill=backfill),
        totals(orders, "BUYERS", by=own.partition, distinct="who", backfill=backfill),
        totals(orders, "PRODUCT", by="product", of="euros", top=10, backfill=backfill),
    )


@pytest.fixture(params=FORMS)
def own(request: pytest.FixtureRequest) -> OwnTable:
    forms = str(request.param)
    return OwnTable("customer", "what" if len(forms) > 1 else "", forms)


@pytest.fixture
def shop(own: OwnTable, java: None, dynamodb_local: str, aws_env: pytest.MonkeyPatch) -> Iterator[Shop]:
    aws_env.setenv("AWS_ENDPOINT_URL_DYNAMODB", dynamodb_local)
    made = Shop(own, 3, NONE)
    yield made
    for name in made.streams:
        made.owner.delete_table(TableName=name)


def key(form: str, number: int) -> Attribute:
    values: dict[str, Attribute] = {"S": {"S": f"k{number}"}, "N": {"N": str(number)}, "B": {"B": bytes([255, number])}}
    return values[form]


def order(shop: Shop, number: int, euros: int, **more: Any) -> None:
    forms = shop.own.forms
    keys = {name: key(form, 1 if at == 0 < len(forms) - 1 else number) for at, (name, form) in enumerate(_keys(shop))}
    product = ("mug", "tea")[number % 2]
    item: Any = {"who": {"S": f"w{number % 2}"}, "product": {"S": product}, "euros": {"N": str(euros)}}
    shop.owner.put_item(TableName=NAME, Item=keys | item | more)


def _keys(shop: Shop) -> list[tuple[str, str]]:
    return list(shop.own.keys.items())


def _group(form: str) -> str:
    return {"S": "k1", "N": "1", "B": "ff01"}[form]


PAID = {"state": {"S": "paid"}}


def test_every_command_is_done(shop: Shop, own: OwnTable) -> None:
    """Two orders can't be read: one is applied after a fix, the other one discarded before."""
    group, alone = _group(own.forms[0]), not own.sort
    shop.deploy(*declared(own, is_paid))
    with shop.delivered():
        order(shop, 1, 10, **PAID)
        order(shop, 2, 20, **PAID)
        order(shop, 3, 5)
        order(shop, 4, 7)
        shop.drain()
        first, second = shop.command(do="list")["records"]
        assert shop.command(do="apply")["left"] == 2
        assert shop.command(do="discard", shard=second["shard"], sequence=second["sequence"]) == {"discarded": 1}
        shop.deploy(*declared(own, is_paid_now))
        assert shop.command(do="apply") == {"applied": 1, "malformed": [], "left": 0}
        shop.drain()
        assert first["error"] == second["error"]
        for kind in ("KEY", "BUYERS"):
            asked = shop.command(do="recount", kind=kind, dimensions=[group])
            assert "error" not in asked, asked
        repaired = shop.command(do="recount", kind="KEY", dimensions=[group], repair=True)
        assert "error" not in repaired, repaired
        shop.drain()
        found = declared(own, is_paid_now)[0].read(shop.table, group)
        assert (found.count, int(found.sum), found.complete) == ((1, 10, True) if alone else (4, 42, True))
        top = declared(own, is_paid_now)[2].first(shop.table, 3)
        assert [each.member for each in top.standings] == ["mug", "tea"], "of 20 and 10, and 5 or 7 more of one"
        assert not top.complete, "one of its orders was discarded"
        swept = shop.command(do="sweep")
        assert swept["complete"], swept


def test_a_backfill_counts_what_was_there(shop: Shop, own: OwnTable) -> None:
    group, alone = _group(own.forms[0]), not own.sort
    with shop.delivered():
        with shop.before():
            order(shop, 1, 10)
            order(shop, 2, 20)
        shop.deploy(*declared(own, is_paid_now, "first"))
        while not shop.command(do="backfill", per_second=5000)["complete"]:
            shop.wait(60)
        shop.drain()
        found = declared(own, is_paid_now, "first")[0].read(shop.table, group)
        assert (found.count, int(found.sum)) == ((1, 10) if alone else (2, 30))
        shop.wait(24 * 3600)
        shop.deploy(*declared(own, is_paid_now))
        assert shop.command(do="forget", backfill="first")["complete"]


@pytest.mark.parametrize("own", ["SB", "N"], indirect=True)
def test_what_counts_nothing_is_swept(shop: Shop, own: OwnTable) -> None:
    shop.deploy(*declared(own, is_paid_now))
    with shop.delivered():
        order(shop, 1, 10)
        shop.drain()
        keys = {name: key(form, 1) for name, form in _keys(shop)}
        shop.owner.delete_item(TableName=NAME, Key=keys)
        shop.drain()
        shop.wait(4 * 24 * 3600)
        swept = shop.command(do="sweep")
    assert swept["removed"] > 0, swept
