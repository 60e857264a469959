"""With `distinct`, the engine itself writes what feeds a row: it is complete until an instant, or nobody knows."""

from collections.abc import Iterator
from datetime import datetime
from random import Random
from typing import Any

import pytest
from moto import mock_aws

from delivery import Faults
from edgewise.own.freshness import Freshness, freshness_of
from edgewise.times import SECOND, from_millis
from tests.own import orders
from tests.own.orders import OWN, PAID, views
from tests.support.http import Context
from tests.support.own_tables import NAME, Shop, deployed

VIEWS = CUSTOMERS, PRODUCTS, BUYERS, BEST = views()
TEA = {"product": "tea"}
ASKED: list[tuple[Any, dict[str, str]]] = [(CUSTOMERS, {"customer": "ann"}), (PRODUCTS, TEA), (BUYERS, TEA), (BEST, {})]
# Without what brings much again: a heartbeat that comes again writes something, which comes by the same stream.
UNSTEADY = Faults(short_batch=0.7, answer_lost=0.05, killed_before=0.05, repeated=0.05)


@pytest.fixture
def shop(aws_env: pytest.MonkeyPatch) -> Iterator[Shop]:
    with deployed(OWN, *VIEWS) as made:
        yield made


def order(shop: Shop, number: int, customer: str = "ann") -> datetime:
    """When it was stored."""
    orders.order(shop, number, 10, customer)
    return now(shop)


def now(shop: Shop) -> datetime:
    return from_millis(int(shop.streams[NAME].clock.now * SECOND))


def deliver_to_the_first_reader(shop: Shop) -> None:
    """What an invocation writes for rows is in the stream, and not delivered yet."""
    shard = next(each for each in shop.streams[NAME].shards if each.records)
    event = {"Records": [each.form for each in shard.records], "shardId": shard.id}
    shop.handler(event, Context())


def test_what_is_on_its_way_is_not_claimed(shop: Shop) -> None:
    with shop.delivered():
        order(shop, 1)
        deliver_to_the_first_reader(shop)
        found = BUYERS.get(shop.table, **TEA)
        assert (found.orders, found.complete, found.as_of) == (0, False, None)
        assert BUYERS.values(shop.table, BUYERS.buyers, **TEA).complete, "whose edges it has written directly"


def test_heartbeats_tell_until_when_a_row_is_complete(shop: Shop) -> None:
    with shop.delivered():
        known = shop.beat()
        began = BUYERS.get(shop.table, fresh=known, **TEA).as_of
        shop.wait(60)
        stored = order(shop, 1)
        assert began is not None
        assert began < stored
        deliver_to_the_first_reader(shop)
        found = BUYERS.get(shop.table, fresh=BUYERS.freshness(shop.table), **TEA)
        assert found.orders == 0
        assert found.complete
        assert found.as_of is not None
        assert found.as_of < stored, "it has everything until then, and does not claim the order"
        known = shop.beat()
        for view, keys in ASKED:
            found = view.get(shop.table, fresh=known, **keys)
            assert (found.orders, found.complete) == (1, True)
            assert found.as_of is not None
            assert found.as_of > stored
        best = BEST.ranking(shop.table, BEST.products, 1, fresh=known)
        assert best.complete
        assert best.as_of is not None


def test_without_heartbeats_nobody_can_tell(shop: Shop) -> None:
    with shop.delivered():
        order(shop, 1)
        shop.drain()
        known = freshness_of(shop.table)
        found = BUYERS.get(shop.table, fresh=known, **TEA)
        assert (found.orders, found.buyers, found.complete, found.as_of) == (1, 1, False, None)
        found = CUSTOMERS.get(shop.table, fresh=known, customer="ann")
        assert (found.orders, found.complete, found.as_of) == (1, True, None)


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
        shop.deploy(*VIEWS)
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
                for view in (PRODUCTS, BUYERS):
                    found = view.get(shop.table, fresh=known, **TEA)
                    if found.as_of is not None:
                        said += 1
                        assert found.orders >= sum(each < found.as_of for each in stored)
            with shop.calm():
                shop.drain()
        assert said > 20


def test_what_was_set_aside_is_claimed_only_when_it_has_gone_its_way(aws_env: pytest.MonkeyPatch) -> None:
    """A redrive ends the doubt, but carriers and edges come to their rows by the stream."""
    with deployed(OWN, *views(strict=True)) as shop, shop.delivered():
        orders.order(shop, 1, 10, **PAID)
        shop.beat()
        order(shop, 2)
        shop.wait(600)
        shop.beat()
        shop.deploy(*VIEWS)
        assert shop.command(do="apply")["left"] == 0
        known = freshness_of(shop.table)
        found = [view.get(shop.table, fresh=known, **keys) for view, keys in ASKED]
        assert [(each.orders, each.complete, each.as_of) for each in found] == [
            (2, True, None),  # of its customer: written by the redrive itself
            (1, False, None),
            (1, False, None),
            (1, False, None),
        ]
        shop.wait(600)
        known = shop.beat()
        found = [view.get(shop.table, fresh=known, **keys) for view, keys in ASKED]
        assert [(each.orders, each.complete, each.as_of is None) for each in found] == [(2, True, False)] * 4
