"""A row says that it is complete only if no record is set aside that may belong to it."""

import json
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import boto3
import pytest

from delivery import window_event
from edgewise.aggregates import doubts
from edgewise.errors import PassingError
from edgewise.stream import lost, register, telling
from edgewise.stream.last_line import UnreadableError
from tests.own.orders import OWN, PAID, cancel, key, name, order, told, views
from tests.support.http import Context
from tests.support.own_tables import NAME, TOLD, Shop, deployed

# A release that can't read orders without a state; and the one after it, whose views are the same.
STRICT, READING = views(strict=True), views()
CUSTOMERS, PRODUCTS, BUYERS, BEST = READING
ANN = {"customer": "ann"}


@pytest.fixture
def shop(aws_env: pytest.MonkeyPatch) -> Iterator[Shop]:
    with deployed(OWN, *STRICT) as made:
        yield made


def complete(shop: Shop) -> dict[str, bool]:
    """Of which of the rows somebody may trust the numbers."""
    read = {each: CUSTOMERS.get(shop.table, customer=each).complete for each in ("ann", "bob")}
    read |= {each: PRODUCTS.get(shop.table, fresh=TOLD, product=each).complete for each in ("tea", "mug")}
    read |= {f"buyers of {each}": BUYERS.get(shop.table, fresh=TOLD, product=each).complete for each in ("tea", "mug")}
    return read | {"first": BEST.ranking(shop.table, BEST.products, 5, fresh=TOLD).complete}


OF_PRODUCTS = {"tea", "mug", "buyers of tea", "buyers of mug", "first"}
ALL = {"ann", "bob", *OF_PRODUCTS}
OF_THE_ORDER = {"ann", "tea", "buyers of tea", "first"}


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
        assert told(shop, CUSTOMERS, **ANN) == (1, 10, False)
        assert doubted(shop) == OF_THE_ORDER
        cancel(shop, 2)
        shop.drain()
        assert doubted(shop) == OF_THE_ORDER
        shop.deploy(*READING)
        assert shop.command(do="apply")["applied"] == 2
        shop.drain()
        assert doubted(shop) == set()
        assert told(shop, CUSTOMERS, **ANN) == (1, 10, True)


@pytest.mark.parametrize("discarded", [False, True])
def test_a_list_of_values_is_no_more_complete_than_their_row(shop: Shop, discarded: bool) -> None:
    def listed(product: str) -> tuple[list[str], bool]:
        found = BUYERS.values(shop.table, BUYERS.buyers, fresh=TOLD, product=product)
        return found.values, found.complete

    with shop.delivered():
        order(shop, 1, 10, **PAID)
        order(shop, 2, 20, "bob")
        shop.drain()
        (aside,) = shop.command(do="list")["records"]
        if discarded:
            shop.command(do="discard", shard=aside["shard"], sequence=aside["sequence"])
        assert (listed("tea"), listed("mug")) == ((["ann"], False), ([], True))
        shop.deploy(*READING)
        assert shop.command(do="apply")["applied"] == int(not discarded)
        shop.drain()
        assert listed("tea") == ((["ann"], False) if discarded else (["ann", "bob"], True))


def test_both_what_an_order_was_and_what_it_is_now_are_doubted(shop: Shop) -> None:
    with shop.delivered():
        order(shop, 2, 20, product="tea")
        order(shop, 2, 20, product="mug")
        shop.drain()
        assert doubted(shop) == ALL - {"bob"}


def order_of_no_product(shop: Shop) -> None:
    shop.owner.put_item(TableName=NAME, Item={**key(1), "product": {"L": []}, **PAID})


def test_an_order_whose_group_nobody_can_tell_is_doubted_everywhere(shop: Shop) -> None:
    with shop.delivered():
        order_of_no_product(shop)
        shop.drain()
        assert doubted(shop) == OF_PRODUCTS, "customers are told by the key, and ask for no product"


