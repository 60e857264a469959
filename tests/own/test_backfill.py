"""What a backfill has counted stays counted, whatever writers do with its marks."""

from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest
from moto import mock_aws

from delivery import NONE
from edgewise.dynamodb.attributes import key_item, s
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import Table
from edgewise.dynamodb.writes import Put, Write
from edgewise.own import marking, scanning
from edgewise.own.backfill import MARK, note, state
from edgewise.times import DAY, SECOND
from edgewise.views import Items, Number, Text, View, count, group_by, sum_of
from tests.own.orders import OWN, key, name, order, views
from tests.own.orders import told as read
from tests.support.own_tables import NAME, Shop

ANN = {"customer": "ann"}


def customers(backfill: str = "", *, strict: bool = False) -> Any:
    """By all of them the same view: a backfill is no part of its version."""
    return views(strict=strict, backfill=backfill).customers


def later(backfill: str = "") -> Any:
    class Order(Items, table=OWN):
        customer, euros = Text(), Number()

    class Later(View, of=Order, backfill=backfill):
        customer = group_by(Order.customer)
        orders, euros = count(), sum_of(Order.euros)

    return Later


FILLED, DONE = customers("first"), customers()


@pytest.fixture
def shop(aws_env: pytest.MonkeyPatch) -> Iterator[Shop]:
    with mock_aws(), patch.object(marking, "PAGE", 1):
        yield Shop(OWN, 4, NONE)


def told(shop: Shop) -> tuple[int, int]:
    shop.drain()
    return read(shop, FILLED, **ANN)[:2]


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
        shop.deploy(FILLED)
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
        shop.deploy(FILLED)
        counted_all(shop)
        shop.deploy(DONE)
        assert shop.command(do="forget", backfill="first")["complete"]
        shop.deploy(DONE, later("first"))
        counted_all(shop)
        shop.deploy(DONE, later())
        order(shop, 3, 40)
        shop.drain()
        assert [read(shop, view, **ANN) for view in (DONE, later())] == [(3, 60, True)] * 2


@pytest.mark.parametrize("marks", [0, 1, 3])
def test_a_row_that_is_being_filled_is_not_repaired(shop: Shop, marks: int) -> None:
    """The recount would count what is not marked yet, and its mark then once more."""
    with shop.delivered():
        with shop.before():
            for number in (1, 2, 3):
                order(shop, number, 10)
        shop.deploy(FILLED)
        while len(marked(shop)) < marks:
            backfill(shop, steps=1)
        shop.wait(60)
        answer = shop.command(do="recount", kind=name(DONE), dimensions=["ann"], repair=True)
        assert answer["error"].startswith("repair: would count what the backfill still has to count"), answer
        counted_all(shop)
        shop.deploy(DONE)
        assert read(shop, DONE, **ANN) == (3, 30, True)


def test_what_says_how_far_a_backfill_has_come_is_forgotten_after_all_of_its_notes(shop: Shop) -> None:
    """Another one by this name would take what was noted before as counted."""
    with shop.delivered():
        shop.deploy(FILLED)
        counted_all(shop)
        for number in (1, 2, 3):
            shop.table.write(Put(key_item(note("first", Key("ann", f"order-{number}"))) | {"Type": s("BACKFILL")}))
        shop.deploy(DONE)
        complete, steps = False, 0
        while not complete:
            steps += 1
            complete = shop.command(steps=steps, do="forget", backfill="first")["complete"]
            assert (shop.table.get(state("first")) is None) == complete, steps
        assert shop.all(lambda item: item["customer"]["S"].startswith("edgewise#BACKFILL#first#")) == []


