"""A total says that it is complete only if no record is set aside that may belong to it."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from random import Random
from typing import Any
from unittest.mock import patch

import boto3
import pytest
from moto import mock_aws

from delivery import window_event
from edgewise import Item, OwnTable, totals
from edgewise.aggregates import doubts
from edgewise.errors import PassingError
from edgewise.own.totals import Totals
from edgewise.stream import lost, register, telling
from edgewise.stream.last_line import UnreadableError
from tests.support.http import Context
from tests.support.own_tables import NAME, TOLD, Shop, deployed

OWN = OwnTable("customer", "what")


def is_paid(item: Item) -> bool:
    """As the shop wrote it first: there are orders without a state."""
    return item["state"] == {"S": "paid"}


def is_paid_now(item: Item) -> bool:
    return item.get("state", {"S": "paid"}) == {"S": "paid"}


def of(where: Any) -> tuple[Totals, Totals, Totals]:
    """Written directly, by carriers, and by edges."""
    orders = OWN.items("order", where)
    return (
        totals(orders, "CUSTOMER", by="customer", of="euros", extremes=True),
        totals(orders, "PRODUCT", by="product", of="euros", top=10),
        totals(orders, "BUYERS", by="product", of="euros", distinct="customer", top=10),
    )


CUSTOMER, PRODUCT, BUYERS = DECLARED = of(is_paid)
PAID: dict[str, Any] = {"state": {"S": "paid"}}


@pytest.fixture
def shop(aws_env: pytest.MonkeyPatch) -> Iterator[Shop]:
    with deployed(OWN, *DECLARED) as made:
        yield made


def order(shop: Shop, number: int, euros: int, customer: str = "ann", product: str = "tea", **more: Any) -> None:
    item: Any = {"customer": {"S": customer}, "what": {"S": f"order-{number}"}, "euros": {"N": str(euros)}, **more}
    shop.owner.put_item(TableName=NAME, Item=item | {"product": {"S": product}})


def cancel(shop: Shop, number: int, customer: str = "ann") -> None:
    shop.owner.delete_item(TableName=NAME, Key={"customer": {"S": customer}, "what": {"S": f"order-{number}"}})


def told(shop: Shop, declared: Totals, value: str) -> tuple[int, int, bool]:
    found = declared.read(shop.table, value, TOLD)
    return found.count, int(found.sum), found.complete


def complete(shop: Shop) -> dict[str, bool]:
    """Of which of the totals somebody may trust the number."""
    read = {value: CUSTOMER.read(shop.table, value).complete for value in ("ann", "bob")}
    read |= {value: PRODUCT.read(shop.table, value, TOLD).complete for value in ("tea", "mug")}
    read |= {f"buyers of {value}": BUYERS.read(shop.table, value, TOLD).complete for value in ("tea", "mug")}
    ranked = {"first": PRODUCT.first(shop.table, 5, TOLD), "most": BUYERS.first(shop.table, 5, TOLD)}
    return read | {name: top.complete for name, top in ranked.items()}


ALL = {"ann", "bob", "tea", "mug", "buyers of tea", "buyers of mug", "first", "most"}
OF_THE_ORDER = {"ann", "tea", "buyers of tea", "first", "most"}


def doubted(shop: Shop) -> set[str]:
    return {name for name, trusted in complete(shop).items() if not trusted}


def test_what_an_order_may_belong_to_is_not_complete_until_it_is_applied(shop: Shop) -> None:
    with shop.delivered():
        order(shop, 1, 10, **PAID)
        order(shop, 1, 5, "bob", "mug", **PAID)
        shop.drain()
        assert doubted(shop) == set()
        order(shop, 2, 20)
        shop.drain()
        assert told(shop, CUSTOMER, "ann") == (1, 10, False)
        assert doubted(shop) == OF_THE_ORDER
        cancel(shop, 2)
        shop.drain()
        assert doubted(shop) == OF_THE_ORDER
        shop.deploy(*of(is_paid_now))
        assert shop.command(do="apply")["applied"] == 2
        shop.drain()
        assert doubted(shop) == set()
        assert told(shop, CUSTOMER, "ann") == (1, 10, True)


def test_both_what_an_order_was_and_what_it_is_now_are_doubted(shop: Shop) -> None:
    with shop.delivered():
        order(shop, 2, 20, product="tea")
        order(shop, 2, 20, product="mug")
        shop.drain()
        assert doubted(shop) == ALL - {"bob"}


def test_an_order_whose_group_nobody_can_tell_is_doubted_everywhere(shop: Shop) -> None:
    with shop.delivered():
        item: Any = {"customer": {"S": "ann"}, "what": {"S": "order-1"}, "product": {"L": []}}
        shop.owner.put_item(TableName=NAME, Item=item | PAID)
        shop.drain()
        assert doubted(shop) == ALL - {"bob"}, "the customer is told by the key"


def test_what_is_about_to_be_set_aside_is_doubted_before_anything_is_written(shop: Shop) -> None:
    read, real = list[Any](), telling.set_aside

    def set_aside(*arguments: Any) -> None:
        read.append((told(shop, CUSTOMER, "ann"), doubted(shop)))
        real(*arguments)

    with patch("edgewise.stream.invocation.set_aside", set_aside), shop.delivered():
        order(shop, 1, 10, **PAID)
        order(shop, 2, 20)
        shop.drain()
    assert read == [((1, 10, False), OF_THE_ORDER)]


def test_what_an_invocation_announced_that_died_is_settled_when_its_batch_comes_again(shop: Shop) -> None:
    def killed(*_: Any) -> None:
        raise PassingError("the sandbox is gone")

    with shop.delivered():
        order(shop, 1, 10, **PAID)
        order(shop, 2, 20)
        (shard,) = (each for each in shop.streams[NAME].shards if any("order-2" in one.item for one in each.records))
        arn = shop.streams[NAME].source.arn
        event = window_event(shard.id, [each.form for each in shard.records]) | {"eventSourceARN": arn}
        with patch("edgewise.stream.invocation.set_aside", killed), pytest.raises(PassingError):
            shop.handler(event, Context())
        assert told(shop, CUSTOMER, "ann")[2] is False
        shop.deploy(*of(is_paid_now))
        shop.handler(event, Context())
        assert told(shop, CUSTOMER, "ann")[2] is True
        shop.drain()
        assert told(shop, CUSTOMER, "ann") == (2, 30, True)
        assert shop.command(do="list")["count"] == 0


def _records(shop: Shop) -> list[Any]:
    """The records of the shop's own items, as of one shard."""
    found = (each for shard in shop.streams[NAME].shards for each in shard.records if "order-" in each.item)
    return sorted(found, key=lambda each: each.sequence)