def test_what_is_about_to_be_set_aside_is_doubted_before_anything_is_written(shop: Shop) -> None:
    read, real = list[Any](), telling.set_aside

    def set_aside(*arguments: Any) -> None:
        read.append((told(shop, CUSTOMERS, **ANN), doubted(shop)))
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
        assert told(shop, CUSTOMERS, **ANN)[2] is False
        shop.deploy(*READING)
        shop.handler(event, Context())
        assert told(shop, CUSTOMERS, **ANN)[2] is True
        shop.drain()
        assert told(shop, CUSTOMERS, **ANN) == (2, 30, True)
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
        shop.deploy(*READING)
        assert shop.command(do="apply")["applied"] == 6
        shop.deploy(*STRICT)
        monkeypatch.setattr(register, "LIMIT", 1)
        for simulator in shop.simulators:
            simulator.renew()
        order(shop, 7, 30)
        shop.drain()
        assert len(shop.command(do="list")["records"]) == 1
        assert told(shop, CUSTOMERS, **ANN) == (6, 60, False)


def test_what_was_discarded_is_lacking_until_a_recount(shop: Shop) -> None:
    with shop.delivered():
        order(shop, 1, 10)
        order(shop, 2, 20, **PAID)
        shop.drain()
        (aside,) = shop.command(do="list")["records"]
        assert shop.command(do="discard", shard=aside["shard"], sequence=aside["sequence"]) == {"discarded": 1}
        assert doubted(shop) == OF_THE_ORDER
        noted = {(each["kind"], *each["dimensions"]) for each in shop.command(do="list")["incomplete"]}
        rows = [(CUSTOMERS, "ann"), (PRODUCTS, "tea"), (BUYERS, "tea"), (BEST, "all")]
        assert noted == {(name(view), value) for view, value in rows}
        shop.deploy(*READING)
        order(shop, 1, 25, **PAID)
        shop.drain()
        assert told(shop, CUSTOMERS, **ANN)[2] is False
        shop.command(do="recount", kind=name(CUSTOMERS), dimensions=["ann"], repair=True)
        shop.drain()
        assert told(shop, CUSTOMERS, **ANN) == (2, 45, True)
        assert doubted(shop) == OF_THE_ORDER - {"ann"}


def test_what_lacks_a_record_of_which_nothing_is_known_is_doubted_until_somebody_vouches_for_it(shop: Shop) -> None:
    with shop.delivered():
        order_of_no_product(shop)
        shop.drain()
        (aside,) = shop.command(do="list")["records"]
        shop.command(do="discard", shard=aside["shard"], sequence=aside["sequence"])
        listed = shop.command(do="list")["doubted"]
        assert {each for each in listed if " " not in each} == {name(PRODUCTS), name(BUYERS)}
        for each in listed:
            assert shop.command(do="trust", name=each) == {"trusted": 1}
        assert doubted(shop) == {"first"}, "its row says itself that it lacks the record"
        assert told(shop, BEST) == (0, 0, False)


def test_a_row_that_edges_count_is_not_trusted_because_it_equals_them(shop: Shop) -> None:
    with shop.delivered():
        order(shop, 1, 10)
        order(shop, 2, 20, **PAID)
        shop.drain()
        (aside,) = shop.command(do="list")["records"]
        shop.command(do="discard", shard=aside["shard"], sequence=aside["sequence"])
        refused = shop.command(do="recount", kind=name(BUYERS), dimensions=["tea"], repair=True)
        assert refused["error"].startswith("repair: is counted by entries or edges, which may lack the same")
        assert "buyers of tea" in doubted(shop)


def test_what_of_a_discarded_record_can_be_read_is_applied(shop: Shop) -> None:
    """It was set aside for all views, of which a release can read it for one by now."""
    with shop.delivered():
        order(shop, 1, 10)
        shop.drain()
        shop.deploy(STRICT.customers, PRODUCTS)
        (aside,) = shop.command(do="list")["records"]
        shop.command(do="discard", shard=aside["shard"], sequence=aside["sequence"])
        shop.drain()
        assert told(shop, PRODUCTS, product="tea")[:2] == (1, 10)
        assert told(shop, CUSTOMERS, **ANN) == (0, 0, False)


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
        first = BEST.ranking(shop.table, BEST.products, 5)
        assert [each.member for each in first.standings] == ["tea"], "mug would be before it"
        assert doubted(shop) == ALL - {"bob", "tea"}