def test_what_was_set_aside_while_a_backfill_went_on_is_applied_by_views_that_are_declared_with_it(shop: Shop) -> None:
    """Only they know that the item was not counted: by others, its mark would change nothing."""
    with shop.delivered():
        with shop.before():
            order(shop, 1, 10)
        shop.deploy(customers("first", strict=True))
        counted_all(shop)
        shop.deploy(DONE)
        (refused,) = shop.command(do="apply")["malformed"]
        assert "declare its views with backfill='first' once more" in refused["error"]
        assert not read(shop, DONE, **ANN)[2]
        assert "apply or discard" in shop.command(do="forget", backfill="first")["error"]
        shop.deploy(FILLED)
        assert shop.command(do="apply") == {"applied": 1, "malformed": [], "left": 0}
        shop.deploy(DONE)
        order(shop, 2, 30)
        shop.drain()
        assert shop.command(do="forget", backfill="first")["complete"]
        assert read(shop, DONE, **ANN) == (2, 40, True)


def test_what_was_set_aside_while_two_backfills_went_on_can_be_discarded(shop: Shop) -> None:
    """No views are declared with both, so nobody can apply it, and neither could be forgotten before it is gone."""
    strict = views(strict=True, backfill="second").products
    with shop.delivered():
        with shop.before():
            order(shop, 1, 10)
        shop.deploy(customers("first", strict=True))
        counted_all(shop)
        (aside,) = shop.command(do="list")["records"]
        shop.deploy(customers(strict=True), strict)
        counted_all(shop)
        shop.deploy(customers(strict=True), views(strict=True).products)
        assert shop.command(do="discard", shard=aside["shard"], sequence=aside["sequence"]) == {"discarded": 1}
        rows = read(shop, DONE, **ANN), read(shop, strict, product="tea")
        assert [complete for _, _, complete in rows] == [False, False]


def test_what_was_set_aside_is_applied_whatever_was_filled_then_that_is_kept_no_more(shop: Shop) -> None:
    with shop.delivered():
        with shop.before():
            order(shop, 1, 10)
        shop.deploy(customers("first", strict=True))
        counted_all(shop)
        shop.deploy(later())
        assert shop.command(do="apply") == {"applied": 1, "malformed": [], "left": 0}
        assert shop.command(do="forget", backfill="first")["complete"]


def test_a_backfill_is_forgotten_and_none_whose_name_begins_likewise(shop: Shop) -> None:
    """What is left of the other one tells what it has counted."""
    with shop.delivered():
        with shop.before():
            for number in (1, 2):
                order(shop, number, 10)
        shop.deploy(FILLED)
        counted_all(shop)
        shop.deploy(DONE, later("first-2"))
        counted_all(shop)
        order(shop, 1, 20)
        assert shop.command(do="forget", backfill="first")["complete"]
        order(shop, 1, 30)
        shop.drain()
        shop.deploy(DONE, later())
        assert [read(shop, view, **ANN) for view in (DONE, later())] == [(2, 40, True)] * 2


@pytest.mark.parametrize("steps", [1, 1000], ids=["while it goes on", "once it is complete"])
def test_a_backfill_fills_the_views_that_it_began_with_and_no_others(shop: Shop, steps: int) -> None:
    """What it has marked is counted by now: other views would lack it, and say that they are complete."""
    other = later("first")
    with shop.delivered():
        with shop.before():
            for number in (1, 2):
                order(shop, number, 10)
        shop.deploy(FILLED)
        shop.wait(60)
        backfill(shop, steps)
        for declared in ((FILLED, other), (DONE, other)):
            shop.deploy(*declared)
            answer = shop.command(do="backfill")
            why = f"backfill: first fills {name(FILLED)} since it was asked for: give {name(other)}"
            assert answer["error"].startswith(why), answer
        shop.deploy(FILLED)
        counted_all(shop)
        assert told(shop) == (2, 20)


def test_views_that_are_declared_without_a_backfill_before_it_is_complete_are_not(shop: Shop) -> None:
    with shop.delivered():
        with shop.before():
            for number in (1, 2, 3):
                order(shop, number, 10)
        shop.deploy(FILLED)
        while not marked(shop):
            backfill(shop, steps=1)
        shop.deploy(DONE)
        assert read(shop, DONE, **ANN)[::2] == (1, False)
        shop.deploy(FILLED)
        counted_all(shop)
        shop.deploy(DONE)
        assert read(shop, DONE, **ANN) == (3, 30, True)


