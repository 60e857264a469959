"""With `distinct`, the engine itself writes what feeds a total: it is complete until an instant, or nobody knows."""

from collections.abc import Iterator
from datetime import datetime
from random import Random

import pytest
from moto import mock_aws

from delivery import Faults
from edgewise import OwnTable, totals
from edgewise.own.freshness import Freshness, freshness_of
from edgewise.times import SECOND, from_millis
from tests.own import test_completeness as aside
from tests.support.http import Context
from tests.support.own_tables import NAME, Shop, deployed

OWN = OwnTable("customer", "what")
ORDERS = OWN.items("order")
CUSTOMER = totals(ORDERS, "CUSTOMER", by="customer", of="euros")
PRODUCT = totals(ORDERS, "PRODUCT", by="product", of="euros")
BUYERS = totals(ORDERS, "BUYERS", by="product", of="euros", distinct="customer", top=10)
DECLARED = (CUSTOMER, PRODUCT, BUYERS)
# Without what brings much again: a heartbeat that comes again writes something, which comes by the same stream.
UNSTEADY = Faults(short_batch=0.7, answer_lost=0.05, killed_before=0.05, repeated=0.05)


@pytest.fixture
def shop(aws_env: pytest.MonkeyPatch) -> Iterator[Shop]:
    with deployed(OWN, *DECLARED) as made:
        yield made


def order(shop: Shop, number: int, customer: str = "ann") -> datetime:
    """When it was stored."""
    item = {"customer": {"S": customer}, "what": {"S": f"order-{number}"}, "product": {"S": "tea"}}
    shop.owner.put_item(TableName=NAME, Item=item | {"euros": {"N": "10"}})
    return now(shop)


def now(shop: Shop) -> datetime:
    return from_millis(int(shop.streams[NAME].clock.now * SECOND))


def deliver_to_the_first_reader(shop: Shop) -> None:
    """What an invocation writes for the totals is in the stream, and not delivered yet."""
    shard = next(each for each in shop.streams[NAME].shards if each.records)
    event = {"Records": [each.form for each in shard.records], "shardId": shard.id}
    shop.handler(event, Context())


def test_what_is_on_its_way_is_not_claimed(shop: Shop) -> None:
    with shop.delivered():
        order(shop, 1)
        deliver_to_the_first_reader(shop)
        found = BUYERS.read(shop.table, "tea")
        assert (found.count, found.complete, found.as_of) == (0, False, None)
        assert not BUYERS.first(shop.table, 1).complete


def test_heartbeats_tell_until_when_a_total_is_complete(shop: Shop) -> None:
    with shop.delivered():
        known = shop.beat()
        began = BUYERS.read(shop.table, "tea", known).as_of
        shop.wait(60)
        stored = order(shop, 1)
        assert began is not None
        assert began < stored
        deliver_to_the_first_reader(shop)
        found = BUYERS.read(shop.table, "tea", BUYERS.freshness(shop.table))
        assert found.count == 0
        assert found.complete
        assert found.as_of is not None
        assert found.as_of < stored, "it has everything until then, and does not claim the order"
        known = shop.beat()
        for declared, value in ((CUSTOMER, "ann"), (PRODUCT, "tea"), (BUYERS, "tea")):
            found = declared.read(shop.table, value, known)
            assert (found.count, found.complete) == (1, True)
            assert found.as_of is not None
            assert found.as_of > stored
        best = BUYERS.first(shop.table, 1, known)
        assert best.complete
        assert best.as_of is not None


def test_without_heartbeats_nobody_can_tell(shop: Shop) -> None:
    with shop.delivered():
        order(shop, 1)
        shop.drain()
        known = freshness_of(shop.table)
        found = BUYERS.read(shop.table, "tea", known)
        assert (found.count, found.distinct, found.complete, found.as_of) == (1, 1, False, None)
        found = CUSTOMER.read(shop.table, "ann", known)
        assert (found.count, found.complete, found.as_of) == (1, True, None)


def test_names_that_no_shard_needs_any_more_are_removed(shop: Shop) -> None:
    with shop.delivered():
        shop.beat()
        beating = shop.all(lambda item: item["customer"]["S"].startswith("edgewise#HEARTBEAT#"))
        assert len(beating) == len(shop.streams[NAME].shards)


@pytest.mark.parametrize("seed", range(2))
def test_no_answer_claims_what_it_lacks_however_the_stream_is_delivered(aws_env: pytest.MonkeyPatch, seed: int) -> None:
    """Each order is counted from the instant on until which the answer says that it is complete."""
    with mock_aws():
        shop, random, stored, said = Shop(OWN, seed, UNSTEADY), Random(seed), list[datetime](), 0
        shop.deploy(*DECLARED)
        with shop.delivered():
            shop.beat()
            for number in range(80):
                shop.wait(random.choice([0.2, 1, 20]))
                if random.random() < 0.5:
                    stored.append(order(shop, number, f"customer-{number}"))
                elif random.random() < 0.6:
                    shop.handler({"do": "beat"}, Context())
                for _ in range(random.randint(0, 3)):
                    shop.step()
                known: Freshness = freshness_of(shop.table)
                for declared in (PRODUCT, BUYERS):
                    found = declared.read(shop.table, "tea", known)
                    if found.as_of is not None:
                        said += 1
                        assert found.count >= sum(each < found.as_of for each in stored)
            with shop.calm():
                shop.drain()
        assert said > 20


def test_what_was_set_aside_is_claimed_only_when_it_has_gone_its_way(aws_env: pytest.MonkeyPatch) -> None:
    """A redrive ends the doubt, but carriers and edges come to their totals by the stream."""
    own = OwnTable("customer", "what")
    declared = aside.of(aside.is_paid_now)
    with deployed(own, *aside.of(aside.is_paid)) as shop, shop.delivered():
        aside.order(shop, 1, 10, **aside.PAID)
        shop.beat()
        aside.order(shop, 2, 20)
        shop.wait(600)
        shop.beat()
        shop.deploy(*declared)
        assert shop.command(do="apply")["left"] == 0
        known = freshness_of(shop.table)
        found = [each.read(shop.table, value, known) for each, value in zip(declared, WANTED, strict=True)]
        assert [(each.count, each.complete, each.as_of) for each in found] == [
            (2, True, None),  # of its customer: written by the redrive itself
            (1, False, None),
            (1, False, None),
        ]
        shop.wait(600)
        known = shop.beat()
        found = [each.read(shop.table, value, known) for each, value in zip(declared, WANTED, strict=True)]
        assert [(each.count, each.complete, each.as_of is None) for each in found] == [(2, True, False)] * 3


WANTED = ("ann", "tea", "tea")