def test_who_is_first_is_not_known_once_one_has_lost_what_was_there_before_whom_no_ranking_names(shop: Shop) -> None:
    """The row has lost nothing that it had not got: the others have given it more."""
    with shop.delivered():
        with shop.before():
            order(shop, 1, 10, product="mug", **PAID)
            order(shop, 2, 50, product="mug", **PAID)
        for number in (3, 4):
            order(shop, number, 20, product="tea", **PAID)
        shop.drain()
        assert BEST.ranking(shop.table, BEST.products, 5, fresh=TOLD).complete, "nothing tells yet"
        cancel(shop, 1)
        shop.drain()
        first = BEST.ranking(shop.table, BEST.products, 5, fresh=TOLD)
        assert ([each.member for each in first.standings], first.complete) == (["tea"], False)


def test_an_order_that_was_there_before_is_lacking_if_its_mark_was_given_up(
    shop: Shop, give_up: Callable[..., None]
) -> None:
    """All that the mark's record changes is that the order counts."""
    filled = views(strict=True, backfill="first").customers
    with shop.delivered():
        with shop.before():
            order(shop, 1, 10, **PAID)
        shop.deploy(filled)
        shop.drain()
        assert shop.command(do="backfill")["complete"]
        give_up("order-1")
        shop.deploy(STRICT.customers)
        shop.drain()
        assert told(shop, CUSTOMERS, **ANN) == (0, 0, False)


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
        shop.deploy(*READING)
        give_up("order-2")
        assert shop.command(do="list")["count"] == 0
        assert doubted(shop) == OF_THE_ORDER | {"buyers of mug"}, "an edge does not tell of which row it is"
        shop.command(do="recount", kind=name(CUSTOMERS), dimensions=["ann"], repair=True)
        assert told(shop, CUSTOMERS, **ANN) == (1, 20, True)


def test_what_was_announced_and_comes_no_more_is_left_to_people_after_36_hours(shop: Shop) -> None:
    def killed(*_: Any) -> None:
        raise PassingError("the sandbox is gone")

    with shop.delivered():
        order(shop, 2, 20)
        event = window_event("shardId-closed", [each.form for each in _records(shop)])
        event |= {"eventSourceARN": shop.streams[NAME].source.arn}
        with patch("edgewise.stream.invocation.set_aside", killed), pytest.raises(PassingError):
            shop.handler(event, Context())
        shop.deploy(*READING)
        shop.drain()
        assert "ann" in doubted(shop), "nobody settles what the other shard announced"
        (doubt,) = (each for each in shop.command(do="list")["doubted"] if each.startswith(name(CUSTOMERS)))
        assert "error" in shop.command(do="trust", name=doubt), "a batch may still end it"
        shop.wait(37 * 3600)
        shop.command(do="sweep")
        assert "ann" in doubted(shop)
        assert shop.command(do="trust", name=doubt) == {"trusted": 1}
        assert "ann" not in doubted(shop)


def test_a_read_is_one_request_and_what_it_says_beside_the_row_costs_a_unit_at_most(shop: Shop) -> None:
    with shop.delivered():
        for number in range(30):
            order(shop, number, 10, f"customer-{number}", f"product-{number}")
        shop.drain()
        asked = list[str]()
        shop.engine.meta.events.register("before-call.dynamodb.*", lambda model, **_: asked.append(model.name))
        CUSTOMERS.get(shop.table, **ANN)
        assert asked == ["BatchGetItem"] * 2, "what is doubted has just changed"
        shop.wait(6 * 60)
        CUSTOMERS.get(shop.table, **ANN)
        assert asked == ["BatchGetItem"] * 3
    (doubted,) = shop.table.get_many([doubts.KEY]).values()
    assert len(json.dumps(doubted)) < 4096