def test_what_was_discarded_while_a_backfill_went_on_is_doubted_when_it_is_complete(shop: Shop) -> None:
    """Nobody could tell of which product it was, so no row says so itself."""
    products, done = views(backfill="first").products, views().products
    with shop.delivered():
        with shop.before():
            shop.owner.put_item(TableName=NAME, Item={**key(1), "product": {"L": []}})
            order(shop, 2, 10)
        shop.deploy(products)
        while not (aside := shop.command(do="list")["records"]):
            assert not backfill(shop, steps=1)
        ((shard, sequence),) = ((each["shard"], each["sequence"]) for each in aside)
        assert shop.command(do="discard", shard=shard, sequence=sequence) == {"discarded": 1}
        counted_all(shop)
        shop.deploy(done)
        assert read(shop, done, product="mug") == (0, 0, False)
        assert shop.command(do="trust", name=name(done)) == {"trusted": 1}
        assert read(shop, done, product="mug") == (0, 0, True)


def test_of_two_who_mark_at_once_the_slower_one_takes_back_nothing_of_the_other(shop: Shop) -> None:
    """Whoever finds it too slow asks for more a second, while the first is still at it."""
    ended, real = list[Any](), scanning.page

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
        shop.deploy(FILLED)
        with patch.object(scanning, "page", page):
            assert shop.command(do="backfill", per_second=1)["complete"]
        assert [shop.table.get(state("first"))] == ended


def test_a_step_that_dies_before_its_last_write_leaves_views_that_are_not_complete(shop: Shop) -> None:
    """It had said that no row is doubted any more, and not yet when all items are counted."""
    real = Table.write

    def killed(table: Table, write: Write) -> None:
        if isinstance(write, Put) and "End" in write.item:
            raise KilledError
        real(table, write)

    with shop.delivered():
        with shop.before():
            order(shop, 1, 10)
        shop.deploy(FILLED)
        with patch.object(Table, "write", killed), pytest.raises(KilledError):
            shop.command(do="backfill")
        shop.deploy(DONE)
        assert not read(shop, DONE, **ANN)[2]
        shop.deploy(FILLED)
        counted_all(shop)
        shop.deploy(DONE)
        assert read(shop, DONE, **ANN)[2]


class KilledError(Exception):
    """The sandbox is gone."""


@pytest.mark.parametrize("marks", [0, 1])
def test_views_that_have_counted_without_a_backfill_are_filled_by_none(shop: Shop, marks: int) -> None:
    """Nobody knows which items they have counted: these would count twice, and what is marked meanwhile not at all."""
    with shop.delivered():
        with shop.before():
            for number in (1, 2):
                order(shop, number, 10)
        shop.deploy(FILLED)
        while len(marked(shop)) < marks:
            backfill(shop, steps=1)
        shop.deploy(DONE)
        order(shop, 3, 10)
        shop.drain()
        shop.deploy(FILLED)
        answer = shop.command(do="backfill")
        assert answer["error"].startswith(f"backfill: would count twice what {name(DONE)} counted"), answer
        assert len(marked(shop)) == marks
        shop.deploy(DONE, later("second"))
        counted_all(shop)
        shop.deploy(DONE, later())
        assert read(shop, later(), **ANN) == (3, 30, True)
        assert read(shop, DONE, **ANN)[2] is (not marks)


def test_views_whose_backfill_nobody_has_asked_for_are_not_complete_without_it(shop: Shop) -> None:
    """Until then they count nothing, also of what changes."""
    with shop.delivered():
        shop.deploy(FILLED)
        order(shop, 1, 10)
        shop.drain()
        shop.deploy(DONE)
        order(shop, 2, 20)
        shop.drain()
        assert read(shop, DONE, **ANN)[::2] == (1, False)
