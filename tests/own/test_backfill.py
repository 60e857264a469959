"""What a backfill has counted stays counted, whatever writers do with its marks."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest
from moto import mock_aws

from delivery import NONE
from edgewise import Item, OwnTable, totals
from edgewise.dynamodb.attributes import key_item, s, string
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import Table
from edgewise.dynamodb.writes import Put, Write
from edgewise.own import marking
from edgewise.own.backfill import MARK, note, state
from edgewise.own.totals import Totals
from edgewise.times import DAY, SECOND
from tests.support.own_tables import NAME, TOLD, Shop

OWN = OwnTable("customer", "what")
CUSTOMERS = totals(OWN.items("order"), "CUSTOMER", by="customer", of="euros", backfill="first")


@pytest.fixture
def shop(aws_env: pytest.MonkeyPatch) -> Iterator[Shop]:
    with mock_aws(), patch.object(marking, "PAGE", 1):
        yield Shop(OWN, 4, NONE)


def order(shop: Shop, number: int, euros: int, **more: Any) -> None:
    """The whole item, without any mark."""
    item: Any = {"customer": {"S": "ann"}, "what": {"S": f"order-{number}"}, "euros": {"N": str(euros)}, **more}
    shop.owner.put_item(TableName=NAME, Item=item)


def told(shop: Shop) -> tuple[int, int]:
    shop.drain()
    found = CUSTOMERS.read(shop.table, "ann")
    return found.count, int(found.sum)


def backfill(shop: Shop, steps: int) -> bool:
    complete: bool = shop.command(steps=steps, do="backfill", per_second=marking.MOST_A_SECOND)["complete"]
    shop.drain()
    return complete


def marked(shop: Shop) -> list[str]:
    return [item["what"]["S"] for item in shop.all(lambda item: MARK in item)]


def test_an_item_whose_mark_is_dropped_is_known_to_be_counted(shop: Shop) -> None:
    with shop.delivered():
        with shop.before():
            for number in (1, 2, 3):
                order(shop, number, 10)
        shop.deploy(CUSTOMERS)
        while not marked(shop):
            assert not backfill(shop, steps=1)
        assert (marked(shop), told(shop)) == (["order-1"], (1, 10))
        order(shop, 1, 20)
        assert told(shop) == (1, 20)
        order(shop, 1, 30)
        assert told(shop) == (1, 30)
        while not backfill(shop, steps=1):
            pass
        assert told(shop) == (3, 50)


def counted_all(shop: Shop) -> None:
    complete = False
    while not complete:
        shop.wait(60)
        complete = backfill(shop, steps=3)
    shop.wait(DAY // SECOND)


def test_a_backfill_that_is_forgotten_and_asked_for_by_the_same_name_counts_all_anew(shop: Shop) -> None:
    with shop.delivered():
        with shop.before():
            for number in (1, 2):
                order(shop, number, 10)
        shop.deploy(CUSTOMERS)
        counted_all(shop)
        shop.deploy(replace(CUSTOMERS, backfill=""))
        assert shop.command(do="forget", backfill="first")["complete"]
        later = replace(CUSTOMERS, name="LATER")
        shop.deploy(replace(CUSTOMERS, backfill=""), later)
        counted_all(shop)
        shop.deploy(replace(CUSTOMERS, backfill=""), replace(later, backfill=""))
        order(shop, 3, 40)
        shop.drain()
        found = [replace(each, backfill="").read(shop.table, "ann") for each in (CUSTOMERS, later)]
        assert [(each.count, int(each.sum), each.complete) for each in found] == [(3, 60, True)] * 2


@pytest.mark.parametrize("marks", [0, 1, 3])
def test_a_total_that_is_being_filled_is_not_repaired(shop: Shop, marks: int) -> None:
    """The recount would count what is not marked yet, and its mark then once more."""
    with shop.delivered():
        with shop.before():
            for number in (1, 2, 3):
                order(shop, number, 10)
        shop.deploy(CUSTOMERS)
        while len(marked(shop)) < marks:
            backfill(shop, steps=1)
        shop.wait(60)
        answer = shop.command(do="recount", kind="CUSTOMER", dimensions=["ann"], repair=True)
        assert answer["error"].startswith("repair: would count what the backfill still has to count"), answer
        counted_all(shop)
        done = replace(CUSTOMERS, backfill="")
        shop.deploy(done)
        found = done.read(shop.table, "ann")
        assert (found.count, int(found.sum), found.complete) == (3, 30, True)


def test_what_says_how_far_a_backfill_has_come_is_forgotten_after_all_of_its_notes(shop: Shop) -> None:
    """Another one by this name would take what was noted before as counted."""
    with shop.delivered():
        shop.deploy(CUSTOMERS)
        counted_all(shop)
        for number in (1, 2, 3):
            shop.table.write(Put(key_item(note("first", Key("ann", f"order-{number}"))) | {"Type": s("BACKFILL")}))
        shop.deploy(replace(CUSTOMERS, backfill=""))
        complete, steps = False, 0
        while not complete:
            steps += 1
            complete = shop.command(steps=steps, do="forget", backfill="first")["complete"]
            assert (shop.table.get(state("first")) is None) == complete, steps
        assert shop.all(lambda item: item["customer"]["S"].startswith("edgewise#BACKFILL#first#")) == []


def is_paid(item: Item) -> bool:
    return item["state"] == {"S": "paid"}


def is_paid_now(item: Item) -> bool:
    return item.get("state", {"S": "paid"}) == {"S": "paid"}


def of(where: Any, backfill: str) -> Totals:
    return totals(OWN.items("order", where), "CUSTOMER", by="customer", of="euros", backfill=backfill)


def test_what_was_set_aside_while_a_backfill_went_on_is_applied_by_totals_that_are_declared_with_it(shop: Shop) -> None:
    """Only they know that the item was not counted: by others, its mark would change nothing."""
    done = of(is_paid_now, "")
    with shop.delivered():
        with shop.before():
            order(shop, 1, 10)
        shop.deploy(of(is_paid, "first"))
        counted_all(shop)
        shop.deploy(done)
        (refused,) = shop.command(do="apply")["malformed"]
        assert "declare its totals with backfill='first' once more" in refused["error"]
        assert not done.read(shop.table, "ann").complete
        assert "apply or discard" in shop.command(do="forget", backfill="first")["error"]
        shop.deploy(of(is_paid_now, "first"))
        assert shop.command(do="apply") == {"applied": 1, "malformed": [], "left": 0}
        shop.deploy(done)
        order(shop, 2, 30)
        shop.drain()
        assert shop.command(do="forget", backfill="first")["complete"]
        found = done.read(shop.table, "ann")
        assert (found.count, int(found.sum), found.complete) == (2, 40, True)


def test_what_was_set_aside_while_two_backfills_went_on_can_be_discarded(shop: Shop) -> None:
    """No totals are declared with both, so nobody can apply it, and neither could be forgotten before it is gone."""
    first = of(is_paid, "first")
    second = totals(first.items, "SECOND", by="customer", of="euros", backfill="second")
    done, other = replace(first, backfill=""), replace(second, backfill="")
    with shop.delivered():
        with shop.before():
            order(shop, 1, 10)
        shop.deploy(first)
        counted_all(shop)
        (aside,) = shop.command(do="list")["records"]
        shop.deploy(done, second)
        counted_all(shop)
        shop.deploy(done, other)
        assert shop.command(do="discard", shard=aside["shard"], sequence=aside["sequence"]) == {"discarded": 1}
        assert [each.read(shop.table, "ann").complete for each in (done, other)] == [False, False]


def test_what_was_set_aside_is_applied_whatever_was_filled_then_that_is_kept_no_more(shop: Shop) -> None:
    later = replace(of(is_paid_now, ""), name="LATER")
    with shop.delivered():
        with shop.before():
            order(shop, 1, 10)
        shop.deploy(of(is_paid, "first"))
        counted_all(shop)
        shop.deploy(later)
        assert shop.command(do="apply") == {"applied": 1, "malformed": [], "left": 0}
        assert shop.command(do="forget", backfill="first")["complete"]


def test_a_backfill_is_forgotten_and_none_whose_name_begins_likewise(shop: Shop) -> None:
    """What is left of the other one tells what it has counted."""
    with shop.delivered():
        with shop.before():
            for number in (1, 2):
                order(shop, number, 10)
        shop.deploy(replace(CUSTOMERS, backfill="first"))
        counted_all(shop)
        later = replace(CUSTOMERS, name="LATER", backfill="first-2")
        shop.deploy(replace(CUSTOMERS, backfill=""), later)
        counted_all(shop)
        order(shop, 1, 20)
        assert shop.command(do="forget", backfill="first")["complete"]
        order(shop, 1, 30)
        shop.drain()
        done = replace(later, backfill="")
        shop.deploy(replace(CUSTOMERS, backfill=""), done)
        for each in (replace(CUSTOMERS, backfill=""), done):
            found = each.read(shop.table, "ann")
            assert (found.count, int(found.sum), found.complete) == (2, 40, True)


@pytest.mark.parametrize("steps", [1, 1000], ids=["while it goes on", "once it is complete"])
def test_a_backfill_fills_the_totals_that_it_began_with_and_no_others(shop: Shop, steps: int) -> None:
    """What it has marked is counted by now: other totals would lack it, and say that they are complete."""
    later, done = replace(CUSTOMERS, name="LATER"), replace(CUSTOMERS, backfill="")
    with shop.delivered():
        with shop.before():
            for number in (1, 2):
                order(shop, number, 10)
        shop.deploy(CUSTOMERS)
        shop.wait(60)
        backfill(shop, steps)
        for declared in ((CUSTOMERS, later), (done, later)):
            shop.deploy(*declared)
            answer = shop.command(do="backfill")
            assert answer["error"].startswith("backfill: first fills CUSTOMER since it was asked for: give LATER"), (
                answer
            )
        shop.deploy(CUSTOMERS)
        counted_all(shop)
        assert told(shop) == (2, 20)


def test_totals_that_are_declared_without_a_backfill_before_it_is_complete_are_not(shop: Shop) -> None:
    done = replace(CUSTOMERS, backfill="")
    with shop.delivered():
        with shop.before():
            for number in (1, 2, 3):
                order(shop, number, 10)
        shop.deploy(CUSTOMERS)
        while not marked(shop):
            backfill(shop, steps=1)
        shop.deploy(done)
        found = done.read(shop.table, "ann")
        assert (found.count, found.complete) == (1, False)
        shop.deploy(CUSTOMERS)
        counted_all(shop)
        shop.deploy(done)
        found = done.read(shop.table, "ann")
        assert (found.count, int(found.sum), found.complete) == (3, 30, True)


def product(item: Item) -> str:
    return string(item["product"])


def product_now(item: Item) -> str:
    return string(item.get("product", {"S": "mug"}))


def test_what_was_discarded_while_a_backfill_went_on_is_doubted_when_it_is_complete(shop: Shop) -> None:
    """Nobody could tell of which product it was, so no total says so itself."""
    products = totals(OWN.items("order"), "PRODUCT", by=product, of="euros", backfill="first")
    done = replace(products, by=product_now, backfill="")
    with shop.delivered():
        with shop.before():
            order(shop, 1, 10)
            order(shop, 2, 10, product={"S": "tea"})
        shop.deploy(products)
        while not (aside := shop.command(do="list")["records"]):
            assert not backfill(shop, steps=1)
        ((shard, sequence),) = ((each["shard"], each["sequence"]) for each in aside)
        assert shop.command(do="discard", shard=shard, sequence=sequence) == {"discarded": 1}
        counted_all(shop)
        shop.deploy(done)
        found = done.read(shop.table, "mug", TOLD)
        assert (found.count, found.complete) == (0, False)
        assert shop.command(do="trust", name="PRODUCT") == {"trusted": 1}
        assert done.read(shop.table, "mug", TOLD).complete


def test_of_two_who_mark_at_once_the_slower_one_takes_back_nothing_of_the_other(shop: Shop) -> None:
    """Whoever finds it too slow asks for more a second, while the first is still at it."""
    ended, real = list[Any](), marking._page

    def page(*arguments: Any, **more: Any) -> Any:
        found = real(*arguments, **more)
        if not ended:
            ended.append(None)
            assert shop.command(do="backfill", per_second=marking.MOST_A_SECOND)["complete"]
            ended[0] = shop.table.get(state("first"))
        return found

    with shop.delivered():
        with shop.before():
            for number in (1, 2, 3):
                order(shop, number, 10)
        shop.deploy(CUSTOMERS)
        with patch.object(marking, "_page", page):
            assert shop.command(do="backfill", per_second=1)["complete"]
        assert [shop.table.get(state("first"))] == ended


def test_a_step_that_dies_before_its_last_write_leaves_totals_that_are_not_complete(shop: Shop) -> None:
    """It had said that no total is doubted any more, and not yet when all items are counted."""
    done, real = replace(CUSTOMERS, backfill=""), Table.write

    def killed(table: Table, write: Write) -> None:
        if isinstance(write, Put) and "End" in write.item:
            raise KilledError
        real(table, write)

    with shop.delivered():
        with shop.before():
            order(shop, 1, 10)
        shop.deploy(CUSTOMERS)
        with patch.object(Table, "write", killed), pytest.raises(KilledError):
            shop.command(do="backfill")
        shop.deploy(done)
        assert not done.read(shop.table, "ann").complete
        shop.deploy(CUSTOMERS)
        counted_all(shop)
        shop.deploy(done)
        assert done.read(shop.table, "ann").complete


class KilledError(Exception):
    """The sandbox is gone."""


@pytest.mark.parametrize("marks", [0, 1])
def test_totals_that_have_counted_without_a_backfill_are_filled_by_none(shop: Shop, marks: int) -> None:
    """Nobody knows which items they have counted: these would count twice, and what is marked meanwhile not at all."""
    done = replace(CUSTOMERS, backfill="")
    with shop.delivered():
        with shop.before():
            for number in (1, 2):
                order(shop, number, 10)
        shop.deploy(CUSTOMERS)
        while len(marked(shop)) < marks:
            backfill(shop, steps=1)
        shop.deploy(done)
        order(shop, 3, 10)
        shop.drain()
        shop.deploy(CUSTOMERS)
        answer = shop.command(do="backfill")
        assert answer["error"].startswith("backfill: would count twice what CUSTOMER counted"), answer
        assert len(marked(shop)) == marks
        later = replace(CUSTOMERS, name="LATER", backfill="second")
        shop.deploy(done, later)
        counted_all(shop)
        shop.deploy(done, replace(later, backfill=""))
        found = replace(later, backfill="").read(shop.table, "ann")
        assert (found.count, int(found.sum), found.complete) == (3, 30, True)
        assert done.read(shop.table, "ann").complete is (not marks)


def test_totals_whose_backfill_nobody_has_asked_for_are_not_complete_without_it(shop: Shop) -> None:
    """Until then they count nothing, also of what changes."""
    done = replace(CUSTOMERS, backfill="")
    with shop.delivered():
        shop.deploy(CUSTOMERS)
        order(shop, 1, 10)
        shop.drain()
        shop.deploy(done)
        order(shop, 2, 20)
        shop.drain()
        found = done.read(shop.table, "ann")
        assert (found.count, found.complete) == (1, False)