def test_what_has_left_quarantine_takes_no_place_there_when_it_comes_again(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a release that can't read it, as after one that was rolled back."""
    with shop.delivered():
        for number in range(1, 7):
            order(shop, number, 10)
        shop.drain()
        shop.deploy(*of(is_paid_now))
        assert shop.command(do="apply")["applied"] == 6
        shop.deploy(*DECLARED)
        monkeypatch.setattr(register, "LIMIT", 1)
        for simulator in shop.simulators:
            simulator.renew()
        order(shop, 7, 30)
        shop.drain()
        assert len(shop.command(do="list")["records"]) == 1
        assert told(shop, CUSTOMER, "ann") == (6, 60, False)


def test_what_was_discarded_is_lacking_until_a_recount(shop: Shop) -> None:
    with shop.delivered():
        order(shop, 1, 10)
        order(shop, 2, 20, **PAID)
        shop.drain()
        (aside,) = shop.command(do="list")["records"]
        assert shop.command(do="discard", shard=aside["shard"], sequence=aside["sequence"]) == {"discarded": 1}
        assert doubted(shop) == OF_THE_ORDER
        noted = {(each["kind"], *each["dimensions"]) for each in shop.command(do="list")["incomplete"]}
        assert noted == {("CUSTOMER", "ann"), ("PRODUCT", "tea"), ("BUYERS", "tea")}
        shop.deploy(*of(is_paid_now))
        order(shop, 1, 25, **PAID)
        shop.drain()
        assert told(shop, CUSTOMER, "ann")[2] is False
        shop.command(do="recount", kind="CUSTOMER", dimensions=["ann"], repair=True)
        shop.drain()
        assert told(shop, CUSTOMER, "ann") == (2, 45, True)
        assert doubted(shop) == OF_THE_ORDER - {"ann"}


def test_what_lacks_a_record_of_which_nothing_is_known_is_doubted_until_somebody_vouches_for_it(shop: Shop) -> None:
    with shop.delivered():
        item: Any = {"customer": {"S": "ann"}, "what": {"S": "order-1"}, "product": {"L": []}}
        shop.owner.put_item(TableName=NAME, Item=item | PAID)
        shop.drain()
        (aside,) = shop.command(do="list")["records"]
        shop.command(do="discard", shard=aside["shard"], sequence=aside["sequence"])
        told = shop.command(do="list")["doubted"]
        assert {name for name in told if " " not in name} == {"PRODUCT", "BUYERS"}
        for name in told:
            assert shop.command(do="trust", name=name) == {"trusted": 1}
        assert doubted(shop) == {"ann"}, "it says itself that it lacks the record"


def test_a_total_that_edges_count_is_not_trusted_because_it_equals_them(shop: Shop) -> None:
    with shop.delivered():
        order(shop, 1, 10)
        order(shop, 2, 20, **PAID)
        shop.drain()
        (aside,) = shop.command(do="list")["records"]
        shop.command(do="discard", shard=aside["shard"], sequence=aside["sequence"])
        refused = shop.command(do="recount", kind="BUYERS", dimensions=["tea"], repair=True)
        assert refused["error"].startswith("repair: is counted by edges, which may lack the same")
        assert "buyers of tea" in doubted(shop)


def test_what_of_a_discarded_record_can_be_read_is_applied(shop: Shop) -> None:
    """It was set aside for two sets, of which a release can read one by now."""

    def strict(where: Any) -> Totals:
        return totals(OWN.items("strict", where), "STRICT", by="customer", of="euros")

    shop.deploy(*DECLARED, strict(is_paid))
    with shop.delivered():
        order(shop, 1, 10)
        shop.drain()
        now = strict(is_paid_now)
        shop.deploy(*DECLARED, now)
        (aside,) = shop.command(do="list")["records"]
        shop.command(do="discard", shard=aside["shard"], sequence=aside["sequence"])
        shop.drain()
        assert told(shop, now, "ann")[:2] == (1, 10)
        assert told(shop, CUSTOMER, "ann") == (0, 0, False)


@pytest.fixture
def give_up(shop: Shop) -> Iterator[Callable[..., None]]:
    """Lets the mapping give up the records of some orders, as Lambda does after 23 hours."""
    lost.client.cache_clear()
    client = boto3.client("s3")
    client.create_bucket(Bucket="given-up")

    def given_up(*orders: str) -> None:
        records = [each.form for each in _records(shop) if any(order in each.item for order in orders)]
        event = window_event(_shard_of(shop, orders[0]), records)
        payload = {"requestContext": {"condition": "RecordAgeExceeded"}, "payload": json.dumps(event)}
        client.put_object(Bucket="given-up", Key="some", Body=json.dumps(payload).encode())
        shop.handler({"detail": {"bucket": {"name": "given-up"}, "object": {"key": "some"}}}, Context())

    yield given_up
    lost.client.cache_clear()


def _shard_of(shop: Shop, order: str) -> str:
    (found,) = {each.id for each in shop.streams[NAME].shards if any(order in one.item for one in each.records)}
    return found


def test_what_was_given_up_and_can_not_be_read_is_doubted(shop: Shop, give_up: Callable[..., None]) -> None:
    with shop.delivered():
        order(shop, 1, 10, **PAID)
        shop.drain()
        order(shop, 2, 20)
        with pytest.raises(UnreadableError):
            give_up("order-2")
        assert doubted(shop) == OF_THE_ORDER


def test_who_is_first_is_not_known_while_one_lacks_something_whom_no_ranking_names(
    shop: Shop, give_up: Callable[..., None]
) -> None:
    with shop.delivered():
        order(shop, 1, 10, product="tea", **PAID)
        shop.drain()
        assert doubted(shop) == set()
        order(shop, 2, 20, product="mug", **PAID)
        give_up("order-2")
        assert [each.member for each in PRODUCT.first(shop.table, 5).standings] == ["tea"], "mug would be before it"
        assert doubted(shop) == ALL - {"bob", "tea"}


def test_the_attribute_whose_values_are_distinct_may_have_spaces_in_its_name(
    shop: Shop, give_up: Callable[..., None]
) -> None:
    bob, eve = ({**PAID, "the buyer": {"S": each}} for each in ("bob", "eve"))
    spaced = totals(OWN.items("order", is_paid), "SPACED", by="product", of="euros", distinct="the buyer", top=3)
    shop.deploy(spaced)
    with shop.delivered():
        order(shop, 1, 10, **bob)
        shop.drain()
        assert told(shop, spaced, "tea") == (1, 10, True)
        order(shop, 2, 20, **eve)
        give_up("order-2")
        shop.drain()
        assert told(shop, spaced, "mug")[2] is False, "an edge does not tell of which total it is"
        assert not spaced.first(shop.table, 3, TOLD).complete


def test_an_order_that_was_there_before_is_lacking_if_its_mark_was_given_up(
    shop: Shop, give_up: Callable[..., None]
) -> None:
    """All that the mark's record changes is that the order counts."""
    filled, _, _ = (replace(each, backfill="first") for each in DECLARED)
    with shop.delivered():
        with shop.before():
            order(shop, 1, 10, **PAID)
        shop.deploy(filled)
        shop.drain()
        assert shop.command(do="backfill")["complete"]
        give_up("order-1")
        shop.deploy(CUSTOMER)
        shop.drain()
        assert told(shop, CUSTOMER, "ann") == (0, 0, False)


def test_what_a_release_announced_that_died_is_doubted_no_more_once_it_is_noted_as_given_up(
    shop: Shop, give_up: Callable[..., None]
) -> None:
    def killed(*_: Any) -> None:
        raise PassingError("the sandbox is gone")

    with shop.delivered():
        order(shop, 2, 20)
        event = window_event(_shard_of(shop, "order-2"), [each.form for each in _records(shop)])
        event |= {"eventSourceARN": shop.streams[NAME].source.arn}
        with patch("edgewise.stream.invocation.set_aside", killed), pytest.raises(PassingError):
            shop.handler(event, Context())
        shop.deploy(*of(is_paid_now))
        give_up("order-2")
        assert shop.command(do="list")["count"] == 0
        assert doubted(shop) == OF_THE_ORDER | {"buyers of mug"}, "an edge does not tell of which total it is"
        shop.command(do="recount", kind="CUSTOMER", dimensions=["ann"], repair=True)
        assert told(shop, CUSTOMER, "ann") == (1, 20, True)


def test_what_was_announced_and_comes_no_more_is_left_to_people_after_36_hours(shop: Shop) -> None:
    def killed(*_: Any) -> None:
        raise PassingError("the sandbox is gone")

    with shop.delivered():
        order(shop, 2, 20)
        event = window_event("shardId-closed", [each.form for each in _records(shop)])
        event |= {"eventSourceARN": shop.streams[NAME].source.arn}
        with patch("edgewise.stream.invocation.set_aside", killed), pytest.raises(PassingError):
            shop.handler(event, Context())
        shop.deploy(*of(is_paid_now))
        shop.drain()
        assert "ann" in doubted(shop), "nobody settles what the other shard announced"
        (name,) = (each for each in shop.command(do="list")["doubted"] if each.startswith("CUSTOMER"))
        assert "error" in shop.command(do="trust", name=name), "a batch may still end it"
        shop.wait(37 * 3600)
        shop.command(do="sweep")
        assert "ann" in doubted(shop)
        assert shop.command(do="trust", name=name) == {"trusted": 1}
        assert "ann" not in doubted(shop)


def test_a_total_that_has_lost_more_than_it_had_is_not_complete(shop: Shop) -> None:
    """What was stored before the first deployment was never counted, and goes. Of edges, nothing tells that."""
    with shop.delivered():
        with shop.before():
            order(shop, 1, 10, **PAID)
            order(shop, 1, 10, "bob", "mug", **PAID)
        cancel(shop, 1)
        order(shop, 1, 25, "bob", "mug", **PAID)
        shop.drain()
        for declared, values in ((CUSTOMER, ("ann", "bob")), (PRODUCT, ("tea", "mug"))):
            assert [told(shop, declared, value) for value in values] == [(0, 0, False)] * 2, declared.name


def test_a_read_is_one_request_and_what_it_says_beside_the_total_costs_a_unit_at_most(shop: Shop) -> None:
    with shop.delivered():
        for number in range(30):
            order(shop, number, 10, f"customer-{number}", f"product-{number}")
        shop.drain()
        asked = list[str]()
        shop.engine.meta.events.register("before-call.dynamodb.*", lambda model, **_: asked.append(model.name))
        CUSTOMER.read(shop.table, "ann")
        assert asked == ["BatchGetItem"] * 2, "what is doubted has just changed"
        shop.wait(6 * 60)
        CUSTOMER.read(shop.table, "ann")
        assert asked == ["BatchGetItem"] * 3
    (told,) = shop.table.get_many([doubts.KEY]).values()
    assert len(json.dumps(told)) < 4096


@pytest.mark.parametrize("seed", range(2))
def test_no_total_that_is_called_complete_is_wrong_however_the_stream_is_delivered(
    aws_env: pytest.MonkeyPatch, seed: int
) -> None:
    with mock_aws():
        shop, random = Shop(OWN, seed), Random(seed)
        shop.deploy(*DECLARED)
        with shop.delivered():
            for _ in range(60):
                customer, number = random.choice("ab"), random.randint(1, 6)
                if random.random() < 0.3:
                    cancel(shop, number, customer)
                else:
                    readable = customer == "a" or random.random() < 0.9
                    state = PAID if readable else {}
                    order(shop, number, random.randint(1, 99), customer, random.choice(["tea", "mug"]), **state)
                for _ in range(random.randint(0, 3)):
                    shop.step()
            shop.drain()
            found = shop.all(lambda item: not item["customer"]["S"].startswith("edgewise#"))
            _agree_if_complete(shop, found, DECLARED)
            assert CUSTOMER.read(shop.table, "a").complete, "all of its orders can be read"
            shop.deploy(*of(is_paid_now))
            shop.command(do="apply")
            shop.drain()
        assert _agree_if_complete(shop, found, DECLARED) == 6


def _agree_if_complete(shop: Shop, found: list[Any], declared: tuple[Totals, ...]) -> int:
    """How many totals say that they are complete: each of them is what a plain count says."""
    said = 0
    values = {"customer": ("a", "b"), "product": ("tea", "mug")}
    for each in declared:
        for value in values[str(each.by)]:
            amounts = [Decimal(item["euros"]["N"]) for item in found if item[str(each.by)]["S"] == value]
            read = each.read(shop.table, value, TOLD)
            if read.complete:
                said += 1
                assert (read.count, read.sum) == (len(amounts), Decimal(sum(amounts)))
    return said
